"""Fit the heads of the reader on labelled answers: roles of sentences, extent and basis of a refusal.

Data: `written/` beside this file (the project's own, committed) and, of the labelled data beside the checkout, the answers
of `wordings` and `written/roles`, short answers and PubMedQA's conclusions. The encoder's states are kept in a build folder by the
digest of the encoder and the text, so that a second fit takes a minute. What is printed is by topic: no topic is in both
the part fitted on and the part measured.

Run: python training/reader.py --data ../shared/data --build build/reader [--measure]
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from showable.encoder import SHIPPED
from showable.read.answer import read_answer
from showable.read.sentences import split_sentences
from showable.reader.card import CARD, FOLDER
from showable.reader.context import around, summary
from showable.reader.form import form_of
from showable.reader.heads import WEIGHTS, Heads, Linear, Seen, declining, see
from showable.reader.units import clauses
from showable.reader.windows import SIZE
from showable.reader.words import COLUMNS, columns_of
from showable.records import Record
from showable.records.roles import BASES, EXTENTS, ROLES, ReadText

WRITTEN = Path(__file__).parent / "written"
HELD = WRITTEN / "held.txt"
"""Answers on topics of their own, which are measured and never fitted on."""
COMPONENTS = 250
MOST_STATES = 4000
"""Sentences from which the principal components are taken."""
FORM = 2
"""How much the numbers of form count beside the components, whose spread is about 3."""
MIXED = 0.65
"""Weight of the states beside the words."""
STRENGTHS = {"states": 0.003, "words": 3.0, "context": 0.1, "extent": 0.3, "basis": 0.01}
"""Inverse regularisation of each head, chosen on the topics of `wordings` and `written/roles`."""
FOLDS = 5
SPARSE, SHORT = {"short", "pubmed"}, 0.05
"""Sets of which the extent is nearly always one, and what they count at most when extents are fitted."""
_QUESTION = re.compile(r"Q (?P<extent>\w+) (?P<basis>\S+): (?P<question>.+)")
_LETTERS = {role[0]: role for role in ROLES}
_LISTED = re.compile(r"(?P<bullet>[-*] |#+ )|\d|\*\*")
"""What begins a line of its own: "- x", "## x", "1. x", "12 / 3 = 4", "**x**"; the sign of a list is no part of the sentence."""
_LEAST = 0.25
"""Share of a sentence that another role must have to count."""
_NOTHING = np.zeros((0, 0), np.float32)
_NOTHING_SAID = ReadText(digest="", reader="", extent=(0.25,) * 4, basis=(0.25,) * 4)
"""What a reader says that has read nothing: the rules are alone."""
Span = tuple[int, int]
Floats = NDArray[np.float64]


@dataclass
class Row:
    """One labelled answer: its units with roles (None where nobody labelled them), extent and basis."""

    question: str
    text: str
    units: list[tuple[Span, str | None]]
    extent: str | None
    basis: str | None
    group: str
    kind: str
    weight: float = 1.0
    seen: Seen = field(default_factory=lambda: Seen(_NOTHING, _NOTHING, []), repr=False)
    inputs: NDArray[np.float32] = field(default_factory=lambda: _NOTHING, repr=False)

    @property
    def roles(self) -> NDArray[np.int64]:
        """The number of each unit's role, -1 where nobody labelled it."""
        return np.array([-1 if role is None else ROLES.index(role) for _, role in self.units])


def labelled(path: Path, kind: str) -> Iterator[Row]:
    """Yield answers with labelled sentences, which are laid over the sentences that the tree itself splits."""
    for line in gzip.decompress(path.read_bytes()).decode().rstrip("\n").split("\n"):
        raw = json.loads(line)
        units = [
            ((s.start, s.end), _role_over((s.start, s.end), raw["sentences"]))
            for s in split_sentences(raw["answer"])
            if s.kind != "code"
        ]
        yield Row(raw["question"], raw["answer"], units, raw["extent"], raw["kind"], f"{kind}:{raw['group']}", kind)


def _role_over(span: Span, sentences: Sequence[dict]) -> str | None:
    shares: dict[str, int] = {}
    for one in sentences:
        common = min(span[1], one["end"]) - max(span[0], one["start"])
        if common > 0:
            shares[one["role"]] = shares.get(one["role"], 0) + common
    large = {role for role, share in shares.items() if share >= _LEAST * (span[1] - span[0])}
    if {"claim", "decline"} <= large:
        return "both"
    return max(shares, key=lambda role: shares[role]) if shares else None


def written(path: Path) -> Iterator[Row]:
    """Yield the answers of a file of blocks: `@id | topic | style | extent | kind`, `Q: …`, `role | words`.

    A block with a line `Q extent kind: …` for each of several questions holds an answer to each; a line of it begins with a
    letter a question, the line's role in that answer, `.` where the answer lacks it. Raises SystemExit with the file and the line.
    """
    block: list[str] = []
    for number, line in enumerate([*path.read_text("utf-8").splitlines(), ""], 1):
        if line.strip():
            block.append(line)
            continue
        try:
            for one in _versions(block):
                yield _of_block(one, path.stem)
        except (ValueError, IndexError, KeyError) as error:
            raise SystemExit(f"{path}, block that ends before line {number}: {error}") from None
        block = []


def _versions(block: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield a block for each question of a block of several questions; one of a single question as it is."""
    asked = [found for line in block if (found := _QUESTION.match(line))]
    if not asked:
        if block:
            yield block
        return
    lines = [line.partition(" | ") for line in block[1 + len(asked) :]]
    if wrong := [letters for letters, _, words in lines if len(letters) != len(asked) or not words]:
        raise ValueError(f"expected {len(asked)} letters and words, got {wrong[0]!r}")
    for at, found in enumerate(asked):
        own = [f"{_LETTERS[letters[at]]} | {words}" for letters, _, words in lines if letters[at] != "."]
        yield [f"{block[0]} | {found['extent']} | {found['basis']}", f"Q: {found['question']}", *own]


def _of_block(block: Sequence[str], kind: str) -> Row:
    _, topic, _, extent, basis = (part.strip() for part in block[0].split("|"))
    if extent not in EXTENTS or basis not in {*BASES, "-"} or not block[1].startswith("Q: "):
        raise ValueError(f"expected `@id | topic | style | extent | kind` and `Q: …`, got {block[0]!r}")
    text, units = "", []
    for line in block[2:]:
        role, _, words = line.partition(" | ")
        if role not in ROLES or not words:
            raise ValueError(f"expected `role | words`, got {line!r}")
        listed = _LISTED.match(words)
        between = "" if not text else "\n" if listed or (text.endswith((":", "**")) and len(block) > 6) else " "
        start = len(text) + len(between)
        text += between + words
        units.append(((start + len(listed["bullet"] or "") if listed else start, len(text)), role))
    return Row(block[1][3:].strip(), text, units, extent, None if basis == "-" else basis, f"{kind}:{topic}", kind)


def short(path: Path) -> Iterator[Row]:
    """Yield short answers of which only the extent is labelled; one of one sentence has its role from that.

    Rows marked `held` are what tests measure, and are left out.
    """
    for line in path.read_text("utf-8").splitlines():
        raw = json.loads(line)
        if raw["held"]:
            continue
        split = [(s.start, s.end) for s in split_sentences(raw["answer"]) if s.kind != "code"]
        alone = {"full": "decline", "none": "claim"}.get(raw["extent"]) if len(split) == 1 else None
        if raw.get("kind") == "clarification" and alone:
            alone = "question" if raw["answer"].rstrip().endswith("?") else alone
        basis = raw.get("kind")
        units: list[tuple[Span, str | None]] = [(span, alone) for span in split]
        if "roles" in raw:
            units = list(zip(split, raw["roles"], strict=True))
        yield Row(raw["question"], raw["answer"], units, raw["extent"], basis, f"short:{raw['of']}", "short", 0.3)


def pubmed(path: Path, most: int = 300) -> Iterator[Row]:
    """Yield conclusions of abstracts: every sentence asserts, however much it hedges or finds nothing."""
    for number, line in enumerate(gzip.decompress(path.read_bytes()).decode().rstrip("\n").split("\n")):
        raw = json.loads(line)
        text = next((raw[name] for name in ("long_answer", "answer") if len(str(raw.get(name) or "")) > 60), None)
        if text is None or number >= most:
            continue
        units: list[tuple[Span, str | None]] = [((s.start, s.end), "claim") for s in split_sentences(text)]
        yield Row(raw["question"], text, units, "none", None, f"pubmed:{number % FOLDS}", "pubmed", 0.1)


def rows_of(data: Path) -> list[Row]:
    """Read everything there is to fit on."""
    rows = [
        *labelled(data / "wordings" / "refusals.jsonl.gz", "wordings"),
        *labelled(data / "written" / "roles.jsonl.gz", "written/roles"),
    ]
    for path in sorted({*WRITTEN.glob("*.txt")} - {HELD}):
        rows += written(path)
    rows += short(WRITTEN / "short.jsonl")
    if (found := data / "qa" / "pubmedqa.jsonl.gz").exists():
        rows += pubmed(found)
    return [row for row in rows if row.units]


def fill(rows: Sequence[Row], build: Path) -> None:
    """Give every row what the heads are given of its units, from the build folder where it is there."""
    build.mkdir(parents=True, exist_ok=True)
    encoder = hashlib.sha256((SHIPPED / "model.onnx").read_bytes()).hexdigest()[:12]
    store = build / f"states-{encoder}.npz"
    held = dict(np.load(store)) if store.exists() else {}
    fresh = False
    for row in rows:
        own = [span for span, _ in row.units]
        every = sorted({*own, *(part for span in own for part in clauses(row.text, span))}, key=lambda s: (s[0], -s[1]))
        key = hashlib.sha256(repr((row.question, row.text, every)).encode()).hexdigest()[:24]
        if key not in held:
            held[key] = see(row.question, row.text, every).states.astype(np.float16)
            fresh = True
        states = held[key].astype(np.float32)
        at = {span: number for number, span in enumerate(every[: len(states)])}
        row.units = [(span, role) for span, role in row.units if span in at]
        chosen = [at[span] for span, _ in row.units]
        whole = see_cheaply(row, every)
        row.seen = Seen(states[chosen], whole.form[chosen], [whole.columns[one] for one in chosen])
    if fresh:
        np.savez(store, **held)


def see_cheaply(row: Row, every: Sequence[Span]) -> Seen:
    """Return form and words of spans, which need no encoder."""
    words = [row.text[start:end] for start, end in every]
    columns = [columns_of(one, before, row.question) for one, before in zip(words, ["", *words], strict=False)]
    return Seen(np.zeros((0, SIZE), np.float32), form_of(row.question, row.text, every), columns)


def project(rows: Sequence[Row]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Give every row its inputs, principal components of its states beside its form; return the axes `[SIZE, n]` and the shift.

    The components are of all texts: they know no label. By random projection: Halko, Martinsson and Tropp, Finding structure with
    randomness (2011), with one power iteration.
    """
    states = np.vstack([row.seen.states for row in rows])
    mean, scale = states.mean(0), states.std(0) + 1e-3
    rng = np.random.default_rng(0)
    z = (states[rng.permutation(len(states))[:MOST_STATES]] - mean) / scale
    q = rng.normal(size=(z.shape[1], COMPONENTS + 20)).astype(np.float32)
    q, _ = np.linalg.qr(z.T @ (z @ q))
    q, _ = np.linalg.qr(z.T @ (z @ q))
    low = z @ q
    _, axes = np.linalg.eigh(low.T @ low)
    axes = q @ axes[:, ::-1][:, :COMPONENTS]
    axes = (axes * 3 / (z @ axes).std(0).mean() / scale[:, None]).astype(np.float32)
    shift = (mean @ axes).astype(np.float32)
    for row in rows:
        row.inputs = np.hstack([row.seen.states @ axes - shift, FORM * row.seen.form])
    return axes, shift


def logistic(
    x: NDArray[np.floating], y: NDArray[np.int64], weights: NDArray[np.float64], strength: float, classes: int
) -> Linear:
    """Return a multinomial logistic regression; a class that nothing has stays out of reach."""
    model = LogisticRegression(C=strength, max_iter=100, tol=1e-3).fit(x, y, sample_weight=weights)
    w, b = np.zeros((x.shape[1], classes), np.float32), np.full(classes, -30.0, np.float32)
    w[:, model.classes_], b[model.classes_] = model.coef_.T, model.intercept_
    return Linear(w, b)


def folded(axes: NDArray[np.float32], shift: NDArray[np.float32], head: Linear) -> Linear:
    """Fold principal components into a head, so that it takes states and form as they come."""
    count = axes.shape[1]
    whole = np.vstack([axes @ head.weights[:count], FORM * head.weights[count:]])
    return Linear(whole, head.shifts - shift @ head.weights[:count])


def words_of(columns: Sequence[NDArray[np.int64]]) -> csr_matrix:
    """Return hashed words as a sparse matrix `[n, COLUMNS]`."""
    ends = np.cumsum([0, *(len(one) for one in columns)])
    values = np.concatenate([np.full(len(one), max(1, len(one)) ** -0.5) for one in columns])
    return csr_matrix((values, np.concatenate(columns), ends), shape=(len(columns), COLUMNS))


class Fit:
    """The heads that read each sentence by itself, fitted on some rows in the space of the principal components."""

    def __init__(self, rows: Sequence[Row]) -> None:
        known = [(row, row.roles >= 0) for row in rows]
        inputs = np.vstack([row.inputs[mask] for row, mask in known])
        columns = [one for row, mask in known for one, ok in zip(row.seen.columns, mask, strict=True) if ok]
        y = np.concatenate([row.roles[mask] for row, mask in known])
        weights = np.concatenate([np.full(int(mask.sum()), row.weight) for row, mask in known])
        self.states = logistic(inputs, y, weights, STRENGTHS["states"], len(ROLES))
        self.words = logistic(words_of(columns), y, weights, STRENGTHS["words"], len(ROLES))
        declined = [row for row in rows if row.basis]
        means = np.array([declining(row.inputs, _given(row)) for row in declined])
        bases = np.array([BASES.index(row.basis) for row in declined])
        own = np.array([row.weight for row in declined])
        self.basis = logistic(means, bases, own, STRENGTHS["basis"], len(BASES))

    def alone(self, row: Row) -> Floats:
        """Return the probabilities of roles of one row's units, from themselves."""
        none = Linear(np.zeros((1, 1), np.float32), np.zeros(1, np.float32))
        heads = Heads(self.states, self.words, none, none, self.basis, MIXED, "")
        return heads.alone(Seen(row.inputs, np.zeros((len(row.inputs), 0), np.float32), row.seen.columns))


def _given(row: Row) -> Floats:
    """Return the labelled roles as probabilities; without labels, all sentences count alike."""
    roles = row.roles
    found = np.zeros((len(roles), len(ROLES)))
    found[np.arange(len(roles)), np.where(roles < 0, ROLES.index("decline"), roles)] = 1
    return found


def together(rows: Sequence[Row], alone: Sequence[Floats]) -> Linear:
    """Fit the head that sees the other sentences, on probabilities of rows that the first heads had not seen."""
    x, y, weights = [], [], []
    for row, p in zip(rows, alone, strict=True):
        mask = row.roles >= 0
        x.append(around(p)[mask])
        y.append(row.roles[mask])
        weights.append(np.full(int(mask.sum()), row.weight))
    return logistic(np.vstack(x), np.concatenate(y), np.concatenate(weights), STRENGTHS["context"], len(ROLES))


def extents(rows: Sequence[Row], roles: Sequence[Floats]) -> Linear:
    """Fit the head of the extent, on probabilities as in `together`."""
    kept = [(row, p) for row, p in zip(rows, roles, strict=True) if row.extent]
    x = np.array([summary(p, row.question) for row, p in kept])
    y = np.array([EXTENTS.index(row.extent) for row, _ in kept])
    return logistic(
        x,
        y,
        np.array([min(row.weight, SHORT) if row.kind in SPARSE else row.weight for row, _ in kept]),
        STRENGTHS["extent"],
        len(EXTENTS),
    )


def folds_of(rows: Sequence[Row]) -> NDArray[np.int64]:
    """Return a fold for each row; all rows of a topic are in one."""
    names = sorted({row.group for row in rows})
    place = {name: number % FOLDS for number, name in enumerate(names)}
    return np.array([place[row.group] for row in rows])


def main() -> None:
    """Fit out of fold, print what topics not fitted on come to, fit on everything, write the heads."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--build", type=Path, default=Path("build/reader"))
    options = parser.parse_args()
    rows = rows_of(options.data)
    fill(rows, options.build)
    axes, shift = project(rows)
    folds = folds_of(rows)
    alone: list[Floats] = [np.zeros(0)] * len(rows)
    bases: dict[int, Floats] = {}
    for fold in range(FOLDS):
        fit = Fit([row for row, one in zip(rows, folds, strict=True) if one != fold])
        for at in np.flatnonzero(folds == fold):
            alone[at] = fit.alone(rows[at])
            if rows[at].basis:
                weighed = declining(rows[at].inputs, alone[at])
                bases[int(at)] = fit.basis.p(weighed[None])[0]
    roles: list[Floats] = [np.zeros(0)] * len(rows)
    extent: list[Floats] = [np.zeros(0)] * len(rows)
    for fold in range(FOLDS):
        rest = np.flatnonzero(folds != fold)
        context = together([rows[i] for i in rest], [alone[i] for i in rest])
        own = np.flatnonzero(folds == fold)
        for at in own:
            roles[at] = context.p(around(alone[at]))
    none = Linear(_NOTHING, np.zeros(0, np.float32))
    fit = Heads(none, none, none, none, none, MIXED, "")
    for fold in range(FOLDS):
        rest = np.flatnonzero(folds != fold)
        head = extents([rows[i] for i in rest], [roles[i] for i in rest])
        for at in np.flatnonzero(folds == fold):
            extent[at] = fit._replace(extent=head).extent_of(roles[at], rows[at].question)
    by_rules = [ruled(row) for row in rows]
    np.savez(
        options.build / "out_of_fold.npz", ruled=np.array(by_rules),
        alone=np.vstack(alone), roles=np.vstack(roles), extent=np.vstack(extent), y=np.concatenate([row.roles for row in rows]),
        answers=np.repeat(np.arange(len(rows)), [len(row.units) for row in rows]),
        extents=np.array([EXTENTS.index(row.extent) for row in rows]), kinds=np.array([row.kind for row in rows]),
        bases=np.array([bases.get(i, np.zeros(4)) for i in range(len(rows))]), basis=np.array([row.basis or "" for row in rows]),
    )  # fmt: skip
    last = Fit(rows)
    heads = {
        "states": folded(axes, shift, last.states),
        "words": last.words,
        "context": together(rows, alone),
        "extent": extents(rows, roles),
        "basis": folded(axes, shift, last.basis),
    }
    write(heads, rules_on(rows, by_rules))
    print(
        f"{len(rows)} answers, {sum(len(row.units) for row in rows)} sentences; {WEIGHTS}: {WEIGHTS.stat().st_size / 1e3:.0f} kB"
    )


def ruled(row: Row) -> str:
    """Return the extent that the rules alone read."""
    record = Record(id="row", question=row.question, answer=row.text)
    return read_answer(record, read=lambda *_: _NOTHING_SAID).refusal.extent


def rules_on(rows: Sequence[Row], said: Sequence[str]) -> dict[str, dict[str, float]]:
    """Return, of answers of each extent, the share for which the rules say each extent; one of each is added."""
    counts = {truth: dict.fromkeys(EXTENTS, 1) for truth in EXTENTS}
    for row, extent in zip(rows, said, strict=True):
        if row.extent and row.kind not in SPARSE:
            counts[row.extent][extent] += 1
    return {truth: {said: round(n / sum(own.values()), 4) for said, n in own.items()} for truth, own in counts.items()}


def write(heads: dict[str, Linear], rules: dict[str, dict[str, float]]) -> None:
    """Write the heads in half precision, and beside them the digest of the encoder that they read and how the rules err."""
    FOLDER.mkdir(exist_ok=True)
    held = {name: one.weights.astype(np.float16) for name, one in heads.items()}
    held |= {f"{name}_shifts": one.shifts for name, one in heads.items()}
    np.savez_compressed(WEIGHTS, **held)
    encoder = hashlib.sha256((SHIPPED / "model.onnx").read_bytes()).hexdigest()
    revision = hashlib.sha256(WEIGHTS.read_bytes() + f"{MIXED}{rules}".encode()).hexdigest()[:8]
    told = {"revision": revision, "mixed": MIXED, "encoder": encoder, "rules": rules}
    CARD.write_text(json.dumps(told, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
