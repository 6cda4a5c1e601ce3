"""What changed between two runs: words, outcomes, retrieval, and the verdict in words."""

from __future__ import annotations

import pytest
from difference_views import decided, few, record, view
from gate_runs import gate, run
from hypothesis import given, settings
from hypothesis import strategies as st
from scorecards import SIGNATURE, card, runs
from tables import every_row

from showable.measure.summary import summarise
from showable.records import Source
from showable.report.decision_words import reasons_of, verdict_of
from showable.report.difference.changes import Foremost, compare, direction_of, entries_of
from showable.report.difference.retrieval import retrieval_change
from showable.report.difference.word_changes import word_changes
from showable.report.run_view import Entry, RunView

# Words


WORDS = [
    ("It is 30 days.", "It is 60 days.", ["30"], ["60"], "one word"),
    ("It is 412,000.", "It is 415,000.", ["412,000"], ["415,000"], "a number is one word"),
    ("a b c d", "a b c d", [], [], "the same"),
    ("a b  c\nd", "a b c d", [], [], "white space alone"),
    ("It may be shown to staff.", "It may not be shown to staff.", [], ["not"], "an insertion"),
    ("It may not be shown to staff.", "It may be shown to staff.", ["not"], [], "a deletion"),
    ("x y z", "a b c d", [], [], "rewritten: nothing is marked"),
    ("", "a b", [], [], "from nothing"),
    ("", "", [], [], "nothing at all"),
    ("the cat sat on the mat", "the dog sat on the mat", ["cat"], ["dog"], "words that repeat"),
]


@pytest.mark.parametrize(("before", "after", "gone", "come", "source"), WORDS)
def test_the_words_that_differ_are_marked(before, after, gone, come, source):
    found = word_changes(before, after)
    assert [piece for piece, differs in found.before if differs] == gone, source
    assert [piece for piece, differs in found.after if differs] == come, source


def test_answers_that_share_too_little_are_called_rewritten():
    assert word_changes("x y z", "a b c d").rewritten
    assert not word_changes("", "").rewritten
    assert word_changes("a b c d", "a b c e").alike == 0.75


words = st.text(st.sampled_from("ab c,."), max_size=60) | st.text(max_size=40)


@given(words, words)
def test_marking_words_loses_no_text_and_what_is_not_marked_is_the_same(before, after):
    found = word_changes(before, after)
    assert "".join(piece for piece, _ in found.before) == before
    assert "".join(piece for piece, _ in found.after) == after
    if not found.rewritten:
        kept = [
            "".join("".join(p for p, differs in side if not differs).split()) for side in (found.before, found.after)
        ]
        assert kept[0] == kept[1]


@given(words)
def test_a_text_does_not_differ_from_itself(text):
    found = word_changes(text, text)
    assert not any(differs for _, differs in (*found.before, *found.after))
    assert found.alike == 1.0


HOSTILE = [
    ("a " * 20_000, "a " * 19_999 + "b"),
    ("a b " * 10_000, "b a " * 10_000),
    ("! " * 20_000, "? ! " * 10_000),
    (" ".join(map(str, range(20_000))), " ".join(map(str, range(20_000, 0, -1)))),
    ("1," * 20_000, "1." * 20_000),
]


@pytest.mark.parametrize(("before", "after"), HOSTILE)
def test_hostile_texts_are_compared_within_the_budget(before, after, monkeypatch):
    """No timed test: the comparisons one by one are counted."""
    from showable.report.difference import word_changes as module

    spent = []
    common = module._common
    monkeypatch.setattr(
        module, "_common", lambda a, b, rows, cols: (spent.append(len(rows) * len(cols)), common(a, b, rows, cols))[1]
    )
    found = word_changes(before, after)
    assert sum(spent) <= module._MOST_CELLS
    assert "".join(piece for piece, _ in found.after) == after


# Changes


DIRECTIONS = [
    ("correct", "wrong", "worse"),
    ("refused", "unsupported", "worse"),
    ("correct", "unknown", "worse"),
    ("unknown", "wrong", "worse"),
    ("wrong", "unsupported", "better"),
    ("unsupported", "correct", "better"),
    ("unknown", "correct", "better"),
    ("wrong", "unknown", "undecided"),
    ("unsupported", "unknown", "undecided"),
    ("wrong", "wrong", None),
]


@pytest.mark.parametrize(("before", "after", "expected"), DIRECTIONS)
def test_the_way_between_buckets_has_a_direction(before, after, expected):
    """Source: DESIGN §6: `wrong`, `unsupported` and `unknown` may none of them rise; harm that turns unknown is in two lines."""
    assert direction_of(before, after) == expected


def test_runs_are_joined_by_id_in_any_order():
    base, cand = few(moved=False), few(moved=True)
    backwards = RunView("b", cand.summary, lambda: reversed(list(cand.entries())))
    one, other = compare(base, cand), compare(base, backwards)
    assert one.flows == other.flows
    assert (
        [c.id for c in one.other_outcome.kept()]
        == [c.id for c in other.other_outcome.kept()]
        == ["lease-1", "lease-2", "case-9"]
    )
    assert [c.id for c in one.other_answer.kept()] == ["lease-4"]
    assert one.alike == 12 - 3 - 1
    assert one.directions == {"worse": 2, "cause": 1}
    assert one.moved == 2
    assert one.lost == {"invented_source": 1}
    assert one.gained == {"contradicts_gold": 1, "over_refusal": 1, "miscited": 1}


@settings(max_examples=15)
@given(runs(), runs())
def test_every_question_is_in_one_flow_and_one_kind(first, second):
    n = min(len(first), len(second))
    sides = [view([(record(c.id, a), c) for c in cards]) for cards, a in ((first, "x"), (second, "y"))]
    found = compare(*sides)
    assert found.n == n == found.flows.total() == sum(flows.total() for flows in found.categories.values())
    assert found.other_outcome.count + found.other_answer.count + found.alike == n
    assert found.directions.total() == found.other_outcome.count
    assert found.only_baseline.count == len(first) - n
    assert found.only_candidate.count == len(second) - n


outcomes = st.sampled_from(
    [
        ("correct", None),
        ("wrong", "contradicts_gold"),
        ("unsupported", "uncited"),
        ("unsupported", "no_evidence"),
        ("unknown", "undecided"),
        ("refused", "over_refusal"),
        ("refused", "warranted"),
        ("refused", "unjudged"),
    ]
)


@given(st.lists(st.tuples(outcomes, outcomes, st.sampled_from([True, None])), max_size=8))
def test_what_moved_is_what_the_gate_says_moved(questions):
    """Whatever moved from where to where: the page, the comment and the terminal count the same."""
    cards = [
        [card(f"q{n}", one[side][0], cause=one[side][1], answerable=one[2]) for n, one in enumerate(questions)]
        for side in (0, 1)
    ]
    sides = [view([(record(one.id), one) for one in side]) for side in cards]
    found, decision = compare(*sides), decided(*sides)
    kept = [change.id for change in found.other_outcome.kept() if change.direction != "cause"]
    assert len(kept) == found.moved
    assert sorted(kept) == sorted(move.id for move in decision.moved)


def test_what_moved_stands_in_the_order_of_the_gate():
    """Of the questions whose bucket changed; changes of cause alone stand between worse and better."""
    base, cand = few(moved=False), few(moved=True)
    mine = [c.id for c in compare(base, cand).other_outcome.kept()]
    gates = [move.id for move in decided(base, cand).moved]
    assert [key for key in mine if key in gates] == gates
    assert compare(base, cand).moved == len(gates)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 99)), unique=True), st.integers(0, 4), st.integers(0, 6))
def test_the_foremost_are_kept_whatever_the_order(places, whole, named):
    kept = Foremost(whole, named)
    for first, key in places:
        kept.add((first, 0, 0, f"{key:02}"), key)
    ordered = sorted((first, f"{key:02}") for first, key in places)
    assert kept.count == len(places)
    assert kept.kept() == [int(key) for _, key in ordered[:whole]]
    assert kept.names() == [key for _, key in ordered[:named]]


def test_entries_are_read_no_further_than_needed():
    read = []

    def entries():
        for n in range(9):
            read.append(n)
            yield Entry(record(f"q{n}"), card(f"q{n}"))

    found = entries_of(RunView("r", summarise([], SIGNATURE), entries), ["q1", "q3"])
    assert set(found) == {"q1", "q3"}
    assert read == [0, 1, 2, 3]


# Retrieval


def log(*keys, text="x"):
    return tuple(Source(source_id=key, text=text) for key in keys)


RETRIEVALS = [
    (log("a", "b"), log("a", "b"), "Same 2 sources in the same order.", []),
    (log("a"), log("a"), "Same source.", []),
    ((), (), "The retrieval returned nothing on either side.", []),
    (None, log("a"), "The retrieval was not logged on the baseline.", []),
    (log("a"), None, "The retrieval was not logged on the candidate.", []),
    (None, None, "The retrieval was not logged on either side.", []),
    (log("a", "b"), log("b", "c"), "2 → 2 sources: 1 lost, 1 added.", [("lost", "a"), ("added", "c")]),
    (log("a", "b"), log("b", "a"), "2 → 2 sources: 1 re-ranked.", [("re-ranked", "b")]),
    (log("a", "b", "c", "d"), log("b", "c", "d", "a"), "4 → 4 sources: 1 re-ranked.", [("re-ranked", "a")]),
    (log("a", "b", "c"), log("c", "a", "b"), "3 → 3 sources: 1 re-ranked.", [("re-ranked", "c")]),
    (log("a", "b", "c"), log("x", "a", "c"), "3 → 3 sources: 1 lost, 1 added.", [("lost", "b"), ("added", "x")]),
    (log("a"), (), "1 → 0 sources: 1 lost.", [("lost", "a")]),
    (log("a"), log("a", text="y"), "1 → 1 sources: 1 with another text.", [("with another text", "a")]),
    (log("a", "a"), log("a"), "Same source.", []),
]


@every_row(("before", "after", "said", "expected"), RETRIEVALS)
def test_the_log_is_compared_by_id_and_rank(before, after, said, expected):
    found = retrieval_change(before, after)
    assert found.said == said
    assert [(change.kind, change.source.source_id) for change in found.sources] == expected


def test_many_changes_of_a_log_are_counted():
    found = retrieval_change((), log(*map(str, range(40))))
    assert (len(found.sources), found.more) == (12, 28)


# Words of the verdict


VERDICTS = [
    ("ccc", "ccc", False, "SHIP", "Every rule holds, and no question moved."),
    ("ccc", "ccc", True, "SHIP", "The two runs are identical, question by question. Identical runs ship."),
    ("ccw", "ccc", False, "SHIP", "Every rule holds."),
    ("ccc", "ccw", False, "DO NOT SHIP", "3 of 6 rules do not hold."),
    ("???", "ccc", False, "INCONCLUSIVE", "Nothing could be compared, so nothing is decided."),
    ("", "", True, "INCONCLUSIVE", "Nothing could be compared, so nothing is decided."),
    (
        "?ccc",
        "?ccc",
        True,
        "DO NOT SHIP",
        "The two runs are identical, question by question. 1 of 6 rules does not hold.",
    ),
]


@pytest.mark.parametrize(("before", "after", "identical", "word", "said"), VERDICTS)
def test_the_verdict_in_words(before, after, identical, word, said):
    found = verdict_of(gate(run(before), run(after)), identical=identical)
    assert (found.word, found.said) == (word, said)


def test_the_reasons_in_words():
    assert reasons_of(gate(run("cccc"), run("wccc"))) == [
        "Wrong answers rose by 1, from 0 to 1.",
        "Acceptable answers fell by 1, from 4 to 3.",
        "Correct answers to answerable questions fell by 1, from 4 to 3; 0 wrong or unsupported went away (allowed: 0, 3 for each).",
    ]
    assert reasons_of(gate([], [])) == ["There are no questions, so nothing was measured."]
    assert reasons_of(gate(run("cc"), run("cc"))) == []
