"""Words that exclude one another: directions, order in time, bounds, quantifiers, outcomes."""

from __future__ import annotations

from showable.judges.lexical.words import term

_OPPOSITES = """
rise increase grow climb gain expand improve surge jump soar - fall decrease decline drop shrink reduce worsen plunge lower
more - less fewer; before - after; above over exceed - below under; earlier - later; early - late
higher high highest - lower low lowest; maximum - minimum; all every always - none never; some - none; many - few
win - lose; won - lost; accept approve - reject refuse deny; allow permit - forbid prohibit ban; include - exclude
succeed success successful - fail failure unsuccessful; open - close shut; buy acquire purchase - sell; true - false
north northern - south southern; east eastern - west western; left - right; start begin - end stop finish cease
first - last; older old - younger young new; larger large bigger big - smaller small; longer long - shorter short
male man boy - female woman girl; father - mother; son - daughter; brother - sister; husband - wife; alive - dead
hot warm - cold cool; fast quick - slow; strong - weak; rich - poor; public - private; legal - illegal; safe - dangerous
support - oppose; agree - disagree; confirm - deny; guilty - innocent acquitted; positive - negative; active - inactive
contraindicated - indicated recommended advised; present - absent; same identical - different; possible - impossible; able - unable; import - export; profit - loss
surplus - deficit; domestic - foreign; internal - external; major majority - minor minority; best - worst; better - worse
inside - outside; enter arrive - leave exit depart; mandatory required compulsory - optional voluntary
permanent - temporary; increase - unchanged; decrease - unchanged; up - down; hire - fire dismiss; upper - lower
natural - artificial; single - married; day - night; wet - dry; easy simple - difficult hard; cheap - expensive
love like - hate dislike; remember - forget; visible - invisible; victory - defeat; ally - enemy; full - empty
ancestor - descendant; employer - employee; buyer - seller; plaintiff - defendant; landlord - tenant; lender - borrower
agree - disagree; appear - disappear; connect - disconnect; complete - incomplete; correct - incorrect wrong
effective - ineffective; direct - indirect; dependent - independent; significant - insignificant; formal - informal
sufficient - insufficient; accurate - inaccurate; adequate - inadequate; regular - irregular; relevant - irrelevant
responsible - irresponsible; reversible - irreversible; mature - immature; perfect - imperfect; probable - improbable
logical - illogical; moral - immoral; formal - informal; honest - dishonest; approve - disapprove; advantage - disadvantage
indoor - outdoor; monday - tuesday wednesday thursday friday saturday sunday; morning - evening afternoon
"""

_NEGATING_PREFIXES = ("un", "non")
"""Only those that rarely begin another word: ``inform`` is not the opposite of ``form``."""


def _table() -> dict[str, frozenset[str]]:
    table: dict[str, set[str]] = {}
    for line in _OPPOSITES.replace("\n", ";").split(";"):
        left, _, right = line.partition(" - ")
        one, other = {term(w) for w in left.split()}, {term(w) for w in right.split()}
        for word in one:
            table.setdefault(word, set()).update(other - {word})
        for word in other:
            table.setdefault(word, set()).update(one - {word})
    return {word: frozenset(others) for word, others in table.items()}


OPPOSITES = _table()
"""For a term, the terms that exclude it in the same place."""


def opposites(word: str) -> frozenset[str] | set[str]:
    """Give the terms that exclude this one, by the list or by a negating prefix (``able``, ``unable``)."""
    listed = OPPOSITES.get(word, frozenset())
    if len(word) < 4:  # noqa: PLR2004 - too short for a prefix to be one
        return listed
    prefixed = {prefix + word for prefix in _NEGATING_PREFIXES}
    prefixed.update(word[len(p) :] for p in _NEGATING_PREFIXES if word.startswith(p) and len(word) > len(p) + 3)
    return prefixed | listed
