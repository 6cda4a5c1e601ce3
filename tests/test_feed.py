"""The error feed's groups: the same whatever the order, kept through new data, and never against what people said."""

import json
import sqlite3

import numpy as np
import pytest
from failures_made import NOW, failing, passing, window_of
from feed_kills import killed_builders
from forked import needs_fork
from tables import every_row

from showable.errors import SettingError
from showable.production.feed import actions
from showable.production.feed.build import build
from showable.production.feed.clusters import MERGE, NOISE, cores
from showable.production.feed.issues import Window
from showable.production.feed.listing import list_document
from showable.production.feed.names import Old, name_groups
from showable.production.feed.store import FeedStore
from showable.production.feed.word_layer import WordLayer, shipped_words

ME = actions.Actor("tester", NOW)
FOUR = ("case", "page", "uncited", "numbers")


@pytest.fixture
def feed(tmp_path):
    with FeedStore.open(tmp_path / "feed.sqlite") as store:
        yield store


def built(store, facts, **times):
    build(store, Window(facts, **times), shipped_words(), NOW)
    batch = store.latest()
    return list_document(batch, store.issues(), store.members(batch.id), with_members=True)


def issue_of(document, answer):
    return next((one["issue"] for one in document["issues"] if answer in one["members"]), None)


def issue_like(document, kind):
    """The issue that most answers of a kind are in."""
    return max(document["issues"], key=lambda one: sum(a.startswith(kind) for a in one["members"]))["issue"]


def test_kinds_of_failure_become_issues_and_everything_is_counted(feed):
    facts = [*window_of(*FOUR), passing(0, standing="unknown", answer="maybe-1")]
    found = built(feed, facts)
    groups = sorted({a.partition("-")[0] for a in one["members"]} for one in found["issues"])
    assert groups == [{"case"}, {"numbers"}, {"page"}, {"uncited"}]
    assert (found["n"], found["passing"], found["unknown"]) == (60, 40, 1)
    in_issues = [a for one in found["issues"] for a in one["members"]]
    assert sorted(in_issues + found["not_grouped"]) == sorted(f.answer for f in facts if f.standing == "failing")


def test_every_order_of_arrival_gives_the_same_bytes(tmp_path):
    facts = window_of(*FOUR, each=14)
    facts += [failing("case", n, text=f"lonely {n}" * (n + 1)) for n in range(40, 44)]
    seen = set()
    for seed in range(20):
        facts = [facts[at] for at in np.random.default_rng(seed).permutation(len(facts))]
        with FeedStore.open(tmp_path / f"{seed}.sqlite") as store:
            seen.add(json.dumps(built(store, facts), sort_keys=True))
    assert len(seen) == 1


def test_the_same_batch_twice_is_one(feed):
    facts = window_of("case", "page")
    first, again = built(feed, facts), built(feed, facts)
    assert first == again
    assert len(feed.batches(9)) == 1
    assert {issue.batches for issue in feed.issues()} == {1}


@every_row(
    "name, facts, issues, left_out",
    [
        # spec of the feed: fewer than eight alike make no issue; a lone dense group is one, though HDBSCAN calls it noise
        ("nothing fails", [passing(n) for n in range(9)], 0, 0),
        ("seven alike", [failing("case", n) for n in range(7)], 0, 7),
        ("45 the same in findings and words", [failing("page", n, text="one and the same") for n in range(45)], 1, 0),
        ("45 times the very same", [failing("page", n, text="one", same="one") for n in range(45)], 1, 0),
        ("seven times the very same", [failing("page", n, text="one", same="one") for n in range(7)], 0, 7),
        ("45 alike over ten subjects", [failing("page", n) for n in range(45)], 1, 4),
        ("no words at all", [failing("page", n, text="") for n in range(12)], 1, 0),
        ("words of no vocabulary", [failing("page", n, text="\ud800\x00") for n in range(12)], 1, 0),
        ("claims of 100 kB", [failing("page", n, text="long words " * 10_000) for n in range(9)], 1, 0),
    ],
)
def test_few_lone_and_empty_failures(name, facts, issues, left_out, tmp_path_factory):
    with FeedStore.open(tmp_path_factory.mktemp("feed") / "feed.sqlite") as store:
        found = built(store, facts)
    assert len(found["issues"]) == issues, name
    assert len(found["not_grouped"]) <= left_out, name


def test_duplicates_count_as_often_as_they_came(feed):
    facts = window_of("case", "page", each=12) + [failing("case", n, same="case-000") for n in range(100, 130)]
    found = built(feed, facts)
    assert next(one for one in found["issues"] if "case-100" in one["members"])["n"] == 42


def test_names_survive_new_data_and_a_second_batch_bears_an_issue_out(feed):
    first = built(feed, window_of("case", "page", each=12))
    later = built(feed, window_of("case", "page", "uncited", each=20))
    for kind in ("case", "page"):
        assert issue_like(first, kind) == issue_like(later, kind)
    states = {one["issue"]: one["state"] for one in later["issues"]}
    assert states[issue_like(later, "uncited")] == "provisional"
    assert states[issue_like(later, "case")] == "ongoing"  # no times are known, so it is not called new


def test_what_stood_apart_stays_apart_unless_it_lies_near_and_building_again_moves_nothing():
    """Two clouds that HDBSCAN finds to be one leaf, or two leaves: `before` decides between MERGE - and MERGE + STEADY."""
    chance = np.random.default_rng(3)

    def clouds(away):
        made = chance.normal(scale=0.04, size=(60, 66))
        made[30:, 0] += away
        return made.astype(np.float32)

    for away, before, groups in (
        (MERGE - 0.3, None, 1),
        (MERGE - 0.01, ["EF-1"] * 30 + ["EF-2"] * 30, 2),
        (MERGE - 0.3, ["EF-1"] * 30 + ["EF-2"] * 30, 1),
        (MERGE + 0.3, ["EF-1"] * 60, 2),
    ):
        placed = clouds(away)
        found = cores(placed, before=before)
        assert len(set(found.tolist()) - {NOISE}) == groups, (away, before)
        names = [None if label == NOISE else f"EF-{label + 1}" for label in found]
        assert cores(placed, before=names).tolist() == found.tolist()


@every_row(
    "groups, old, names, split_from, merged_into",
    [
        # (members of the new groups), {old name: members}; the rule: a name stays with half of the old or of the seen
        (["abcd", "xyz"], {"EF-1": "abc", "EF-2": "xy"}, ("EF-1", "EF-2"), {}, {}),
        (["ab", "cd"], {"EF-1": "abcd"}, ("EF-1", "EF-2"), {"EF-2": "EF-1"}, {}),
        (["abcdx"], {"EF-1": "abc", "EF-2": "x"}, ("EF-1",), {}, {"EF-2": "EF-1"}),
        (["pqr"], {"EF-1": "abc"}, ("EF-2",), {}, {}),
    ],
)
def test_how_groups_get_their_names(groups, old, names, split_from, merged_into):
    held = [Old(name, frozenset(members)) for name, members in old.items()]
    present = {a for group in groups for a in group} | {a for members in old.values() for a in members}
    found = name_groups([frozenset(g) for g in groups], held, present, len(old) + 1)
    assert found.names == names
    assert dict(found.split_from) == split_from
    assert dict(found.merged_into) == merged_into


def test_a_group_that_vanished_gets_its_name_back(feed):
    name = issue_like(built(feed, window_of("case", "page")), "case")
    built(feed, window_of("page", "uncited"))
    assert issue_like(built(feed, window_of("case", "page", "uncited")), "case") == name


def test_what_people_merged_stays_merged_until_it_is_undone(feed):
    first = built(feed, window_of("case", "page"))
    one, other = issue_like(first, "case"), issue_like(first, "page")
    seq = actions.merge(feed, ME, one, other)
    assert {m.issue for m in feed.members(feed.latest().id)} == {other}
    later = built(feed, window_of("case", "page", each=20))
    assert {i["issue"] for i in later["issues"]} == {other}
    assert feed.issue(one).lineage.merged_into == other
    assert feed.issue(other).lineage.absorbed == (one,)
    actions.undo(feed, ME, seq)
    again = built(feed, window_of("case", "page", each=20))
    assert (issue_like(again, "case"), issue_like(again, "page")) == (one, other)


def test_what_people_split_stays_apart_and_newcomers_go_to_the_nearer_side(feed):
    first = built(feed, window_of("page", "case", each=20))
    name = issue_like(first, "page")
    roof = [f"page-{n:03}" for n in (0, 10)]  # the two about the roof
    new = actions.split(feed, ME, name, roof)
    later = built(feed, [*window_of("page", "case", each=20), failing("page", 30), failing("page", 31)])
    assert {issue_of(later, a) for a in (*roof, "page-030")} == {new}
    assert issue_of(later, "page-031") == name
    assert feed.issue(new).lineage.split_from == name
    assert {issue_of(built(feed, window_of("page", "case", each=20)), a) for a in roof} == {new}


def test_what_somebody_does_while_groups_are_looked_for_is_heeded(feed, monkeypatch):
    from showable.production.feed import build as building

    first = built(feed, window_of("case", "page"))
    one, other = (issue["issue"] for issue in first["issues"])
    group, acted = building.group, []

    def and_somebody_merges(*given):
        if not acted:
            acted.append(actions.merge(feed, ME, one, other))
        return group(*given)

    monkeypatch.setattr(building, "group", and_somebody_merges)
    assert {issue["issue"] for issue in built(feed, window_of("case", "page", each=20))["issues"]} == {other}

    def and_somebody_assigns(*given):
        actions.assign(feed, ME, other, "somebody")
        return group(*given)

    monkeypatch.setattr(building, "group", and_somebody_assigns)
    with pytest.raises(SettingError, match="others change it all the time"):
        built(feed, window_of("case", "page"))


def test_actions_that_make_no_sense_are_refused(feed):
    found = built(feed, window_of("case", "page"))
    one, other = (issue["issue"] for issue in found["issues"])
    everything = next(issue["members"] for issue in found["issues"] if issue["issue"] == one)
    refused = [
        (lambda: actions.merge(feed, ME, one, one), "into itself"),
        (lambda: actions.merge(feed, ME, one, "EF-99"), "EF-99: no issue"),
        (lambda: actions.split(feed, ME, one, ["nobody"]), "nobody: no member"),
        (lambda: actions.split(feed, ME, one, everything), "not all of them"),
        (lambda: actions.archive(feed, ME, one, "tomorrow"), "--until tomorrow"),
        (lambda: actions.undo(feed, ME, 77), "77: no action"),
    ]
    for act, said in refused:
        with pytest.raises(SettingError, match=said):
            act()
    actions.merge(feed, ME, one, other)
    with pytest.raises(SettingError, match=f"was merged into {other}"):
        actions.merge(feed, ME, one, other)


def test_an_answer_that_passes_now_leaves_its_issue(feed):
    name = issue_like(built(feed, window_of("case", "page")), "case")
    facts = [one for one in window_of("case", "page") if one.answer != "case-003"] + [passing(0, answer="case-003")]
    found = built(feed, facts)
    assert issue_of(found, "case-003") is None
    assert next(i["n"] for i in found["issues"] if i["issue"] == name) == 14
    left = [event for event in feed.events(name) if event.kind == "left"]
    assert [event.body for event in left] == [{"answers": ["case-003"]}]
    built(feed, facts)
    assert len([event for event in feed.events(name) if event.kind == "left"]) == 1


def test_soft_membership_lies_between_nothing_and_all(feed):
    built(feed, window_of(*FOUR))
    members = feed.members(feed.latest().id)
    p = np.array([member.p for member in members])
    assert ((p >= 0) & (p <= 1)).all()
    assert all(member.p >= 0.5 for member in members if member.core)
    assert all(member.p + sum(member.also.values()) <= 1.0001 for member in members if member.issue)
    names = {issue.issue for issue in feed.issues()}
    assert all(member.also.keys() <= names - {member.cluster} for member in members)


def test_the_word_layer_is_the_model_s_own():
    """Expected values: the initializers of the shipped model, as the `onnx` package reads them."""
    import onnx
    from onnx import numpy_helper

    from showable.judges.embedded.judge import SHIPPED
    from showable.production.feed.word_layer import _table

    held = {one.name: one for one in onnx.load(SHIPPED / "model.onnx").graph.initializer}
    name = next(name for name, one in held.items() if len(one.dims) == 2 and one.dims[0] > 20_000)
    table = numpy_helper.to_array(held[name]).astype(np.float32)
    if name.endswith("_quantized"):
        stem = name.removesuffix("_quantized")
        zero, scale = (numpy_helper.to_array(held[stem + end]) for end in ("_zero_point", "_scale"))
        table = (table - zero.astype(np.float32)) * scale
    assert np.array_equal(_table(SHIPPED / "model.onnx", len(table)), table)


def test_texts_that_say_alike_lie_near():
    near, other, far, none = shipped_words().vectors(
        ["The tenant repairs the roof.", "Roof repairs are the tenant's duty.", "Kelp grows in cold water.", ""]
    )
    assert near @ other > near @ far + 0.3
    assert not none.any()


def test_a_model_without_a_word_layer_is_refused(tmp_path):
    from showable.production.feed.word_layer import _table

    for name, data in (("none.onnx", b""), ("noise.onnx", bytes(range(256)))):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(SettingError, match="no table with a row for each"):
            _table(tmp_path / name, 100)
    assert WordLayer().name == shipped_words().name


def test_only_a_feed_of_this_version_is_opened(tmp_path):
    other, newer = tmp_path / "other.sqlite", tmp_path / "newer.sqlite"
    with sqlite3.connect(other) as made:
        made.execute("CREATE TABLE notes (text)")
    FeedStore.open(newer).close()
    with sqlite3.connect(newer) as made:
        made.execute("PRAGMA user_version=99")
    (tmp_path / "text.sqlite").write_text("no database, but long enough to be taken for one" * 30)
    for path, said in ((other, "not a feed"), (newer, "schema is 99"), (tmp_path / "text.sqlite", "cannot be read")):
        with pytest.raises(SettingError, match=said):
            FeedStore.open(path)
    with pytest.raises(SettingError, match="no feed here yet"):
        FeedStore.open(tmp_path / "absent.sqlite", make=False)


@pytest.mark.slow
@needs_fork
def test_a_builder_killed_at_any_statement_loses_no_word_and_leaves_no_half_batch(tmp_path):
    outcome = killed_builders(tmp_path / "feed.sqlite", kills=20, seed=7)
    assert outcome.acknowledged > 0
    assert (outcome.kills, outcome.lost, outcome.halves) == (20, 0, 0)
