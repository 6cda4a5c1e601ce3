"""How well the error feed groups failures, how steady it is, what it says of causes, and how it grows.

Each part prints a table: `groups` (agreement with planted issues, over- and undergrouping, soft membership), `steady` (20 orders of
arrival, the same twice and in halves, 14 days of growth), `causes` (planted circumstances found, random groups), `statements` (true and false ones, checked),
`scale` (100,000 failures). RUN is a scored run of answers whose `metadata` names the planted `issue`, `cause` and `topic`
(shared/data/feed/dev.jsonl.gz: `showable score` makes one); those three are taken out before anything is grouped. The space and its
weights were chosen on that very set: figures on it are not held out.

    python benchmarks/feed.py RUN [--part groups|steady|causes|statements|scale] [--seed 0]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import resource
import tempfile
import time
from collections import Counter, defaultdict
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
from sklearn.metrics import adjusted_rand_score

from showable.judges.embedded import EmbeddedJudge
from showable.measure.rates import wilson_interval
from showable.production.feed.answers import answers_of_run
from showable.production.feed.build import build
from showable.production.feed.clusters import NOISE, cores
from showable.production.feed.contrast import Circumstances, contrasts
from showable.production.feed.facts import Facts, facts_of
from showable.production.feed.fixes import Failure
from showable.production.feed.grouping import Before, group
from showable.production.feed.issues import Window
from showable.production.feed.items import Item
from showable.production.feed.membership import MEMBER, groups_of, probabilities
from showable.production.feed.space import TEXT, points
from showable.production.feed.statements import check_statements
from showable.production.feed.store import FeedStore
from showable.production.feed.word_layer import shipped_words
from showable.records.signature import Thresholds

PLANTED = ("issue", "cause", "topic")
NOT_SCORED = ("none", "one_off")
WORDS = shipped_words()
DAYS = 14


def read(run: Path) -> tuple[list[Facts], dict[str, dict[str, str]]]:
    """Return the facts of a run without what was planted, and what was planted by answer."""
    facts, planted = [], {}
    for one in answers_of_run(run):
        planted[one.card.id] = {name: str(one.record.metadata.get(name)) for name in PLANTED}
        fields = {name: values for name, values in one.fields.items() if name not in PLANTED}
        facts.append(facts_of(replace(one, fields=fields), Thresholds()))
    return facts, planted


def grouped(facts: list[Facts]) -> tuple[list[str], list[str | None], list[dict[str, float]]]:
    """Return the failing answers, the group of each, and its probabilities by group."""
    made = group([one.item for one in facts if one.item], WORDS, Before(), ())
    p = [
        {**also, **({place.issue: place.p} if place.issue else {})}
        for place, also in zip(made.places, made.also, strict=True)
    ]
    return [place.answer for place in made.places], [place.issue for place in made.places], p


def agreement(issues: np.ndarray, labels: list[str | None]) -> dict[str, float]:
    """Return issue ARI with noise as singletons and where grouped, coverage, over- and undergrouping."""
    held = np.array([label or f"alone {at}" for at, label in enumerate(labels)])
    given = np.array([label is not None for label in labels])
    over = sum(n - max(Counter(issues[held == g]).values()) for g, n in Counter(held[given]).items())
    sizes = defaultdict(int)
    for issue, label in zip(issues[given], held[given], strict=True):
        sizes[issue, label] += 1
    clusters = Counter(issue for (issue, _), n in sizes.items() if n >= 5)
    return {
        "all": adjusted_rand_score(issues, held),
        "clustered": adjusted_rand_score(issues[given], held[given]) if given.any() else 0.0,
        "coverage": float(given.mean()),
        "over": over / max(1, given.sum()),
        "under": float(np.mean(list(clusters.values()))) if clusters else 0.0,
    }


def part_groups(facts: list[Facts], planted: dict[str, dict[str, str]], random: np.random.Generator) -> None:
    """Print the agreement of groups with planted issues, beside baselines, with intervals of 80 % subsamples."""
    answers, labels, p = grouped(facts)
    items = {one.answer: one.item for one in facts if one.item}
    scored = [at for at, answer in enumerate(answers) if planted[answer]["issue"] not in NOT_SCORED]
    issues = np.array([planted[answers[at]]["issue"] for at in scored])
    causes = [items[answers[at]].features["cause"][0] for at in scored]
    told = {
        "feed": [labels[at] for at in scored],
        "the tool's cause alone": causes,
        "text alone, the same steps": _text_alone([items[answer] for answer in answers], scored),
    }
    print(
        f"{len(answers)} failing answers, {len(scored)} of {len(set(issues))} planted issues; the rest are one-offs or good"
    )
    print(f"{'':28} ARI all [95 %]         clustered  coverage  overgrouping  clusters an issue")
    for name, given in told.items():
        got = agreement(issues, given)
        draws = []
        for _ in range(300):
            some = random.choice(len(scored), int(0.8 * len(scored)), replace=False)
            draws.append(agreement(issues[some], [given[at] for at in some])["all"])
        low, high = np.quantile(draws, [0.025, 0.975])
        print(
            f"{name:28} {got['all']:.3f} [{low:.3f}, {high:.3f}]   {got['clustered']:.3f}      {got['coverage']:.2f}"
            f"      {got['over']:6.1%}        {got['under']:.2f}"
        )
    _print_soft(answers, labels, p, planted)


def _text_alone(items: list[Item], scored: list[int]) -> list[str | None]:
    placed = points([{} for _ in items], WORDS.vectors([item.text for item in items])) / np.sqrt(np.float32(TEXT))
    found = cores(placed)
    p = probabilities(placed, groups_of(placed, found), found)
    best = np.where(p.max(axis=1, initial=0.0) >= MEMBER, p.argmax(axis=1), NOISE)
    return [None if best[at] == NOISE else str(best[at]) for at in scored]


def _print_soft(
    answers: list[str], labels: list[str | None], p: list[dict[str, float]], planted: dict[str, dict[str, str]]
) -> None:
    main = {}
    for label in {one for one in labels if one}:
        inside = [planted[a]["issue"] for a, one in zip(answers, labels, strict=True) if one == label]
        main[label] = Counter(
            i for i in inside if i not in NOT_SCORED or inside.count(i) > len(inside) / 2
        ).most_common(1)[0][0]
    print("\np of an answer and a group, and the share of them in which the answer is of the group's main issue:")
    pairs = [
        (one, planted[a]["issue"] == main[label])
        for a, held in zip(answers, p, strict=True)
        for label, one in held.items()
    ]
    for low, high in pairwise((0.05, 0.2, 0.5, 0.8, 0.95, 1.0001)):
        right = [is_main for one, is_main in pairs if low <= one < high]
        if right:
            ends = wilson_interval(float(np.mean(right)), len(right))
            print(
                f"  {low:.2f}–{min(high, 1):.2f}: {np.mean(right):.2f} [{ends[0]:.2f}, {ends[1]:.2f}], n {len(right)}"
            )


def built(batches: list[list[Facts]]) -> dict[str, str]:
    """Return the issue of each failing answer after batches, one after the other in one feed; its own id where it has none."""
    with tempfile.TemporaryDirectory() as folder, FeedStore.open(Path(folder) / "feed.sqlite") as store:
        for at, facts in enumerate(batches, 1):
            build(store, Window(facts), WORDS, at)
        return {member.answer: member.issue or member.answer for member in store.members(store.latest().id)}


def part_steady(facts: list[Facts], planted: dict[str, dict[str, str]], random: np.random.Generator) -> None:
    """Print whether orders of arrival give other groups, and what moves while answers come in over 14 days."""
    first, seen = grouped(facts), set()
    for _ in range(20):
        seen.add(json.dumps(grouped([facts[at] for at in random.permutation(len(facts))])))
    same = seen == {json.dumps(first)}
    print(f"20 orders of arrival: {'byte-identical' if same else f'{len(seen)} different results'}")
    whole, cut = built([facts]), built([facts[: len(facts) // 2], facts])
    print(
        f"the same batch twice: {'byte-identical' if built([facts, facts]) == whole else 'another result'}; after a batch of half of it:"
    )
    print(
        f"  agreement with the batch at once {adjusted_rand_score(*zip(*((whole[a], cut[a]) for a in whole), strict=True)):.3f}"
    )
    starts = {issue: int(random.integers(0, 9)) for issue in sorted({one["issue"] for one in planted.values()})}
    day = {
        one.answer: int(
            random.integers(
                0 if planted[one.answer]["issue"] in NOT_SCORED else starts[planted[one.answer]["issue"]], DAYS
            )
        )
        for one in facts
    }
    moved = stayed = changed = kept = 0
    names: set[str] = set()
    with tempfile.TemporaryDirectory() as folder, FeedStore.open(Path(folder) / "feed.sqlite") as store:
        before: dict[str, str | None] = {}
        main: dict[str, str] = {}
        for at in range(DAYS):
            build(store, Window([one for one in facts if one.item and day[one.answer] <= at]), WORDS, at + 1)
            now = {m.answer: m.issue for m in store.members(store.latest().id)}
            names |= {name for name in now.values() if name}
            both = [a for a in now if before.get(a) and now[a]]
            moved += sum(before[a] != now[a] for a in both)
            stayed += len(both)
            largest = {}
            for issue in starts:
                inside = Counter(name for a, name in now.items() if name and planted[a]["issue"] == issue)
                if issue not in NOT_SCORED and inside and inside.most_common(1)[0][1] >= 5:
                    largest[issue] = inside.most_common(1)[0][0]
            changed += sum(main[i] != largest[i] for i in main.keys() & largest.keys())
            kept += len(main.keys() & largest.keys())
            before, main = now, largest
    print(
        f"14 days of growth: {moved / max(1, stayed):.1%} of members moved a day (n {stayed}); an issue's main name changed in"
    )
    print(
        f"  {changed} of {kept} days ({changed / max(1, kept):.1%}); {len(names)} names in all for {len(starts) - 2} issues"
    )


def part_causes(facts: list[Facts], planted: dict[str, dict[str, str]], random: np.random.Generator) -> None:
    """Print how many circumstances that occur with the true issues are found in the groups, and what random groups are given."""
    well = [one.circumstances for one in facts if one.standing == "passing"]
    by_answer = {one.answer: one.circumstances for one in facts}
    true: dict[str, list[str]] = defaultdict(list)
    for one in facts:
        if one.item and planted[one.answer]["issue"] not in NOT_SCORED:
            true[planted[one.answer]["issue"]].append(one.answer)
    issues = sorted(true)
    known = contrasts([[by_answer[a] for a in true[issue]] for issue in issues], well)
    reference = {
        (issue, row.field, row.value)
        for issue, rows in zip(issues, known, strict=True)
        for row in rows
        if _system(row.field)
    }
    answers, labels, _ = grouped(facts)
    groups: dict[str, list[str]] = defaultdict(list)
    for answer, label in zip(answers, labels, strict=True):
        if label:
            groups[label].append(answer)
    names = sorted(groups)
    found = contrasts([[by_answer[a] for a in groups[name]] for name in names], well)
    hits, false, told = set(), 0, 0
    for name, rows in zip(names, found, strict=True):
        main = Counter(planted[a]["issue"] for a in groups[name]).most_common(1)[0][0]
        for row in rows:
            if main in NOT_SCORED or not _system(row.field):
                continue
            told += 1
            if (main, row.field, row.value) in reference:
                hits.add((main, row.field, row.value))
            else:
                false += 1
    mains = {Counter(planted[a]["issue"] for a in groups[name]).most_common(1)[0][0] for name in names}
    reachable = {one for one in reference if one[0] in mains}
    null = [[well[at] for at in random.choice(len(well), 30, replace=False)] for _ in range(200)]
    claimed = sum(map(bool, contrasts(null, well)))
    print(
        f"circumstances with the true issues: {len(reference)}; found in the groups: {len(hits)} of {len(reachable)} reachable"
    )
    print(f"told of in groups of an issue: {told}, of which {false} not with the true issue")
    print(f"200 random groups of 30 passing answers: {claimed} were given a circumstance ({claimed / 200:.1%})")


def _system(field: str) -> bool:
    """Say whether a field is of the system; what documents an issue is in is no cause."""
    return field in {"model", "prompt", "index", "reranker"}


def part_statements(facts: list[Facts]) -> None:
    """Print how many true and false statements about the groups are kept, by kind."""
    with tempfile.TemporaryDirectory() as folder, FeedStore.open(Path(folder) / "feed.sqlite") as store:
        build(store, Window(facts), WORDS, 1)
        batch = store.latest().id
        issues = [issue for issue in store.issues() if issue.contrast and len(issue.causes) == 1][:10]
        rows = []
        for issue in issues:
            cards = store.evidence(batch, issue.issue)
            contrast = next(card for card in cards if card.kind == "contrast")
            cause, values = next(iter(issue.causes)), contrast.values
            share = f"{values['share_in']:.0%}"
            said = f"{values['field']} {values['value']} occurs with {{share}} of these answers."
            other = f"{round(values['share_in'] * 100) % 97 + 2}%"
            rows += [
                (cards, "true share", said.format(share=share), contrast.id, True),
                (cards, "true count", f"{issue.n} answers fail alike.", "E1", True),
                (cards, "true cause", f"The cause of {issue.n} answers is {cause}.", "E1", True),
                (cards, "changed number", said.format(share=other), contrast.id, False),
                (cards, "changed number", f"{issue.n + 7} answers fail alike.", "E1", False),
                (cards, "changed id", f"The cause of {issue.n} answers is {cause}_too.", "E1", False),
                (
                    cards,
                    "changed id",
                    said.format(share=share).replace(values["value"], f"{values['value']}x"),
                    contrast.id,
                    False,
                ),
                (cards, "wrong card", said.format(share=share), "E2", False),
                (cards, "unknown card", said.format(share=share), "E99", False),
                (cards, "speculation", "The users asked harder questions than before.", contrast.id, False),
            ]
    judge, kept, n = EmbeddedJudge(), Counter(), Counter()
    for cards, kind, text, card, _ in rows:
        checked = asyncio.run(check_statements([{"text": text, "cites": [card]}], cards, judge))
        kept[kind] += len(checked.kept)
        n[kind] += 1
    print(f"statements about {len(issues)} groups, checked with {judge.name}:")
    for kind in dict.fromkeys(row[1] for row in rows):
        print(f"  {kind:15} kept {kept[kind]} of {n[kind]}")


def part_scale(random: np.random.Generator, n: int = 100_000) -> None:
    """Print what a batch of many distinct failures takes."""
    kinds = [
        {
            "cause": (f"cause-{k % 12}",),
            "codes": (f"code-{k % 30}",),
            "difference": (("number", "name", "word")[k % 3],),
        }
        for k in range(60)
    ]
    centres = random.normal(size=(40, 64)).astype(np.float32)
    items, facts = [], []
    for at in range(n):
        kind = int(random.integers(60))
        vector = centres[int(random.integers(40))] + 0.4 * random.normal(size=64).astype(np.float32)
        vector /= np.linalg.norm(vector)
        features = {name: tuple(values) for name, values in sorted(kinds[kind].items())}
        items.append(Item(f"a{at:06}", features, "", f"a{at:06}", vector=vector.astype(np.float32).tobytes()))
        failure = Failure(features, "generator", f"q{at}", f"w{at}", near=False)
        scores = {
            "factual_grounding": 2,
            "privacy_and_safety": "",
            "instruction_adherence": "",
            "optimal_plan_execution": "",
        }
        about = Circumstances({"document": (f"d{at % 50}",)}, "", 1.0)
        facts.append(Facts(f"a{at:06}", "failing", f"q{at}", None, 1.0, "", "", {}, about, items[-1], failure, scores))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    with tempfile.TemporaryDirectory() as folder, FeedStore.open(Path(folder) / "feed.sqlite") as store:
        wall, cpu = time.perf_counter(), time.process_time()
        batch = build(store, Window(facts), WORDS, 1)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        issues = len(store.issues())
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{n:,} failures, {batch.sampled:,} of them searched for cores: {cpu:.1f} CPU s ({wall:.1f} s), {issues} issues,"
    )
    print(f"  {after:.0f} MB at most, {before:.0f} MB of it before the batch")


def main() -> None:
    """Run one part, or all."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("run", type=Path)
    parser.add_argument("--part", choices=["groups", "steady", "causes", "statements", "scale"])
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    parts = {"groups": part_groups, "steady": part_steady, "causes": part_causes}
    wanted = [given.part] if given.part else [*parts, "statements", "scale"]
    facts, planted = ([], {}) if wanted == ["scale"] else read(given.run)
    for name in wanted:
        print(f"== {name}")
        random = np.random.default_rng(given.seed)
        if name == "scale":
            part_scale(random)
        elif name == "statements":
            part_statements(facts)
        else:
            parts[name](facts, planted, random)


if __name__ == "__main__":
    main()
