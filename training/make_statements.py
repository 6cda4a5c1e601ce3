"""Makes claim–passage pairs from questions and answers: statements, right and wrong ones, with the passage each is held against."""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from statements import affirm, deny, state
from statements.answers import clean, kind
from statements.passages import all_runs, runs, sentences, window
from statements.spans import pure_number, same_setting, spans, with_article, wrong_spans

Row = dict[str, Any]
_SHORT = 40
_TRIES = 4
_SHARE = 1.4
# Near passages make the easiest negatives: few of them suffice.
_NEAR = 0.3
_POINTING = r"(?:It|They|There|This|These|That|Those|He|She|We)\b"


def read(path: Path) -> list[Row]:
    """Rows of a gzipped JSON Lines file."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def row(claim: str, passage: str, label: int, kind_: str, source: str) -> Row:
    """One training pair; label 1 supported, 0 not."""
    return {"claim": claim, "passage": passage, "label": label, "kind": kind_, "source": source}


def _said(question: str, answer: str, passage: str) -> str | None:
    cleaned = clean(answer)
    return state(question, with_article(passage, cleaned)) if cleaned else None


def _answers(one: Row) -> list[str]:
    """A question's answers that stand in its passage as whole words, the shortest first: annotators sometimes cut one short."""
    text = one["passages"][0]["text"]
    whole = [answer for answer in one["answers"] if re.search(rf"(?<!\w){re.escape(answer)}(?!\w)", text)]
    return sorted(whole, key=len)


def _others(same: list[Row], question: str) -> list[str]:
    return [_answers(one)[0] for one in same if _answers(one) and one["question"] != question]


def squad_answered(one: Row, same: list[Row], near: list[str], draw: random.Random) -> Iterator[Row]:
    """Right statement, wrong same-kind answer, right statement over a near passage, and the answer's own sentence edited."""
    text, question = one["passages"][0]["text"], one["question"]
    answers = _answers(one)
    if not answers:
        return
    holder = window(text, holding=answers[0])
    claim = _said(question, answers[0], text)
    wrong = wrong_spans(text, answers, question, _others(same, question))
    draw.shuffle(wrong)
    lead = question.split()[:1]
    asked_alike = {_answers(other)[0] for other in same if _answers(other) and other["question"].split()[:1] == lead}
    wrong.sort(key=lambda span: -2 * (span in asked_alike) - same_setting(text, answers[0], span))
    if claim:
        yield row(claim, holder, 1, "squad_statement", "squad2/right")
        for other in wrong[:_TRIES]:
            false = _said(question, other, text)
            if false and false.lower() != claim.lower():
                yield row(false, window(text, holding=other), 0, "squad_statement", "squad2/wrong")
                break
        elsewhere = [other for other in near if not any(answer.lower() in other.lower() for answer in answers)]
        if elsewhere and draw.random() < _NEAR:
            yield row(claim, window(draw.choice(elsewhere)), 0, "squad_statement", "squad2/near")
    yield from _sentence_rows(text, answers, wrong)


def _sentence_rows(text: str, answers: list[str], wrong: list[str]) -> Iterator[Row]:
    answer = answers[0]
    holders = [part for part in sentences(text) if re.search(rf"(?<!\w){re.escape(answer)}(?!\w)", part)]
    if len(holders) != 1 or not 6 <= len(holders[0].split()) <= _SHORT or text.count(answer) > 2:
        return
    part = holders[0]
    fits = [other for other in wrong if other not in part and not re.match(r"(?:the|a|an|its|his|her|their) ", other)]
    if not fits or kind(answer) == "phrase":
        return
    if kind(answer) == "number" and not pure_number(answer):
        return
    if kind(answer) == "name":
        fits = [other for other in fits if same_setting(text, answer, other)]
    if kind(answer) == "number":
        fits = [other for other in fits if pure_number(other)]
    if not fits:
        return
    false = re.sub(rf"(?<!\w){re.escape(answer)}(?!\w)", lambda _: fits[0], part, count=1)
    holder = window(text, holding=part)
    yield row(part, holder, 1, "squad_sentence", "squad2/sentence")
    yield row(false, holder, 0, "squad_sentence", "squad2/sentence_wrong")


def _asked_kind(question: str) -> list[str]:
    low = question.lower()
    if re.match(r"(?:when|(?:in )?(?:what|which) year)\b", low):
        return ["year", "day", "month", "century", "decade"]
    if re.match(r"(?:how (?:many|much|long)|what percentage)\b", low):
        return ["number"]
    if re.match(r"(?:who|where)\b", low):
        return ["name"]
    return ["phrase", "name"]


def squad_unanswered(one: Row, same: list[Row], draw: random.Random) -> Iterator[Row]:
    """A question its passage does not answer, with the likeliest-looking span of the kind it asks for."""
    text, question = one["passages"][0]["text"], one["question"]
    words = set(re.findall(r"\w{4,}", question.lower()))
    kinds = _asked_kind(question)
    lead = question.lower().split()[:1]
    alike = [_answers(other)[0] for other in same if _answers(other) and other["question"].lower().split()[:1] == lead]
    pool = [span for span in alike if kind(span) in kinds]
    pool += [span for label in kinds if label != "phrase" for span in spans(text, label)]
    scored = []
    for span in dict.fromkeys(pool):
        if span.lower() in question.lower() or set(re.findall(r"\w{4,}", span.lower())) & words:
            continue
        near = next((part for part in sentences(text) if span in part), "")
        scored.append(
            (len(words & set(re.findall(r"\w{4,}", near.lower()))) + (span in alike) + draw.random() / 2, span)
        )
    for _, span in sorted(scored, reverse=True)[:_TRIES]:
        claim = _said(question, span, text)
        if claim:
            yield row(claim, window(text, holding=span), 0, "squad_statement", "squad2/unanswerable")
            return


def squad(rows: list[Row], draw: random.Random) -> Iterator[Row]:
    """Every pair the reading-comprehension questions give."""
    by_passage: dict[str, list[Row]] = defaultdict(list)
    by_title: dict[str, dict[str, None]] = defaultdict(dict)
    for one in rows:
        passage = one["passages"][0]
        by_passage[passage["text"]].append(one)
        by_title[passage["title"]][passage["text"]] = None
    for one in rows:
        passage = one["passages"][0]
        same = by_passage[passage["text"]]
        near = [text for text in by_title[passage["title"]] if text != passage["text"]]
        yield from squad_answered(one, same, near, draw) if one["answerable"] else squad_unanswered(one, same, draw)


def condaqa(rows: list[Row], draw: random.Random) -> Iterator[Row]:
    """Yes/no questions about negation as statements, affirmed and denied."""
    for one in rows:
        question = re.sub(r"\s*Yes\.\s*$", "", one["claim"]).strip()
        yes, no = affirm(question), deny(question)
        if yes is None:
            continue
        raw, passage = one["raw_label"], window(one["passage"])
        yield row(yes, passage, int(raw == "YES"), "condaqa", "condaqa/affirmed")
        if no and (raw == "DON'T KNOW" or draw.random() < 0.4):
            yield row(no, passage, int(raw == "NO"), "condaqa", "condaqa/denied")


def _title_words(question: str) -> set[str]:
    return set(re.findall(r"[a-z]{5,}", question.lower()))


def pubmedqa(rows: list[Row]) -> Iterator[Row]:
    """Questions that title abstracts, stated and denied; the conclusion over its own and over the most similar other abstract."""
    whole = {one["id"]: " ".join(part["text"] for part in one["passages"]) for one in rows}
    for one in rows:
        answer = one["answers"][0]
        if answer not in {"yes", "no"}:
            continue
        passage = window(whole[one["id"]], words=260)
        asked = re.sub(r"^[^?]*: (?=[a-z]+ )", "", one["question"]) if ":" in one["question"] else one["question"]
        yes, no = affirm(asked), deny(asked)
        if yes and no and len(yes.split()) > 5 and (asked == one["question"] or not re.match(_POINTING, yes)):
            yield row(yes, passage, int(answer == "yes"), "pubmedqa_title", "pubmedqa/affirmed")
            yield row(no, passage, int(answer == "no"), "pubmedqa_title", "pubmedqa/denied")
        long = one["long_answer"].strip()
        if len(long.split()) > _SHORT or len(long.split()) < 6:
            continue
        mine = _title_words(one["question"])
        other = max(
            (two for two in rows if two["id"] != one["id"]), key=lambda two: len(mine & _title_words(two["question"]))
        )
        yield row(long, passage, 1, "pubmedqa_conclusion", "pubmedqa/conclusion")
        yield row(long, window(whole[other["id"]], words=260), 0, "pubmedqa_conclusion", "pubmedqa/near")


def held_out(folder: Path) -> set[int]:
    """Runs of twelve words of every passage in the development sets."""
    return all_runs(
        one["passage"]
        for path in sorted(folder.glob("*.jsonl.gz"))
        for one in read(path)
        if isinstance(one.get("passage"), str)
    )


def balanced(rows: Iterable[Row], draw: random.Random) -> list[Row]:
    """Rows without repeats or contradictions, the larger label of each kind cut to 1.4 times the smaller."""
    labels: dict[tuple[str, str], set[int]] = defaultdict(set)
    unique: dict[tuple[str, str], Row] = {}
    for one in rows:
        key = (one["claim"], one["passage"])
        labels[key].add(one["label"])
        unique.setdefault(key, one)
    kept = [one for key, one in unique.items() if len(labels[key]) == 1]
    groups: dict[tuple[str, int], list[int]] = defaultdict(list)
    for at, one in enumerate(kept):
        groups[one["kind"], one["label"]].append(at)
    dropped: set[int] = set()
    for (name, label), members in sorted(groups.items()):
        excess = len(members) - int(_SHARE * len(groups.get((name, 1 - label), [])))
        order = draw.sample(members, len(members))
        dropped.update(order[: max(0, excess)])
    return [one for at, one in enumerate(kept) if at not in dropped]


def make(data: Path, seed: int) -> list[Row]:
    """All pairs from the question sets under `data`, in an order the seed settles."""
    draw = random.Random(seed)
    banned = held_out(data / "entail" / "dev")
    rows = list(squad(read(data / "qa" / "squad2.jsonl.gz"), draw))
    for path in sorted((data / "entail" / "train_more").glob("condaqa_q.*.jsonl.gz")):
        rows += condaqa(read(path), draw)
    rows += pubmedqa(read(data / "qa" / "pubmedqa.jsonl.gz"))
    clean_texts = {text: runs(text).isdisjoint(banned) for text in {one["passage"] for one in rows}}
    return balanced((one for one in rows if clean_texts[one["passage"]]), draw)


def main() -> None:
    """Write the pairs and print how many of each kind and label there are."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    rows = make(args.data, args.seed)
    with args.out.open("wb") as raw, gzip.GzipFile(fileobj=raw, mode="wb", mtime=0, filename="") as out:
        out.writelines((json.dumps(one, ensure_ascii=False) + "\n").encode() for one in rows)
    for (name, source, label), count in sorted(
        Counter((one["kind"], one["source"], one["label"]) for one in rows).items()
    ):
        print(f"{name:22} {source:26} {label} {count:6}")


if __name__ == "__main__":
    main()
