"""Run the console examples of the README and the docs again and write down what they print now.

A line `…` in an example stands for lines that are left out; as many lines before and after each stay as there were. Look at
the difference before committing it: an example that changed is a score that moved, or a line worth rewording.

Run: python docs/refresh.py
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BLOCK = re.compile(r"(?:<!-- file: (?P<file>\S+) -->\n)?```(?P<kind>\w+)\n(?P<body>.*?)```", re.DOTALL)


_ALIKE = 12
"""Characters at the start of a line by which it is found again, though its figures moved."""


def printed(command: str, folder: Path) -> list[str]:
    """Run a command as a reader would; give the lines of its standard output."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    environment = os.environ | {"COLUMNS": "80", "NO_COLOR": "1", "PATH": path}
    shown = command.replace("make demo", "showable demo")
    done = subprocess.run(shown, shell=True, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    return [line.rstrip() for line in done.stdout.splitlines()]


def shortened(before: list[str], now: list[str]) -> list[str]:
    """Leave out what was left out before: the lines between the first ones and, after each `…`, those that followed."""
    if "…" not in before:
        return now
    head = before.index("…")
    tail = before[head + 1 :]
    kept = tail.index("…") if "…" in tail else len(tail)
    rest = now[head:]
    alike = (at for at, line in enumerate(rest) if tail and line[:_ALIKE] == tail[0][:_ALIKE])
    start = next(alike, len(rest) - kept)
    return [*now[:head], "…", *shortened(tail, rest[start:])] if tail else [*now[:head], "…"]


def refreshed(body: str, folder: Path) -> str:
    """Give a console block with what its commands print now."""
    sessions: list[tuple[str, list[str]]] = []
    for line in body.splitlines():
        if line.startswith("$ "):
            sessions.append((line[2:], []))
        else:
            sessions[-1][1].append(line)
    lines = []
    for command, before in sessions:
        lines += [f"$ {command}", *shortened(before, printed(command, folder))]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Refresh every page."""
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)

            def renew(match: re.Match[str], folder: Path = folder) -> str:
                if match["file"]:
                    (folder / match["file"]).write_text(match["body"], encoding="utf-8")
                if match["kind"] != "console":
                    return match[0]
                return match[0].replace(match["body"], refreshed(match["body"], folder))

            text = page.read_text(encoding="utf-8")
            page.write_text(BLOCK.sub(renew, text), encoding="utf-8")


if __name__ == "__main__":
    main()
