"""General English that word-level evidence stands on: which words are common, irregular forms, near synonyms.

Written by hand from general knowledge of the language; nothing here was counted in, or copied from, a data set.
"""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


FUNCTION_WORDS = _words(
    """
    a an the this that these those there here it its itself he him his himself she her hers herself they them their
    theirs themselves we us our ours ourselves you your yours yourself i me my mine myself one ones who whom whose
    which what where when why how and or but nor so yet if then else than as because since although though while
    whereas whether unless until of in on at by for from to into onto with within about over under between among
    through during per via upon toward towards against across along around off out up down be am is are was were been
    being do does did done doing have has had having will would shall should can could may might must ought
    not no also too very just even still only both either neither each every any some such other another same own
    again once after before ever never always often well much many more most less least few all however therefore thus hence
    moreover furthermore additionally etc s t d ll ve re m n't
    """
)
"""Words that carry grammar rather than content: finding them in a passage is next to no evidence."""

COMMON_WORDS = _words(
    """
    year people time new first two three four five use make made say said know take get give go come see find think
    want tell work call way day man woman world life part place case week company system program question government
    number night point home water room area money story fact month lot right study book eye job word business issue
    side kind head house service friend power hour game line end member law car city community name president team
    minute idea body information back parent face level office door health person art war history party result change
    morning reason research girl guy moment air teacher force education good great high old big different small large
    next early young important public bad able last long little general certain possible become begin show play run
    move live believe hold bring happen write provide sit stand lose pay meet include continue set learn lead
    understand watch follow stop create speak read allow add spend grow open walk win offer remember love consider
    appear buy wait serve die send expect build stay fall cut reach kill remain like need feel try leave put mean
    keep let seem help talk turn start hear state country group problem hand child school family student thing today
    second million united national american local several various known based form type example order process report
    period major human real play music show film season career born popular common however due main best early late
    """
)
"""Content words so frequent that finding one says little."""

_IRREGULAR_FORMS = """
be am is are was were been being; have has had having; do does did done doing; go goes went gone; say said; make made;
take took taken; come came; see saw seen; get got gotten; give gave given; find found; think thought; tell told;
become became; show shown; leave left; feel felt; bring brought; begin began begun; keep kept; hold held;
write wrote written; stand stood; hear heard; mean meant; meet met; run ran; pay paid; sit sat; speak spoke spoken;
lead led; grow grew grown; lose lost; fall fell fallen; send sent; build built; understand understood; draw drew drawn;
break broke broken; spend spent; rise rose risen; drive drove driven; buy bought; wear wore worn; choose chose chosen;
eat ate eaten; win won; teach taught; catch caught; sell sold; seek sought; fight fought; throw threw thrown;
shoot shot; sing sang sung; fly flew flown; know knew known; sleep slept; strike struck stricken; steal stole stolen;
swim swam swum; bear bore borne; shake shook shaken; hide hid hidden; forget forgot forgotten; sink sank sunk;
swear swore sworn; tear tore torn; wake woke woken; arise arose arisen; withdraw withdrew withdrawn;
overcome overcame; undergo underwent undergone; bind bound; feed fed; bleed bled; breed bred; dig dug;
freeze froze frozen; forbid forbade forbidden; bite bit bitten; blow blew blown; ride rode ridden;
shrink shrank shrunk; stick stuck; sweep swept; swing swung; deal dealt; learn learnt; burn burnt; lend lent;
slide slid; spin spun; hang hung; weep wept; bend bent; creep crept; lie lay lain; lay laid;
man men; woman women; child children; person persons; foot feet; tooth teeth; mouse mice; goose geese; life lives;
wife wives; knife knives; leaf leaves; half halves; wolf wolves; shelf shelves; thief thieves; datum data;
medium media; criterion criteria; phenomenon phenomena; bacterium bacteria; crisis crises; thesis theses;
analysis analyses analyse analyze; basis bases; index indices indexes; appendix appendices; matrix matrices;
axis axes; hypothesis hypotheses; diagnosis diagnoses diagnose; nucleus nuclei; fungus fungi; stimulus stimuli
"""

_NEAR_SYNONYMS = """
begin start commence launch initiate onset; finish conclude complete end; stop halt cease discontinue;
film movie picture; city town; company firm corporation business enterprise; doctor physician clinician;
buy purchase acquire; obtain gain get; show demonstrate indicate reveal suggest find; child kid; help assist aid support;
big large huge great; small little tiny; usa america american; uk britain british; percent percentage;
kill murder; die death dead; create make produce develop; build construct construction; author writer write; write pen;
actor actress star; sing singer; song sing; choose select pick; need require requirement necessary must; allow permit let enable;
forbid prohibit ban; use utilize employ usage; sick ill; illness disease disorder condition; drug medication medicine;
car automobile vehicle; house home residence; job occupation profession work; salary wage pay; near close nearby;
famous renowned known popular; quick fast rapid; correct right; wrong incorrect; old elderly; young youth;
receive get; give provide supply offer; inform notify tell; say state tell claim; call name title entitle dub;
often frequent common; important significant crucial key vital essential; whole entire full; many numerous several multiple;
part portion component; major main primary principal chief; different distinct; similar alike same; happen occur;
cause lead result; affect influence impact effect; try attempt seek; answer reply respond response; ask request;
join enter; leave depart; return back; marry wed husband wife spouse marriage; birth bear born; locate situate location;
live reside resident; win victory; defeat beat; club team; contest competition tournament; game match; war conflict battle;
army military; king monarch; president leader; law legislation act statute; court tribunal; judge justice;
lawyer attorney counsel; police officer; crime offence offense; jail prison; fund funding money; cost price;
revenue sale; income earnings profit; total amount; country nation; global worldwide world international;
area region; place site location; road street; river stream; teacher professor; student pupil; university college;
book novel; album record; band group; woman female; man male; people person human; mother mom; father dad;
photo photograph picture image; kind type sort; method approach technique; study research trial; scientist researcher;
discover find; test exam; result outcome finding; average mean; annual year yearly; month monthly; day daily;
week weekly; hour hourly; top highest; change alter modify; improve enhance better; protect protection;
danger risk hazard dangerous; harm damage injury hurt injure; avoid prevent; check examine inspect; fix repair;
contain include comprise consist; reduce lower decrease decline drop fall; increase rise grow raise climb growth;
maintain keep retain; remove delete eliminate; replace substitute; agree accept; refuse reject decline deny;
own possess; borrow loan; sell sale; trade commerce; food meal; dish cuisine; animal creature; sea ocean;
ship boat vessel; plane aircraft airplane; rock stone; trip journey travel; visit tour; bicycle bike; jump leap;
look see watch view; speak talk; shout yell scream; happy glad; angry mad; pretty beautiful; strange odd unusual;
empty vacant; rich wealthy; approximately roughly around nearly almost; enough sufficient; hard difficult; easy simple;
second 2; third 3; patient participant subject volunteer; cancer tumor carcinoma; heart cardiac cardiovascular;
kidney renal; liver hepatic; lung pulmonary; brain cerebral; baby infant newborn; fee charge; contract agreement;
terminate end termination; obligation duty obligate; mean signify; describe depict; appoint name; found establish create;
publish release issue; launch release; feature include; perform play; consider regard; also additionally; aim goal purpose objective;
benefit advantage; disadvantage drawback; expert specialist; illegal unlawful; legal lawful; fire blaze; storm hurricane;
large major; lot many; employee worker staff; employer company; customer client consumer; teenager adolescent;
resident inhabitant; population inhabitant people; belong part member; originate origin come; derive come; speech address;
writer novelist; physician medical; surgery operation; therapy treatment treat; heal cure; vaccine vaccination immunization;
tax levy; vote elect election; govern government; politician political; religion religious; science scientific;
music musical; history historical; nature natural; economy economic; industry industrial; culture cultural; region regional;
color colour; center centre; smell scent odor; quiet silent; street road; sofa couch; ill disease; two pair couple both
"""


def _irregular() -> dict[str, str]:
    table: dict[str, str] = {}
    for line in _IRREGULAR_FORMS.split(";"):
        base, *forms = line.split()
        table.update(dict.fromkeys(forms, base))
    return table


IRREGULAR = _irregular()
"""An irregular form, and the form it is read as."""

NEAR_SYNONYMS = tuple(tuple(line.split()) for line in _NEAR_SYNONYMS.split(";"))
"""Groups of words that may stand for one another; a word may be in several groups."""
