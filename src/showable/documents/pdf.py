"""PDF files: the text of each page, and which pages have none that can be read."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Sequence
from io import BytesIO
from typing import TYPE_CHECKING

from showable.documents.document import LONGEST, Document, TextBuilder
from showable.documents.pdf_lines import body_lines, column_width, ends_paragraph, joint
from showable.errors import InputError

if TYPE_CHECKING:
    from pypdf import PdfReader

MOST_PAGES = 5_000
SECONDS = 120.0
"""Seconds of the processor for the pages of one document; 3,000 ordinary pages take about half of that."""
_DRAWS_TEXT = (b"T", b"'", b'"', b"Do")
"""Operators that show text begin so, or draw a form that may (ISO 32000-1, table 109); a mere drawing has none."""
_ODD = re.compile(r"\(cid:\d+\)|/[A-Za-z]{0,3}\d{1,5}(?=/|\s|$)|[\ufffd\ue000-\uf8ff\x00-\x08\x0e-\x1f\x80-\x9f]")
_MOST_ODD = 0.2
"""Share of a page's characters in glyph names, private use and controls beyond which it is no text."""
_LATIN, _VOWELS = re.compile("[A-Za-z]"), re.compile("[AEIOUYaeiouy]")
_ENOUGH, _LEAST_VOWELS = 200, 0.22
"""Running text of any language in Latin letters has a third of vowels; letters that a font has shuffled have not."""


def read_pdf(name: str, data: bytes) -> Document:
    """Read a PDF. Lines count within their page; words and addresses that a line end has cut are put together again.

    Running heads, page numbers and the line numbers of pleading paper are left out. Pages without text
    (scans), with text that does not decode, or after SECONDS are named in `unread`. Raises InputError where a password is
    needed, the file is damaged, or no page has text.
    """
    reader = _opened(name, data)
    texts = _texts(name, reader)
    readable = [text if text is not None and text.strip() and not is_garbled(text) else None for text in texts]
    unread = _unread(name, texts, readable, len(reader.pages))
    if not any(readable):
        raise InputError(f"{unread[0].removeprefix(f'{name}: ')}; nothing in it can be checked", path=name)
    built = TextBuilder()
    pages = body_lines([text or "" for text in readable])
    for page, lines in enumerate(pages, start=1):
        width = column_width(lines)
        over = pages[page][0][1] if page < len(pages) and pages[page] else ""  # a word may go on over the page
        for at, (number, line) in enumerate(lines):
            following = lines[at + 1][1] if at + 1 < len(lines) else ""
            kept, end = joint(line, following or over)
            built.add(kept, number, page=page, end=end)
            if end and ends_paragraph(line, following, width):
                built.gap()
    return Document(name, "pdf", built.text(), tuple(built.marks), unread=unread)


def _opened(name: str, data: bytes) -> PdfReader:
    import pypdf  # noqa: PLC0415 - late: it takes long to load

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # what matters of its warnings is told page by page
    try:
        reader = pypdf.PdfReader(BytesIO(data), strict=False)
        locked = reader.is_encrypted and not reader.decrypt("")
        pages = 0 if locked else len(reader.pages)
    except pypdf.errors.DependencyError:
        raise InputError("is encrypted: save a copy without protection", path=name) from None
    except Exception as error:  # noqa: BLE001 - a parser of another's files may fail in any way
        raise InputError(f"is a damaged PDF: {_said(error)}", path=name) from None
    if locked:
        raise InputError("is encrypted: save a copy without its password", path=name)
    if not pages:
        raise InputError("has no pages", path=name)
    if pages > MOST_PAGES:
        raise InputError(f"has {pages:,} pages, and at most {MOST_PAGES:,} are read: split it", path=name)
    return reader


class _OutOfTimeError(BaseException):
    """The document has had its seconds. No Exception: pypdf goes on after one that is raised within a form."""


def _texts(name: str, reader: PdfReader) -> list[str | None]:
    """Return the text of each page, None where it cannot be read; fewer than there are pages where the time was up."""
    from pypdf.errors import DependencyError  # noqa: PLC0415

    ends = time.thread_time() + SECONDS

    def check_time(*_: object) -> None:  # before each operator: forms within forms make one page as long as thousands
        if time.thread_time() > ends:
            raise _OutOfTimeError

    texts: list[str | None] = []
    length = 0
    for number in range(len(reader.pages)):
        try:
            check_time()
            page = reader.pages[number]
            content = page.get_contents()
            drawn = b"" if content is None else content.get_data()
            has_text = any(sign in drawn for sign in _DRAWS_TEXT)
            texts.append(page.extract_text(visitor_operand_before=check_time) if has_text else "")
        except DependencyError:
            raise InputError("is encrypted: save a copy without protection", path=name) from None
        except _OutOfTimeError:
            break
        except Exception:  # noqa: BLE001 - one damaged page; it is named among those that were not read
            texts.append(None)
        length += len(texts[-1] or "")
        if length > LONGEST:  # many pages may draw one stream: a small file with more text than there is memory
            raise InputError(f"holds more than {LONGEST:,} characters: split it", path=name)
    return texts


def is_garbled(text: str) -> bool:
    """Return whether a page's characters are not the ones a reader sees: glyph names, private use, or shuffled letters."""
    solid = sum(not char.isspace() for char in text)
    if sum(len(odd[0]) for odd in _ODD.finditer(text)) > _MOST_ODD * solid:
        return True
    letters = len(_LATIN.findall(text))
    return letters >= _ENOUGH and len(_VOWELS.findall(text)) < _LEAST_VOWELS * letters


def _unread(name: str, texts: Sequence[str | None], readable: Sequence[str | None], pages: int) -> tuple[str, ...]:
    kinds = {
        "could not be read (damaged)": [n for n, text in enumerate(texts, 1) if text is None],
        "without text (scanned? OCR makes it readable)": [
            n for n, text in enumerate(texts, 1) if text is not None and not text.strip()
        ],
        "whose text does not decode (print it to PDF anew, or use OCR)": [
            n
            for n, (text, kept) in enumerate(zip(texts, readable, strict=True), 1)
            if text and text.strip() and kept is None
        ],
        f"left out (reading took more than {SECONDS:g} s: split the file)": list(range(len(texts) + 1, pages + 1)),
    }
    return tuple(f"{name}: {pages_in_words(which)} of {pages} {said}" for said, which in kinds.items() if which)


def pages_in_words(pages: Sequence[int]) -> str:
    """Name pages with their count: ``3 pages (2, 7–8)``."""
    runs: list[list[int]] = []
    for page in pages:
        if runs and page == runs[-1][-1] + 1:
            runs[-1].append(page)
        else:
            runs.append([page])
    named = ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs)
    return f"page {named}" if len(pages) == 1 else f"{len(pages)} pages ({named})"


def _said(error: Exception) -> str:
    return " ".join(str(error).split())[:120] or type(error).__name__
