"""Closed word classes and everyday verbs, enough to tell where a question's subject ends."""

from __future__ import annotations

from statements.verbs import IRREGULAR
from statements.words import word_set

DETERMINERS = word_set(
    "a an the this that these those his her its their our my your some any no every each all both either neither another "
    "many most several few more other such what which whose"
)
PREPOSITIONS = word_set(
    "of in on at by for from with to into onto over under about against between among through during before after since until "
    "within without across behind beyond near like as than around along toward towards upon via per off out up down despite"
)
PRONOUNS = word_set("i it he she they we you there anyone everyone someone people nobody anybody everybody this one")
RELATIVES = word_set("who that which whom whose where when while and or but if because to not")
BE = word_set("is are was were")
HAVE = word_set("has have had")
DO = word_set("do does did")
MODALS = word_set("can could will would should may might must shall")
AUXILIARIES = BE | HAVE | DO | MODALS
ADVERBS = word_set(
    "also still always never ever often usually generally typically likely probably commonly first originally initially "
    "finally eventually later recently currently already now once mostly mainly only really actually primarily not just "
    "specifically ultimately previously simply successfully necessarily both all"
)
# After a form of `be`, these start what is said of the subject, whatever stands before them.
PREDICATES = word_set(
    "able unable likely unlikely possible impossible known unknown available responsible similar different important common rare "
    "necessary popular famous true false aware happy sad afraid safe dangerous legal illegal allowed active alive dead good bad "
    "useful effective associated related better worse larger smaller higher lower older younger greater more less as still always "
    "also ever often already currently not usually generally typically probably considered capable independent present absent "
    "successful unsuccessful expensive cheap cheaper easy difficult hard easier harder closer further interested willing unwilling "
    "familiar equal unique worth part enough accurate predictive comparable feasible sufficient reliable valid beneficial "
    "affordable prevalent proud guilty innocent ready new old prone vulnerable subject married wrong right justified adequate "
    "reasonable harmful superior inferior essential mandatory suitable appropriate significant cost-effective very too so "
    "mostly mainly only originally initially first both all short proportional analogous central due exempt composed close opposed based limited entirely completely truly really widely"
)
_REGULAR = """
abandon absorb accept accompany accomplish accuse achieve acknowledge acquire act adapt add address adhere adjust administer admire admit adopt
advance advise advocate affect afford agree aid aim align allege allow alter analyze announce answer appeal appear apply appoint appreciate
approach approve argue arrange arrest arrive ascend ask assassinate assemble assert assess assign assist associate assume assure attach attack
attain attempt attend attract attribute avoid award ban base battle behave believe belong benefit blame block board boost border borrow bother
burn bury calculate call campaign cancel capture care carry cause cease celebrate challenge change characterize charge chase cheat check cite
claim classify clean clear climb close collaborate collapse collect colonize combine command commemorate comment commission commit communicate
compare compete compile complain complete compose comprise conceive concentrate concern conclude condemn conduct confirm conflict confront
connect conquer consider consist constitute construct consult consume contact contain continue contract contradict contribute control convert
convey convict convince cook cooperate cope correlate correspond cover crash create criticize cross crush cry damage dance date debut decide
declare decline decorate decrease dedicate defeat defend define delay deliver demand demonstrate deny depart depend depict deploy derive
descend describe deserve design desire destroy detect determine develop devote die differ diminish direct disagree disappear discover discuss
dislike dismiss display dispute dissolve distinguish distribute divide divorce dominate donate doubt drop dwell earn edit educate elect
eliminate embrace emerge emigrate emphasize employ enable encounter encourage end endorse engage enhance enjoy ensure enter entertain establish
estimate evaluate evolve examine exceed exchange exclude execute exercise exert exhibit exist expand expect expel experience explain exploit
explode explore export express extend face facilitate fail fear feature file fill finance finish fire fit fix float flow focus follow
force form function fund gain gather generate govern graduate grant guarantee guard guide handle happen harm hate head help hire host
house identify ignore illustrate imagine impact implement imply import impose impress imprison improve incorporate increase indicate induce
influence inform inhabit inherit inhibit initiate injure insist inspire install integrate intend interact interfere interpret intervene
introduce invade invent invest investigate invite involve isolate issue join judge jump justify kick kill label lack land last laugh launch
learn liberate lift like limit link list listen live locate look love lower maintain manage march mark marry master match matter measure
melt mention merge migrate modify monitor motivate move murder name need neglect negotiate note notice object oblige observe obtain occupy
occur offer open operate oppose order organize originate overlap own paint participate pass perceive perform permit persuade pick place plan
plant play please point possess post practice praise preach precede predict prefer prepare prescribe present preserve press prevent print
proceed process produce progress prohibit promise promote propose protect protest prove provide publish pull punish purchase pursue push
qualify question race raise range rank reach react realize rebel receive recognize recommend reconsider record recover recruit reduce refer
reflect reform refuse regain regard regulate reject relate relax release rely remain remember remind remove rename render renew rent repair
repeat replace reply report represent request require rescue resemble reside resign resist resolve respond rest restore restrict result resume
retain retire retreat return reveal reverse revert review revise revolt reward risk rule sail satisfy save scatter scheme score search secure
seem seize select separate serve settle shape share shift sign signal smell smoke solve sound specialize speculate sponsor start state stay
stop store strengthen stress stretch struggle study submit substitute succeed suffer suggest supply support suppose surrender surround survive
suspect suspend sustain switch symbolize talk target taste tend terminate test thank threaten tie touch tour trace track trade train transfer
transform translate transmit transport travel treat trigger trust try turn unify unite urge use utilize value vary view violate visit vote
wait walk want warn wash waste watch weaken weigh welcome wish witness wonder work worry worship yield
patent dub admonish allude ascribe bequeath brew chair coordinate curb decipher default entrust enumerate fluctuate harbor hatch hinge
inflate instigate irrigate jeopardize leak lean loan misuse nullify outlive pinpoint plagiarize pump quote rationalize reassure recall rectify
replicate retract salvage scold shave simplify sneak solicit spoil spray stockpile subscribe subside substantiate swallow sympathize thwart
trick underestimate unveil vilify whip attain compound preclude predispose exacerbate ameliorate mitigate correlate optimize prognosticate
discriminate stratify potentiate inhibit underlie dictate authorize assign attest ally back bomb boycott brand breathe broaden burn cater circulate coin collide comply consent contend convene
cultivate debate decompose deem defect delegate denote designate detain deteriorate devise dictate digest disband discard disclose discourage
displace dispose disrupt disturb diverge double draft dump duplicate ease echo elevate embark employ empower enact endure enforce engulf enlist
enroll entail envision erect escape escort evade evacuate excavate excel fade favor favour feature fish flourish forge formulate foster
fulfil fulfill grade grab halt harvest herald honor honour hope hunt impair import inflict infect insert inspect institute instruct intensify
invoke lobby lose mandate manifest manipulate manufacture market mature mediate metabolize mimic mine mobilize mourn multiply nominate nurture
oust outlaw outline outnumber overrule overturn pave peak penetrate perish persecute pertain plead plunder portray postpone pray privatize
proclaim profit project prolong prosper provoke publicize raid ratify rally reclaim reconstruct reconcile refine reinforce reiterate relinquish
relocate remark reopen reorganize reproduce resort retaliate revive revolutionize rival rotate sack sacrifice sanction scan secede secrete
segregate shelter shield shock sign simulate slow spark specify spot stem stimulate stipulate store strip subject sue summon supervise
supplement suppress surpass synthesize tackle target tax terrify testify tolerate top transition triumph unlock undermine upgrade usher utter
validate vanish venture verify visualize volunteer wander widen wipe yell crave cheer chant accelerate accumulate activate alleviate anticipate
assimilate bear bless boast bond breach bully bypass catalyze categorize cease cherish circumvent coincide commence compensate complement
complicate compress concede condense confer confess confine confuse consolidate constrain contaminate cool correct counter crack credit
crown dare deceive dedicate deem deepen delete deplete deprive despise deter devastate differentiate disapprove discontinue dispatch drain dream
drift drown envy equate erode evoke exaggerate exclaim exempt export fascinate flood fold forbid grasp grace greet guess heal heat hesitate
highlight hinder hurry inquire insult interview knock level lock log map mix nest notify open oppress orbit outweigh own pack pardon
pause pity pollute pose pour precipitate preside presume pretend prevail prey pronounce prosecute prompt rate reign rejoice repay
repel resent respect resurface revere rob roll rush sample scare seal sense sentence sink skip slip smile spell split stage stand steer
step stir suit swap telegraph televise tempt thrive tighten transcribe transplant trap uncover undergo vanish wage warm wed whisper
"""
VERBS = word_set(_REGULAR) | frozenset(IRREGULAR) | {"be"}
# Verbs as often met as nouns or adjectives: a verb that follows at once is the better reading.
NOUN_VERBS = word_set(
    "act address advance aid aim answer appeal attack attempt award ban base battle benefit block board border burn call campaign care cause "
    "challenge change charge check claim clean clear close command comment commission concern conduct conflict contact contract control cost "
    "cover crash cross cut damage dance date deal debut decline decrease delay demand design desire display dispute doubt draw drop end "
    "estimate exchange exercise experience export face fall fear feature feed file fight finance fire fit fix flow fly focus force form "
    "function fund gain grant guard guide handle harm hate head help hit hold host house impact import increase influence issue judge land last "
    "lead lie light like limit link list live look love lower march mark market master match matter mean measure meet mine move murder name "
    "need note notice object offer open order own paint pass place plan plant play point post practice present press print process produce "
    "profit program progress project promise protest purchase question race raise range rank rate read record reform regard release rent "
    "report request rescue respect rest result return reverse review revolt reward ride ring rise risk rule run sail score search secure "
    "separate set shape share shift shock show shut sign signal slow smoke sound split spread spring stage stand start state stay stem step "
    "stop store strike stress stretch strip study subject suit supply support suspect switch talk target taste tax test thought tie top touch "
    "tour trace track trade train transfer transition transport travel treat trust try turn upset use value view visit volunteer vote wait walk "
    "want waste watch wave welcome win wish witness wonder work worship wound yield slip sentence sense sample seal roll rush map mix level log "
    "lock heat flood fold dream credit crown counter cool correct complement bond double draft fish hope hunt raid rally rival sack sacrifice "
    "sanction shelter shield spark spot warm back right broadcast forecast bear bet bid"
)


def bare(word: str) -> str:
    """A word without the punctuation around it, its case kept."""
    return word.strip("\"'“”‘’.,;:?!()[]")


def blocks(previous: str) -> bool:
    """Whether a word makes the next one part of a noun phrase or of an aside."""
    low = previous.lower()
    core = bare(low)
    attributive = core.endswith(("'s", "’s", "s'", "s’")) or core in {
        "new",
        "first",
        "same",
        "own",
        "main",
        "old",
        "other",
        "american",
        "british",
    }
    return core in DETERMINERS | PREPOSITIONS | RELATIVES or attributive


_ADJECTIVES = word_set(
    "tiny small large big little young local modern early late high low good bad long short great common future home free full joint"
)
_NOUNS_IN_AL = word_set(
    "animal hospital capital criminal individual official professional general journal material metal signal music republic critic public native captive detective executive"
)


def qualifies(previous: str) -> bool:
    """Whether a word looks like an adjective, so that a verb-or-noun after it is the noun."""
    core = bare(previous)
    endings = ("al", "ic", "ive", "ous", "ary", "ful", "less", "ish", "ible", "able")
    return core in _ADJECTIVES or (core.islower() and core.endswith(endings) and core not in _NOUNS_IN_AL)
