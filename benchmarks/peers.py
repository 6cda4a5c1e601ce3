"""Compare judges of entailment, ours and other tools', on the same labelled rows in the same run.

For each set and on average: balanced accuracy at the one threshold 0.5 with its 95 % bootstrap interval, TPR, TNR, AUC, and
milliseconds a pair. Word coverage, the lexical judge, the judge that is chosen by default, and each peer that the interpreter
of `--peer-python` can import; a peer runs in that interpreter, offline and without keys, and nothing of it enters this one.

A row counts when people label it 1 or 0; chunks of one source count once, with the best. At most `--sample` claims a set,
drawn by seed. The hand-written minimal pairs are read as one total, beside the mean and not in it. Where the tool gives no
score, the row is missing from its line: `n` says how many are left.

Run: python benchmarks/peers.py [DATA] [--peer-python PYTHON] [--sample N]
     DATA defaults to ../shared/data/entail/dev; the peers are installed by: pip install ai-evaluation==1.1.0 ragground==0.2.2
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import sys
from collections.abc import Hashable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from labelled import DATA
from peer_worker import PEERS

from showable.judges.choose import choose
from showable.judges.lexical import LexicalJudge
from showable.measure.validated import Figures
from showable.measure.validation_figures import macro_mean
from showable.records import Cost, Judge, Pair, SettingError, Verdict
from showable.report.validation_words import short_name
from showable.validation.entailment import AT, validate_entailment, word_coverage
from showable.validation.measured import Measured
from showable.validation.rows import NEITHER, LabelledPair, read_rows
from showable.validation.units import NumberedRow

HERE = Path(__file__).resolve().parent
SEED = 20_261_101
PATIENCE = 300.0
"""Seconds to wait for one answer of a peer; the first takes its imports."""


def verdict(p: float, judge: str) -> Verdict:
    """Make a verdict of a score."""
    return Verdict(label="supported" if p >= AT else "unsupported", judge=judge, p=p)


class Coverage:
    """The baseline: the share of the claim's words that the passage has."""

    name, prompt_hash = "word coverage", None

    async def verdicts(self, pairs: Sequence[Pair]) -> list[Verdict]:
        return [verdict(word_coverage(pair.claim, pair.passage), self.name) for pair in pairs]

    def estimate(self, pairs: Sequence[Pair]) -> Cost:  # noqa: ARG002 - free
        return Cost()


class Peer:
    """Another tool in its own process, as a judge: its score is `p`, and `ms` the time it took itself."""

    prompt_hash = None

    def __init__(self, name: str, process: asyncio.subprocess.Process) -> None:
        self.name, self.ms, self.answers, self._process = name, 0.0, 0, process

    @classmethod
    async def start(cls, name: str, python: str) -> Peer | str:
        """Start it, or say why it cannot be compared with."""
        try:
            process = await asyncio.create_subprocess_exec(
                python,
                str(HERE / "peer_worker.py"),
                name,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                env={key: os.environ[key] for key in ("PATH", "HOME") if key in os.environ}
                | {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "OTEL_SDK_DISABLED": "true", "LANG": "C.UTF-8"},
            )
        except OSError as error:
            return f"{python}: {error.strerror}"
        peer = cls(name, process)
        said = await peer.read()
        if "version" not in said:
            await peer.close()
            return str(said.get("missing", said.get("error")))
        peer.name = f"{name} ({said['version']}: {said['how']})"
        return peer

    async def read(self) -> dict[str, object]:
        """Read one line of it."""
        assert self._process.stdout is not None
        try:
            line = await asyncio.wait_for(self._process.stdout.readline(), PATIENCE)
            return dict(json.loads(line))
        except (TimeoutError, ValueError) as error:
            with suppress(ProcessLookupError):
                self._process.kill()  # an answer that comes late would be taken for the next pair's
            return {"error": f"no answer: {type(error).__name__}"}

    async def verdicts(self, pairs: Sequence[Pair]) -> list[Verdict]:
        return [await self._judge(pair) for pair in pairs]

    async def _judge(self, pair: Pair) -> Verdict:
        assert self._process.stdin is not None
        line = json.dumps({"claim": pair.claim, "passage": pair.passage})
        try:
            self._process.stdin.write(line.encode() + b"\n")
            await self._process.stdin.drain()
            said = await self.read()
        except OSError as error:
            said = {"error": f"it ended: {type(error).__name__}"}
        score, ms = said.get("score"), said.get("ms")
        if not isinstance(score, float) or not isinstance(ms, float) or not 0 <= score <= 1:
            return Verdict(label="unknown", judge=self.name, reason=str(said.get("error", f"score {score}")))
        self.ms, self.answers = self.ms + ms, self.answers + 1
        return verdict(score, self.name)

    def estimate(self, pairs: Sequence[Pair]) -> Cost:  # noqa: ARG002 - it runs here
        return Cost()

    async def close(self) -> None:
        """End it."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            await asyncio.wait_for(self._process.wait(), 10)
        except TimeoutError:
            self._process.kill()
            await self._process.wait()


@dataclass(frozen=True, slots=True)
class Rows:
    """The sampled rows of one set."""

    name: str
    rows: list[NumberedRow]

    @classmethod
    def sample(cls, name: str, bundles: Sequence[list[NumberedRow]], count: int) -> Rows:
        """Draw so many bundles (0: all), and keep the order of the file."""
        drawn = list(range(len(bundles)))
        if 0 < count < len(bundles):
            # The name is part of the seed, so that a set's sample does not depend on which other sets there are.
            drawn = sorted(random.Random(f"{SEED}:{name}").sample(drawn, count))  # noqa: S311 - no secret
        return cls(name, [row for i in drawn for row in bundles[i]])


def read_set(path: Path, count: int) -> Rows:
    """Read a set: chunks of one source stay together, and those that people call neither yes nor no are left out."""
    members: dict[Hashable, list[NumberedRow]] = {}
    for number, row in read_rows(path, LabelledPair):
        key = number if row.group is None else (row.group, row.claim)
        members.setdefault(key, []).append((number, row))
    kept = [bundle for bundle in members.values() if max(row.label for _, row in bundle) != NEITHER]
    return Rows.sample(short_name(path.name), kept, count)


def read_minimal_pairs(count: int) -> Rows:
    """Read the minimal pairs as one set; the two claims of a pair are drawn and resampled together."""
    pairs: dict[str, list[NumberedRow]] = {}
    for path in sorted((HERE / "minimal_pairs").glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            pair = json.loads(line)["pair"]
            row = LabelledPair.model_validate_json(line).model_copy(update={"question": pair, "group": None})
            pairs.setdefault(pair, []).append((len(pairs), row))
    return Rows.sample("minimal pairs (total)", list(pairs.values()), count // 2)


async def measure(judge: Judge, rows: Rows) -> Measured:
    """Judge a set at 0.5; a peer's time is its own, without the pipe."""
    ms, answers = (judge.ms, judge.answers) if isinstance(judge, Peer) else (0.0, 0)
    found = await validate_entailment(rows.name, rows.rows, judge, lambda _: None, mode="fixed", at=AT)
    if not isinstance(judge, Peer):
        return found
    answers = judge.answers - answers
    own = (judge.ms - ms) / answers if answers else None
    return Measured(found.figures.model_copy(update={"ms_per_pair": own}), found.estimates, found.rows, found.cost)


def percent(value: float | None) -> str:
    """Print a fraction in percent, or a dash where it was not measurable."""
    return f"{'–':>7s}" if value is None else f"{value * 100:7.1f}"


def line(name: str, figures: Figures) -> str:
    """Print one line."""
    interval = figures.intervals.get("balanced_accuracy")
    between = f"[{interval[0] * 100:4.1f}, {interval[1] * 100:4.1f}]" if interval else "–"
    ms = f"{'–':>8s}" if figures.ms_per_pair is None else f"{figures.ms_per_pair:8.2f}"
    rates = "".join(percent(getattr(figures, part)) for part in ("tpr", "tnr", "auc"))
    return f"  {name:34s}{figures.n:6d}{percent(figures.balanced_accuracy)} {between:>13s}{rates}{ms}"


async def compare(judge: Judge, sets: Sequence[Rows], pairs: Rows) -> None:
    """Judge every set with one judge and print its table."""
    print(f"\n{judge.name}")
    print(f"  {'set':34s}{'n':>6s}{'bacc':>7s} {'95 %':>13s}{'tpr':>7s}{'tnr':>7s}{'auc':>7s}{'ms':>8s}", flush=True)
    found = []
    for rows in sets:
        found.append(await measure(judge, rows))
        print(line(rows.name, found[-1].figures), flush=True)
    print(line("macro mean", macro_mean([one.figures for one in found], [one.estimates for one in found])))
    if pairs.rows:
        print(line(pairs.name, (await measure(judge, pairs)).figures), flush=True)


async def run(sets: Sequence[Rows], pairs: Rows, python: str) -> None:
    """Compare ours, then every peer."""
    for judge in (Coverage(), LexicalJudge()):
        await compare(judge, sets, pairs)
    try:
        default = choose()
    except SettingError as error:
        print(f"\nthe judge chosen by default: skipped, {error}")
    else:
        if default.name == LexicalJudge.name:
            print(f"\nthe judge chosen by default is {default.name} itself")
        else:
            await compare(default, sets, pairs)
    for name in PEERS:
        peer = await Peer.start(name, python)
        if isinstance(peer, str):
            print(f"\n{name}: skipped, {peer}")
            continue
        try:
            await compare(peer, sets, pairs)
        finally:
            await peer.close()


def main() -> None:
    """Read the sets and print the tables."""
    options = argparse.ArgumentParser(description="Compare judges of entailment on the same labelled rows.")
    options.add_argument("data", nargs="?", type=Path, default=DATA / "entail" / "dev")
    options.add_argument("--peer-python", default=sys.executable, help="the interpreter that has the peers")
    options.add_argument("--sample", type=int, default=150, help="claims a set (default 150; 0: all)")
    given = options.parse_args()
    paths = sorted(given.data.glob("*.jsonl.gz"))
    if not paths:
        sys.exit(f"no *.jsonl.gz in {given.data}")
    sets = [read_set(path, given.sample) for path in paths]
    pairs = read_minimal_pairs(given.sample)
    print(f"{len(sets)} sets, at most {given.sample or 'all'} claims each, threshold {AT} for every judge")
    asyncio.run(run(sets, pairs, given.peer_python))


if __name__ == "__main__":
    main()
