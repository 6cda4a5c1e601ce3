"""Write the tables of codes into docs/rubrics/*.md from the words that reports use for them.

Run: python docs/make_codes.py
"""

from __future__ import annotations

import re
from pathlib import Path

from showable.report.finding_words import FINDING_WORDS

PAGES = Path(__file__).with_name("rubrics")
TABLE = re.compile(r"<!-- codes -->\n.*?<!-- end codes -->", re.DOTALL)


def with_codes(text: str, rubric: str) -> str:
    """Give a page with the table of its rubric's codes as it is to be."""
    rows = [
        f"| `{code.partition('.')[2]}` | {words.brief} | {words.gravity} | {words.help} |"
        for code, words in FINDING_WORDS.items()
        if code.partition(".")[0] == rubric
    ]
    table = "\n".join(["| code | in brief | a failure is | what it means |", "|---|---|---|---|", *rows])
    return TABLE.sub(lambda _: f"<!-- codes -->\n{table}\n<!-- end codes -->", text)


def main() -> None:
    """Write every page anew."""
    for page in sorted(PAGES.glob("*.md")):
        page.write_text(with_codes(page.read_text("utf-8"), page.stem), encoding="utf-8")


if __name__ == "__main__":
    main()
