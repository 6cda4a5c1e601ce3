"""Opposites that a reader must not confuse, with their inflected forms."""

from __future__ import annotations

_VERBS = """rise rises rose risen rising/fall falls fell fallen falling
increase increases increased increased increasing/decrease decreases decreased decreased decreasing
grow grows grew grown growing/shrink shrinks shrank shrunk shrinking
win wins won won winning/lose loses lost lost losing
import imports imported imported importing/export exports exported exported exporting
buy buys bought bought buying/sell sells sold sold selling
accept accepts accepted accepted accepting/reject rejects rejected rejected rejecting
expand expands expanded expanded expanding/contract contracts contracted contracted contracting
strengthen strengthens strengthened strengthened strengthening/weaken weakens weakened weakened weakening
improve improves improved improved improving/worsen worsens worsened worsened worsening
support supports supported supported supporting/oppose opposes opposed opposed opposing
approve approves approved approved approving/reject rejects rejected rejected rejecting
begin begins began begun beginning/end ends ended ended ending
open opens opened opened opening/close closes closed closed closing
arrive arrives arrived arrived arriving/depart departs departed departed departing
join joins joined joined joining/leave leaves left left leaving
include includes included included including/exclude excludes excluded excluded excluding
allow allows allowed allowed allowing/forbid forbids forbade forbidden forbidding
permit permits permitted permitted permitting/prohibit prohibits prohibited prohibited prohibiting
add adds added added adding/remove removes removed removed removing
succeed succeeds succeeded succeeded succeeding/fail fails failed failed failing
raise raises raised raised raising/lower lowers lowered lowered lowering
encourage encourages encouraged encouraged encouraging/discourage discourages discouraged discouraged discouraging
attack attacks attacked attacked attacking/defend defends defended defended defending
confirm confirms confirmed confirmed confirming/deny denies denied denied denying
teach teaches taught taught teaching/learn learns learned learned learning
borrow borrows borrowed borrowed borrowing/lend lends lent lent lending
enter enters entered entered entering/leave leaves left left leaving
create creates created created creating/destroy destroys destroyed destroyed destroying
build builds built built building/demolish demolishes demolished demolished demolishing
precede precedes preceded preceded preceding/follow follows followed followed following
agree agrees agreed agreed agreeing/disagree disagrees disagreed disagreed disagreeing
hire hires hired hired hiring/dismiss dismisses dismissed dismissed dismissing
praise praises praised praised praising/criticize criticizes criticized criticized criticizing
send sends sent sent sending/receive receives received received receiving
activate activates activated activated activating/inhibit inhibits inhibited inhibited inhibiting
promote promotes promoted promoted promoting/prevent prevents prevented prevented preventing
accelerate accelerates accelerated accelerated accelerating/delay delays delayed delayed delaying
exceed exceeds exceeded exceeded exceeding/trail trails trailed trailed trailing"""

_WORDS = """higher lower|highest lowest|larger smaller|largest smallest|bigger smaller|biggest smallest|greater smaller
greatest smallest|longer shorter|longest shortest|older younger|oldest newest|earlier later|earliest latest|faster slower
fastest slowest|stronger weaker|strongest weakest|better worse|best worst|richer poorer|richest poorest|wider narrower
heavier lighter|warmer colder|hotter cooler|cheaper costlier|above below|before after|first last|northern southern
eastern western|north south|east west|northwest southeast|northeast southwest|northward southward|upper lower
inside outside|internal external|major minor|majority minority|maximum minimum|positive negative|public private
rural urban|male female|men women|boys girls|husband wife|father mother|son daughter|sons daughters|brother sister
uncle aunt|king queen|ancient modern|winter summer|morning evening|upstream downstream|inland coastal|domestic foreign
primary secondary|import export|imports exports|buyer seller|buyers sellers|employer employee|lender borrower
supply demand|profit loss|profits losses|gain loss|increase decrease|rise fall|victory defeat|success failure
advantage disadvantage|advantages disadvantages|beginning end|ally enemy|allies enemies|legal illegal|popular unpopular
successful unsuccessful|common rare|commonly rarely|possible impossible|likely unlikely|able unable|similar different
independent dependent|effective ineffective|efficient inefficient|significant insignificant|voluntary mandatory
temporary permanent|acute chronic|superior inferior|ascending descending|voluntarily involuntarily|directly indirectly
professional amateur|formal informal|wealthy poor|dry wet|hot cold|liberal conservative|left-wing right-wing
guilty innocent|deficit surplus|arrival departure|birth death|entry exit|offensive defensive|over under
disclosing receiving|upward downward|upwards downwards|forward backward|within outside|early late|strong weak|high low
heavy light|large small|long short|rich poor|easy difficult|simple complex|new old|young old|most least"""


def _pairs() -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for line in _VERBS.splitlines():
        left, right = line.split("/")
        found.extend(zip(left.split(), right.split(), strict=True))
    for chunk in _WORDS.replace("\n", "|").split("|"):
        left, right = chunk.split()
        found.append((left, right))
    return found


# Words of more senses than the one that has this opposite: they may be put in, never taken out.
_ONE_WAY = frozenset(
    [
        "attack",
        "attacks",
        "beginning",
        "building",
        "close",
        "closes",
        "contract",
        "contracts",
        "cooler",
        "demand",
        "end",
        "ends",
        "fall",
        "falls",
        "following",
        "found",
        "high",
        "including",
        "late",
        "later",
        "latest",
        "lead",
        "learning",
        "least",
        "leaves",
        "left",
        "lies",
        "light",
        "long",
        "low",
        "lowers",
        "meaning",
        "minimum",
        "minor",
        "most",
        "new",
        "newest",
        "old",
        "open",
        "opening",
        "opens",
        "outside",
        "over",
        "poor",
        "secondary",
        "sent",
        "short",
        "support",
        "supports",
        "teaching",
        "trail",
        "trailed",
        "trailing",
        "trails",
        "under",
        "within",
    ]
)

OPPOSITES: dict[str, list[str]] = {}
for _a, _b in _pairs():
    if _a not in _ONE_WAY:
        OPPOSITES.setdefault(_a, []).append(_b)
    if _b not in _ONE_WAY:
        OPPOSITES.setdefault(_b, []).append(_a)
