"""Measure what retuning the embedded judge on a user's labels buys, on rows that it was not fitted on.

Three sets of ../shared/data/entail/dev, at most --rows of each. Half of the labels of a set is fitted on and half stays unseen,
parted by question and passage as `showable retune` parts them; printed is what each change buys on the unseen half, with its
paired 95 % interval over questions, and whether `showable retune` itself would have taken it at a first look. Fitted is
nothing that ships: what is fitted here is thrown away.

What the model says is kept in build/retune-odds.json, so that a second run takes seconds.

Run: nice -n 19 python benchmarks/retune.py [--rows 400] [--seeds 0 1 2]
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from labelled import rows_of

from showable.calibrating.candidates import Labelled, Recipe, Said, Settings, fit, take
from showable.calibrating.retune import retune
from showable.calibrating.retune_beginning import Wanted
from showable.calibrating.retune_judging import Asking, best_of_groups
from showable.calibrating.retune_rows import LabelledClaims, claims_of_file
from showable.calibrating.retune_split import flags, part, renumbered
from showable.judges.embedded.judge import EmbeddedJudge
from showable.judges.embedded.odds import Odds
from showable.measure.acceptance import Sides, VersionTest, hold_beside
from showable.records.profile import GENERAL
from showable.stores.judge_versions import JudgeVersions
from showable.validation.rows import NEITHER, LabelledPair

SETS = ("attrbench_stanford_gensearch.dev", "defacto.val", "faithdial_audit.all")
CACHE = Path("build/retune-odds.json")
CHANGES = (("thresholds",), ("thresholds", "probability"), ("head",), ("head", "thresholds"))
FIELDS = ("claim", "passage", "label", "group", "question", "id")


class KeptOdds:
    """Asks the model for what is not in the cache."""

    def __init__(self, judge: EmbeddedJudge) -> None:
        self._ask, self._name = judge._loaded, judge.name  # noqa: SLF001 - the session is what is worth keeping
        self.kept: dict[str, list[float | None]] = json.loads(CACHE.read_text()) if CACHE.exists() else {}

    def odds(self, asked: Sequence[tuple[str, str]]) -> list[Any]:
        """Give the odds of each claim and text."""
        keys = [hashlib.sha256("\0".join((self._name, *one)).encode()).hexdigest()[:20] for one in asked]
        missing = [i for i, key in enumerate(keys) if key not in self.kept]
        for i, found in zip(missing, self._ask().odds([asked[i] for i in missing]) if missing else (), strict=True):
            self.kept[keys[i]] = [found.support, found.contradiction]
        return [Odds(*self.kept[key]) for key in keys]

    def save(self) -> None:
        """Write the cache."""
        CACHE.parent.mkdir(exist_ok=True)
        CACHE.write_text(json.dumps(self.kept))


def keeping_judge() -> tuple[EmbeddedJudge, KeptOdds]:
    """Give the shipped judge, with what its model says kept on disk."""
    judge = EmbeddedJudge(threads=2)
    kept = KeptOdds(judge)
    judge.__dict__["_loaded"] = lambda: kept
    return judge, kept


def read_set(name: str, most: int) -> LabelledClaims:
    """Read a set; of a larger one, rows drawn by a hash of their question, group or text."""
    rows = [row for row in rows_of(f"entail/dev/{name}") if row["label"] != NEITHER]
    rows.sort(
        key=lambda row: hashlib.sha256(str(row.get("question") or row.get("group") or row["claim"]).encode()).digest()
    )
    kept = [LabelledPair.model_validate({field: row[field] for field in FIELDS if field in row}) for row in rows[:most]]
    return claims_of_file(name, list(enumerate(kept, 1)))


async def gains(claims: LabelledClaims, judge: EmbeddedJudge, seed: int) -> dict[tuple[str, ...], VersionTest]:
    """Fit each change on one half and test it on the other."""
    asking = Asking(judge)
    pairs = [row.pair for row in claims.rows]
    verdicts = await asking.plainly(pairs)
    chosen = best_of_groups(claims.rows, verdicts)
    rows = [claims.rows[i] for i in chosen.tolist()]
    split = part(claims.rows, {}, seed=seed)
    plain, shipped = take(Said.of(verdicts), chosen), Settings(GENERAL.thresholds)
    kinds = tuple(row.pair.kind for row in rows)
    clusters = renumbered(split.clusters[chosen])
    data = Labelled(flags(rows), kinds, clusters, plain, shipped, tuple(shipped.decide(plain, kinds)))
    fitting, unseen = (np.flatnonzero(np.isin(chosen, one)) for one in (split.fitting, split.unseen))
    head = asking.head_source(pairs, chosen, data.labels, clusters, seed)
    found = {}
    for change in CHANGES:
        source = head if "head" in change else (lambda _: (plain, None))
        settings, after = fit(Recipe(change, source), data, fitting)
        of = data.kinds_at(unseen)
        said = (shipped.decide(take(plain, unseen), of), settings.decide(take(after, unseen), of))
        found[change] = hold_beside(Sides(data.labels[unseen], clusters[unseen], said), look=1, seed=seed)
    return found


def print_line(name: str, test: VersionTest) -> None:
    """Print one change on one set."""
    between = f"{100 * test.difference:+5.1f} [{100 * test.low:+5.1f}, {100 * test.high:+5.1f}]"
    taken = "accepted" if test.better else "aside"
    print(
        f"{name:34s}{test.positives:5d}{test.negatives:5d}{100 * test.before:7.1f}{100 * test.after:7.1f}  {between:22s}"
        f"{100 * test.tnr_before:6.1f} → {100 * test.tnr_after:4.1f}   {taken}"
    )


def main() -> None:
    """Print the table, and what the command itself does with each set."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=400)
    parser.add_argument("--seeds", type=int, nargs="+", default=[0])
    options = parser.parse_args()
    judge, kept = keeping_judge()
    header = (
        f"{'unseen rows of':34s}{'yes':>5s}{'no':>5s}{'before':>7s}{'after':>7s}  {'difference (95 %)':22s}{'TNR':>10s}"
    )
    sets = {name: read_set(name, options.rows) for name in SETS}
    for seed in options.seeds:
        print(f"seed {seed}\n{header}")
        for name, claims in sets.items():
            for change, test in asyncio.run(gains(claims, judge, seed)).items():
                print_line(f"{name.split('.')[0][:16]} {'+'.join(change)}", test)
            kept.save()
            with tempfile.TemporaryDirectory() as folder:
                wanted = Wanted(frozenset(("thresholds", "probability", "head")), GENERAL, seed)
                report = asyncio.run(retune(claims, Asking(judge), wanted, JudgeVersions(Path(folder))))
            said = (
                report.refused.reason
                if report.refused
                else f"{'+'.join(report.version.what)} {report.version.outcome}: {report.version.why}"
            )
            print(f"  showable retune: {said}")


if __name__ == "__main__":
    main()
