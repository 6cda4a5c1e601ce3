"""A run on the terminal: what matters in ten seconds first, the signature last. Plain in a log, never a naked number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import wrap

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from showable.measure.measures import MEASURES
from showable.measure.rates import Rate, percent, wilson_interval
from showable.measure.summary import BUCKETS, RefusalQuality, Summary
from showable.measure.worst import failing_claim
from showable.records.scorecard import Scorecard
from showable.report.category_table import EXPECTED_NOTE, category_table
from showable.report.over_refusals import in_another_language, over_refusals
from showable.report.untrusted import printable

STYLES = {"correct": "green", "refused": "cyan", "unsupported": "yellow", "wrong": "red", "unknown": "magenta"}
_WIDEST_BAR = 40
_INDENT = 2
_NARROWEST_BAR = 5
_CLAIM_LIMIT = 200
_WHY_LIMIT = 300
_ID_LIMIT = 80
_MOST_IN_BRIEF, _NARROWEST = 3, 20
_ROOM = 15
"""Lines of a screen of 40 for the headline, the profile and the worst answers, three each: the rest is always there."""
_ABOVE = ("acceptable", "citation_exists", "citation_supports")
_UNITS = {measure.name: measure.unit for measure in MEASURES}


def render_summary(summary: Summary, worst: Sequence[Scorecard], *, console: Console, details: bool = True) -> None:
    """Print a summary and its worst answers (as `SummaryBuilder.worst` gives them); without `details`, one screen of it."""
    if not summary.n:
        console.print(Text("Nothing was scored: there are no answers."))
    else:
        headline = _headline(summary)
        for at, said in enumerate(headline):
            console.print(Text(said, style="" if at else "bold"))
        _rubrics(summary, console)
        _buckets(summary, console)
        if details:
            _axes(summary, console)
            _causes(summary, console)
            _section("Rates, with 95 % intervals", _rates(summary), console)
            _released(summary, console)
            _categories(summary, console)
            _labels(summary, console)
            _worst(summary, worst, console)
        else:
            beside = len(headline) + _released(summary, console)
            _worst_in_brief(summary, worst[: max(1, min(_MOST_IN_BRIEF, (_ROOM - beside) // 3))], console)
    console.print()
    console.print(Text(f"signature {summary.signature}", style="dim"), soft_wrap=True)


def _headline(summary: Summary) -> list[str]:
    """Return what is said first, a line each."""
    correct, refused, unknown = (summary.buckets[name] for name in ("correct", "refused", "unknown"))
    if summary.not_measured is not None:
        lines = [summary.not_measured]
    else:
        first = f"{correct + refused} of {summary.n} answers are acceptable ({correct} correct, {refused} refused)"
        lines = [f"{first}; {unknown} unknown" if unknown else first]
        lines.append(f"acceptable where decided: {summary.rates['acceptable']}")
    lines += filter(None, (over_refusals(summary), in_another_language(summary)))
    if summary.records is not None and summary.records > summary.n:
        lines.append(f"not finished: {summary.records - summary.n} of {summary.records} records are not scored yet")
    if summary.rejected:
        lines.append(f"{summary.rejected} lines of the input were no records and are in none of these counts")
    if summary.correct_no_gold:
        lines.append(
            f"correct (no gold): {summary.correct_no_gold} of the {correct} correct, judged by their citations alone"
        )
    return lines


def _rubrics(summary: Summary, console: Console) -> None:
    """Print the three rubrics, each over answers and over its units."""
    table = _grid("left", "right", "left")
    for name, rubric in summary.rubrics.items():
        table.add_row(Text(name), *map(Text, _share_cells(rubric.answers, "answers")))
        table.add_row("", *map(Text, _share_cells(rubric.units, rubric.unit)))
    _section("Rubrics, never averaged, with 95 % intervals", table, console)


def _buckets(summary: Summary, console: Console) -> None:
    table = _grid("left", "right", "right", "left", "left")
    n = summary.n
    numbers = {bucket: _numbers(summary.buckets[bucket], n) for bucket in BUCKETS}
    beside = sum(max(map(len, column)) + 2 for column in zip(*numbers.values(), strict=True))
    room = min(_WIDEST_BAR, console.width - beside - 2 * _INDENT - max(map(len, BUCKETS)))
    mark = "#" if console.options.ascii_only else "█"
    for bucket, cells in numbers.items():
        length = max(round(summary.buckets[bucket] / n * room), int(summary.buckets[bucket] > 0))
        bar = mark * length if room >= _NARROWEST_BAR else ""
        table.add_row(Text(bucket, style=STYLES[bucket]), *map(Text, cells), Text(bar, style=STYLES[bucket]))
    _section("Buckets, with 95 % intervals", table, console)


def _numbers(count: int, n: int) -> tuple[str, str, str]:
    low, high = wilson_interval(count / n, n)
    return f"{count}/{n}", f"{percent(count / n)} %", f"{percent(low)}–{percent(high)}"


def _axes(summary: Summary, console: Console) -> None:
    axes = summary.axes
    table = _rate_table({"citation_exists": axes.citation_exists, "citation_supports": axes.citation_supports})
    _section("Axes", table, console)
    extra, rest = axes.extra_claim_count, _grid("left", "left")
    rest.add_row(Text("refusal_quality"), Text(_quality(axes.refusal_quality)))
    said = f"{extra.sum} in {extra.n} answers; none in {extra.without}" if extra.n else "not measured"
    rest.add_row(Text("extra_claim_count"), Text(said))
    console.print(Padding(rest, (0, 0, 0, _INDENT)))


def _quality(quality: RefusalQuality) -> str:
    if quality.mean is None:
        return "not applicable (no refusals)"
    grades = ", ".join(f"{count} of grade {grade}" for grade, count in quality.counts.items() if count)
    said = f"mean {quality.mean:.2f} of 3 (n = {quality.n}, 95 % CI {quality.low:.2f}–{quality.high:.2f})"
    return f"{said}; {grades}"


def _causes(summary: Summary, console: Console) -> None:
    """List causes, the most frequent first. Lines break between causes, never between a cause and its count."""
    ranked = sorted(summary.causes.items(), key=lambda entry: (-entry[1], entry[0]))
    if ranked:
        listed = ", ".join(f"{cause}\xa0{count}" for cause, count in ranked)
        lines = wrap(listed, width=max(1, console.width - 2 * _INDENT), break_long_words=False)
        _section("Causes", Text("\n".join(lines).replace("\xa0", " ")), console)


def _rates(summary: Summary) -> Table:
    return _rate_table({name: rate for name, rate in summary.rates.items() if name not in _ABOVE})


def _rate_table(rates: Mapping[str, Rate]) -> Table:
    """Lay rates out in columns: name, percentage, then the interval, the counts and what was left out."""
    table = _grid("left", "right", "left")
    for name, rate in rates.items():
        table.add_row(Text(name), *map(Text, _share_cells(rate, _UNITS[name])))
    return table


def _share_cells(rate: Rate, unit: str = "") -> tuple[str, str]:
    """Return a percentage, and beside it interval, counts and what was left out."""
    left_out = [f"{rate.unknown} unknown"] if rate.unknown else []
    left_out += [f"{rate.not_applicable} n/a"] if rate.not_applicable else []
    if rate.rate is None or rate.low is None or rate.high is None:
        share, said = "–", "not measured" if rate.unknown else "nothing to check"
    else:
        counts = f"{rate.passed}/{rate.passed + rate.failed} {unit}".rstrip()
        share, said = f"{percent(rate.rate)} %", f"{percent(rate.low)}–{percent(rate.high)} ({counts})"
    return share, ", ".join([said, *left_out])


def _released(summary: Summary, console: Console) -> int:
    """Print what the profile lets through, where it asks for more than the rubrics do; return how many lines that took."""
    profile, released = summary.signature.profile, summary.released
    if profile == "general" and released.shown_from is None:
        return 0
    lines = [f"{released.show} may be shown, {released.hold} held back, {released.unknown} undecided"]
    if released.floor is not None:
        verdict = {"hold": "HOLD", "unknown": "UNDECIDED", "show": "reached", None: "no citations"}[released.verdict]
        share = summary.rates["citation_resolves"]
        lines += [f"citations that resolve: {share}", f"floor of {percent(released.floor)} %: {verdict}"]
    lines += [str(released.shown_from)] if released.shown_from is not None else []
    _section(f"Under the {profile.partition('@')[0]} profile", Text("\n".join(lines)), console)
    return len(lines) + 2


def _categories(summary: Summary, console: Console) -> None:
    table = category_table(summary, console.width)
    if table is not None:
        _section("Categories of question", table, console)
        if summary.expected:
            console.print(Padding(Text(EXPECTED_NOTE, style="dim"), (0, 0, 0, _INDENT)))


def _labels(summary: Summary, console: Console) -> None:
    labelled = summary.labelled
    if not labelled.n:
        return
    said = f"{labelled.agree} of {labelled.n} in the bucket of the label; {labelled.unknown} unknown"
    off = [
        f"{count} labelled {label}, scored {bucket}"
        for label, buckets in labelled.confusion.items()
        for bucket, count in buckets.items()
        if count and bucket not in (label, "unknown")
    ]
    _section("Labels", Text("\n".join([said, *off])), console)


def _worst(summary: Summary, worst: Sequence[Scorecard], console: Console) -> None:
    if not worst:
        return
    total = _needing_a_look(summary)
    title = f"The worst {len(worst)} of {total} that need a look" if total > len(worst) else "What needs a look"
    console.print()
    console.print(Text(title, style="bold"))
    for card in worst:
        _card(card, console)


def _worst_in_brief(summary: Summary, worst: Sequence[Scorecard], console: Console) -> None:
    """Print the worst answers, a line for each thing that is said of them, and where the rest is."""
    if worst:
        total = _needing_a_look(summary)
        more = f", {len(worst)} of {total:,}" if total > len(worst) else ""
        console.print()
        console.print(Text(f"What needs a look{more}", style="bold"))
        room = max(_NARROWEST, console.width - 2 * _INDENT)
        for card in worst:
            console.print(_card_head(card))
            claim = failing_claim(card)
            lines = [card.why] if card.why else []
            lines += [f"claim ({claim.support}): {claim.text}"] if claim is not None else []
            for line in lines:
                console.print(Padding(Text(printable(line, limit=room), no_wrap=True), (0, 0, 0, 2 * _INDENT)))
    labels = summary.labelled
    said = f"{labels.agree} of {labels.n} are in the bucket of their label; " if labels.n else ""
    console.print()
    console.print(Text(f"{said}--details prints axes, causes, rates, categories and the next worst", style="dim"))


def _needing_a_look(summary: Summary) -> int:
    bad = sum(summary.buckets[name] for name in ("wrong", "unsupported", "unknown"))
    return bad + summary.causes.get("over_refusal", 0)


def _card_head(card: Scorecard) -> Text:
    head = Text("  ").append(printable(card.id, limit=_ID_LIMIT), style="bold")
    head.append("  ").append(card.bucket, style=STYLES[card.bucket])
    return head.append(f"  {card.cause}") if card.cause else head


def _card(card: Scorecard, console: Console) -> None:
    console.print(_card_head(card))
    if card.why:
        console.print(Padding(Text(printable(card.why, limit=_WHY_LIMIT)), (0, 0, 0, 2 * _INDENT)))
    claim = failing_claim(card)
    if claim is not None:
        said = f"claim ({claim.support}): {printable(claim.text, limit=_CLAIM_LIMIT)}"
        console.print(Padding(Text(said, style="dim"), (0, 0, 0, 2 * _INDENT)))
        for behind in claim.corpus_by[:1]:
            said = (
                f"{printable(behind.source_id, limit=_ID_LIMIT)} of the corpus {behind.says} it, and was not retrieved"
            )
            console.print(Padding(Text(said, style="dim"), (0, 0, 0, 2 * _INDENT)))


def _section(title: str, body: Table | Text, console: Console) -> None:
    console.print()
    console.print(Text(title, style="bold"))
    console.print(Padding(body, (0, 0, 0, _INDENT)))


def _grid(*justify: str) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    for place, side in enumerate(justify):
        last = place == len(justify) - 1
        table.add_column(justify="right" if side == "right" else "left", no_wrap=not last, overflow="fold")
    return table
