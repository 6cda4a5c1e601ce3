"""Pages that are not what they were asked for, though the server says 200: errors, front doors, and the same for everything."""

from __future__ import annotations

import re

from showable.registries.pages.page import Page

_PARTS = re.compile(r"\s+[|\-–—·•:»/]+\s*|[.!?…]+(?:\s+|$)|[|»•]")
_NOT_THERE = re.compile(
    r"(?:http\s+)?(?:error\s*)?(?:code\s*)?404(?:\s*error)?[:,]?(?:\s*(?:page|file))?(?:\s*not\s+found)?"
    r"|(?:error\s*)?410(?:\s*gone)?"
    r"|(?:oops,?\s*)?(?:(?:the|this|that|your)\s+)?(?:requested\s+)?"
    r"(?:page|file|article|story|document|content|site|url|link|resource|item|post|entry)?(?:\s+you\s+requested)?"
    r"(?:\s+(?:was|is|could|can))?\s*(?:not|n['’]t)\s+(?:be\s+)?(?:found|available|exist)"
    r"|(?:(?:the|this|that)\s+)?(?:page|article|story|document|content)\s+(?:(?:is\s+)?no\s+longer\s+(?:available|exists?)"
    r"|(?:does|do)(?:\s+not|n['’]t)\s+exist|(?:is\s+)?unavailable|(?:has\s+been|was)\s+(?:removed|deleted)|missing|expired)"
    r"|(?:(?:sorry,?\s*)?we\s+)?(?:can['’]?t|cannot|can\s+not|couldn['’]?t|could\s+not)\s+find\s+(?:the|that|this)\s+(?:page|article|story)"
    r"|(?:die\s+)?(?:seite|artikel|inhalt|dokument)\s+(?:wurde\s+|konnte\s+)?(?:nicht\s+gefunden(?:\s+werden)?|existiert\s+nicht)"
    r"|(?:cette\s+|la\s+)?(?:page|article)\s+(?:est\s+)?(?:introuvable|non\s+trouv[ée]e?|n['’]existe\s+(?:pas|plus))"
    r"|(?:la\s+)?p[áa]gina\s+(?:no\s+(?:encontrada|existe|disponible)|n[ãa]o\s+encontrada|non\s+trovata)"
    r"|(?:de\s+)?pagina\s+(?:is\s+)?niet\s+gevonden|(?:strona|nie\s+znaleziono\s+strony|strony\s+nie\s+znaleziono)(?:\s+nie\s+istnieje)?"
    r"|sidan\s+(?:kunde\s+inte\s+hittas|hittades\s+inte|finns\s+inte)|siden\s+(?:blev\s+|ble\s+)?ikke\s+funnet|siden\s+findes\s+ikke"
    r"|страница\s+не\s+(?:найдена|существует)|сторінк[ау]\s+не\s+(?:знайдено|існує)|sayfa\s+bulunamad[ıi]"
    r"|页面不存在|找不到页面|页面未找到|您访问的页面不存在|找不到網頁|ページが見つかりません(?:でした)?|페이지를 찾을 수 없습니다|الصفحة غير موجودة",
    re.IGNORECASE,
)
_BARRED = re.compile(
    r"just\s+a\s+moment|attention\s+required|access\s+(?:to\s+this\s+page\s+has\s+been\s+)?denied|(?:error\s*)?403(?:\s*forbidden)?"
    r"|are\s+you\s+a\s+robot|robot\s+check|(?:please\s+)?verify(?:ing)?\s+(?:that\s+)?you\s+are\s+(?:a\s+)?human|human\s+verification"
    r"|pardon\s+our\s+interruption|security\s+(?:check|checkpoint)|checking\s+your\s+browser|request\s+(?:blocked|rejected|unsuccessful)"
    r"|captcha\s+(?:required|challenge|check)|un(?:usual|authorized)\s+(?:traffic|activity|access)|ddos-guard|before\s+you\s+continue(?:\s+to\s+\w+)?"
    r"|(?:5\d\d\s+)?(?:service\s+(?:temporarily\s+)?unavailable|internal\s+server\s+error|bad\s+gateway|gateway\s+time-?out)"
    r"|(?:(?:site|website|page)\s+)?(?:is\s+)?under\s+maintenance|maintenance\s+mode",
    re.IGNORECASE,
)
_ALIKE = 90.0
_COMPARED = 5_000
_LONGEST_NOTE = 2_000


def says_not_there(page: Page) -> str | None:
    """Return the title or heading in which a page says that it is not there; None where it says no such thing.

    A part of a title has to say that and nothing else: "Missing plane not found" is a story. A page that
    describes itself as an article is one, even one about error 404.
    """
    return None if page.described else _said(page, _NOT_THERE)


def says_barred(page: Page) -> str | None:
    """Return the title or heading in which a page keeps a reader out, or says that the server is not well."""
    return None if page.described or len(page.text) > _LONGEST_NOTE else _said(page, _BARRED)


def same_page(one: Page, other: Page) -> bool:
    """Check whether two answers are one page: the same title, and text that is nearly the same."""
    from rapidfuzz import fuzz  # noqa: PLC0415 - only doubtful pages need it

    if fuzz.ratio(one.tab or "", other.tab or "") < _ALIKE and (one.tab or other.tab):
        return False
    a, b = one.text[:_COMPARED], other.text[:_COMPARED]
    return bool(fuzz.ratio(a, b) > _ALIKE) if a or b else True


def is_doubtful(page: Page) -> bool:
    """Check whether a page has to be held against what its host says of an address that cannot be: it describes no article."""
    return not page.described


def _said(page: Page, form: re.Pattern[str]) -> str | None:
    for text in (page.tab, page.heading):
        parts = [part.strip(" .!'\"“”’()[]") for part in _PARTS.split((text or "")[:300])]
        if any(form.fullmatch(part) for part in parts if part):
            return text
    return None
