"""English verb forms by short lists and endings: enough to tell a predication, and where in doubt, no verb at all."""

from __future__ import annotations

from typing import Literal

from showable.read.word_sets import word_set

Form = Literal["be", "have", "do", "modal", "third", "third?", "past", "participle", "ed", "base", "base?", "none"]
"""What a word may be: an auxiliary, a present in -s, a past that is no participle, a participle that is no past,
either of the two (`ed`), a base form. A question mark: it is as often a noun."""

_BE = "is are was were isn't aren't wasn't weren't"
_HAVE = "has have had hasn't haven't hadn't"
_DO = "does do did doesn't don't didn't"
_MODAL = "will would can could may might must shall should cannot can't won't wouldn't couldn't shouldn't mustn't"

_CLEAR = """abolish accept accompany accuse achieve acknowledge acquire adapt add adhere adjust administer admit adopt
advise affect affirm aggregate agree alert allege allocate allow alter amend amount announce appear apply appoint
approve argue arise arrive ascertain ask assert assess assign assist assume assure attach attain attend attract
attribute authorize avoid become begin believe belong bind bring build buy calculate carry cease choose cite
clarify classify come commence commit compare compel compete compile complete comply comprise compute conclude
confer confirm connect consider consist constitute construe consult consume contain continue contribute convert
convict correlate create decide declare decline deem define defer deliver demonstrate deny depend derive describe
deserve detect deteriorate determine develop differ diminish disagree disclose discover discuss dismiss dispose
disrupt distinguish distribute divide divest earn eliminate emerge emit employ enable enact encode encourage enforce
engage enhance enjoin enjoy enroll enrol ensure enter entitle establish evaluate evolve exceed exclude execute exempt
exercise exhibit exist expand expect expire explain export expose express extend facilitate fail fluctuate follow
forbid forfeit form found fulfil fulfill gain generate get give govern grow happen hear hinder hold identify impair
implement imply impose improve include incorporate incur indemnify indicate induce infect inform inhibit initiate
inject inquire insist install instruct intend interact interpret introduce invalidate invest involve issue join
justify keep know lack launch learn leave lend lessen let license lie locate lose lower maintain make manufacture
mean meet mention merge mitigate modify negotiate notify obtain occur occupy offset omit operate oppose originate
outperform overrule overturn own oversee participate perform permit persist pertain pose possess postpone precede
preclude predict prefer prepare prescribe present preserve prevail prevent proceed prohibit promote propose protect
prove provide publish pursue raise rank reaffirm realize rebut recall receive recognize recommend reconcile recover
recruit reduce refer reflect refuse regulate reimburse reinforce reject relate rely remain remand remedy remove
render renew repay repeal replace represent require rescind reserve reside resign resolve respond restate restore
restrict retain retire reverse revise revoke rise satisfy say secure see seek seem select sell send separate serve
settle shorten signify simplify speak specialize specify spend split spread stabilize stay stem stipulate strengthen
strive submit succeed sue suffer suggest summarize supersede suppress surpass suspect suspend sustain take teach tell
tend terminate testify tighten tolerate total trigger undergo understand undertake underperform unify update uphold
utilize vacate validate vary verify violate waive want warn warrant weaken weigh widen withdraw withhold worsen write
yield"""
_NOUNLIKE = """access account act address advance aid aim answer appeal arrest attack attempt average award balance ban bar base
benefit block bond book boost break burden call campaign cap care cause challenge change charge check claim clear
close collapse combine command comment concern conduct conflict contact contest contract contrast control cost
counter cover credit damage date deal debate debut decrease default delay delegate demand deposit design detail
display document double drive drop ease effect end estimate exchange experience face fall favor favour feature file
finance fight fix focus forecast free function fund further grant group guarantee guide halt handle help host hit
hurt impact increase influence insult insure interest invoice judge label land lead lease level lift limit link list
live load look mark market match matter measure merit monitor move name need note notice number object offer open
order outline pay peak permit phase place plan play plead pledge plunge point practice practise presume price
probe process produce profit program progress project promise prompt purchase qualify question quote range rate reach
rebound rebuke record refund regard register release remark rent repair report request rescue research result return
reveal review reward risk rule run sale sample sanction save schedule score screen search sentence set shape share
shift show sign signal slow sound source stand start state stop store stress study subject supply support surge
survey switch target tax term test think trade transfer transport travel treat trend triple try turn use value view
visit voice vote wait watch win wish witness work yield"""

# base: past, participle (once where they are alike)
_IRREGULAR = """arise arose arisen; become became become; begin began begun; bind bound; bear bore borne; beat beat
beaten; break broke broken; bring brought; build built; buy bought; catch caught; choose chose chosen; come came come;
cut cut; deal dealt; do did done; draw drew drawn; drive drove driven; eat ate eaten; fall fell fallen; feel felt;
fight fought; find found; fly flew flown; forbid forbade forbidden; forget forgot forgotten; freeze froze frozen; get
got; give gave given; go went gone; grow grew grown; hear heard; hide hid hidden; hold held; hit hit; hurt hurt; keep
kept; know knew known; lay laid; lead led; leave left; lend lent; let let; lie lay lain; lose lost; make made; mean
meant; meet met; overcome overcame overcome; oversee oversaw overseen; pay paid; put put; read read; ride rode ridden;
ring rang rung; rise rose risen; run ran run; say said; see saw seen; seek sought; sell sold; send sent; set set;
shake shook shaken; shoot shot; show showed shown; shrink shrank shrunk; sing sang sung; sink sank sunk; sit sat; sleep
slept; speak spoke spoken; spend spent; split split; spread spread; stand stood; steal stole stolen; stick stuck;
strike struck; swear swore sworn; swim swam swum; take took taken; teach taught; tear tore torn; tell told; think
thought; throw threw thrown; undergo underwent undergone; understand understood; undertake undertook undertaken;
uphold upheld; wake woke woken; wear wore worn; win won; withdraw withdrew withdrawn; withhold withheld; write wrote
written; rewrite rewrote rewritten; rebuild rebuilt; repay repaid; outgrow outgrew outgrown; feed fed; bleed bled;
flee fled; bid bid; bet bet; cost cost; quit quit; shed shed; slide slid; spin spun; swing swung; burn burnt"""

_NOT_ED = word_set(
    "need needs indeed speed hundred exceed proceed succeed seed feed breed deed weed greed creed steed freed agreed "
    "bed red led fed wed shed sled med united sacred hatred kindred naked wicked rugged aged biased unprecedented "
    "limited so-called embed unrelated detailed complicated sophisticated dedicated advanced"
) - {"agreed", "freed"}

_ADJECTIVES = word_set("total separate lower present secure complete own mean split spread license issue export yield")

NEVER_PASSIVE = word_set(
    "died remained became went appeared occurred resigned retired grew fell rose came arrived emerged existed belonged "
    "consisted persisted lasted graduated succeeded served lived worked continued expired happened began"
)
"""Pasts that no passive carries over to: after "was founded and" they are active."""

COMPLEMENT_VERBS = word_set(
    "says said say believes believe believed claims claim claimed argues argue argued thinks think thought found finds "
    "find shows show showed suggests suggest suggested means mean meant provides provided states state stated reports "
    "reported report indicates indicated indicate estimates estimated holds held hold knows knew know alleges alleged "
    "concludes concluded noted notes note agrees agreed assumes assumed ensures ensure ensured confirms confirmed "
    "requires ordered ruled rules expects expected"
)
"""Verbs whose object may be a clause without "that"; what follows "and" may still be inside it."""


def _regular(base: str) -> tuple[str, str]:
    if base.endswith(("s", "x", "z", "ch", "sh", "o")):
        third = base + "es"
    elif base.endswith("y") and base[-2] not in "aeiou":
        third = base[:-1] + "ies"
    else:
        third = base + "s"
    past = base + "d" if base.endswith("e") else third[:-3] + "ied" if third.endswith("ies") else base + "ed"
    return third, past


def _build() -> dict[str, Form]:
    forms: dict[str, Form] = {}
    for words, plain, third in ((_NOUNLIKE, "base?", "third?"), (_CLEAR, "base", "third")):
        for base in words.split():
            in_s, past = _regular(base)
            forms[base] = plain  # type: ignore[assignment]
            forms[in_s] = third  # type: ignore[assignment]
            forms[past] = "ed"
    for entry in _IRREGULAR.split(";"):
        base, past, *rest = entry.split()
        participle = rest[0] if rest else past
        if past != base:
            forms[past] = "ed" if participle == past else "past"
        if participle not in (past, base):
            forms[participle] = "participle"
    named: tuple[tuple[str, Form], ...] = ((_BE, "be"), (_HAVE, "have"), (_DO, "do"), (_MODAL, "modal"))
    for words, form in named:
        forms.update(dict.fromkeys(words.split(), form))
    forms["been"] = "participle"
    forms["be"] = "base"
    forms.update(dict.fromkeys(_ADJECTIVES, "base?"))
    forms["lay"] = forms["found"] = "ed"
    return forms


_FORMS = _build()


def form(word: str) -> Form:
    """Return the form of a lower-case word, ``none`` where it is no verb that is known."""
    known = _FORMS.get(word)
    if known is not None:
        return known
    if len(word) > 4 and word.endswith("ed") and word not in _NOT_ED:  # noqa: PLR2004 - "used" is listed
        return "ed"
    return "none"
