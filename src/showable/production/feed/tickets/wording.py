"""What a ticket says, escaped for where it is shown: Markdown, Slack's mrkdwn, Atlassian's document format."""

from __future__ import annotations

import re
from typing import Any

from showable.production.feed.tickets.ticket import Ticket
from showable.report.untrusted import printable

_FOOT = "Counts and rule words alone: no text of a question, an answer or a passage is in this ticket."
_QUOTING = "Questions and claims are quoted, as a person allowed for this issue."
_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+!|~>-])")
"""Every sign that CommonMark or GitHub's dialect gives a meaning; ``EF-7`` becomes ``EF\\-7``, which is shown as it was."""
_MOST_VALUE = 300
_TITLE, _MOST_BLOCKS_TEXT, _MOST_HEADER = 250, 2_900, 150


def plain(text: str, limit: int = _MOST_VALUE) -> str:
    """Return text on one line that steers nothing and mentions nobody: ``@`` is written as ``＠``."""
    return printable(text, limit=limit).replace("@", "＠")


def markdown_line(text: str) -> str:
    """Return text that Markdown shows as it stands; HTML in it is shown too."""
    held = plain(text).replace("&", "&amp;").replace("<", "&lt;")
    return _MARKDOWN.sub(r"\\\1", held)


def markdown(ticket: Ticket) -> str:
    """Return a ticket's body as Markdown: a table of facts, the link, the foot."""
    rows = "\n".join(f"| {markdown_line(name)} | {markdown_line(value)} |" for name, value in facts(ticket))
    return f"| | |\n|---|---|\n{rows}\n\n<{ticket.link}>\n\n{foot(ticket)}"


def mrkdwn(text: str) -> str:
    """Return text for Slack, where ``&``, ``<`` and ``>`` are the signs that lead to mentions and links."""
    return plain(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def slack_blocks(ticket: Ticket) -> list[dict[str, Any]]:
    """Return a ticket as blocks of plain text, where no sign has a meaning; the link is a button-free section."""
    text = "\n".join(f"{plain(name)}: {plain(value)}" for name, value in facts(ticket))[:_MOST_BLOCKS_TEXT]
    return [
        {
            "type": "header",
            "text": {"type": "plain_text", "text": plain(ticket.headline, _MOST_HEADER), "emoji": False},
        },
        {"type": "section", "text": {"type": "plain_text", "text": text, "emoji": False}},
        {"type": "section", "text": {"type": "mrkdwn", "text": f"<{ticket.link}|{mrkdwn(ticket.issue)}>"}},
        {"type": "context", "elements": [{"type": "plain_text", "text": foot(ticket), "emoji": False}]},
    ]


def adf(*paragraphs: str, link: str = "") -> dict[str, Any]:
    """Return paragraphs as an Atlassian document, in whose text nodes no sign has a meaning."""
    content: list[dict[str, Any]] = [
        {"type": "paragraph", "content": [{"type": "text", "text": plain(text)}]} for text in paragraphs if plain(text)
    ]
    if link:
        marks = [{"type": "link", "attrs": {"href": link}}]
        content.append({"type": "paragraph", "content": [{"type": "text", "text": link, "marks": marks}]})
    return {"type": "doc", "version": 1, "content": content}


def title(ticket: Ticket) -> str:
    """Return the title within every vendor's length."""
    return plain(ticket.headline, _TITLE)


def facts(ticket: Ticket) -> tuple[tuple[str, str], ...]:
    """Return the pairs that every ticket shows: its state first, then what is known of the issue, then what it quotes."""
    return (("State", ticket.state), *ticket.facts, *ticket.quotes)


def foot(ticket: Ticket) -> str:
    """Return the line that says whether texts are in a ticket."""
    return _QUOTING if ticket.quotes else _FOOT
