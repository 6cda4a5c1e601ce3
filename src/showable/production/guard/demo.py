"""`showable guard --demo`: a guard in front of a scripted model, both on loopback, and a call that shows what it does."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable
from pathlib import Path

from showable.production.guard.cost import Prices
from showable.production.guard.demo_upstream import start_demo_upstream
from showable.production.guard.guard_file import PriceTable, read_guard_file
from showable.production.guard.worker import Worker, guard_until_signalled, listening_socket

CONFIG = """[upstream.model]
base_url = "http://127.0.0.1:{port}"
apis = ["chat", "responses", "messages"]
key = "client"

[[route]]
name = "all"
upstream = "model"
profile = "general"
no_retrieval = "reject"
semantic = "off"
"""


def guard_demo(listen: tuple[str, int], ready: Callable[[str], None]) -> None:
    """Guard the scripted model until Ctrl-C; `ready` is told the address."""
    import uvloop  # noqa: PLC0415 - an extra

    uvloop.run(_demo(listen, ready))


async def _demo(listen: tuple[str, int], ready: Callable[[str], None]) -> None:
    upstream = await start_demo_upstream()
    taken = listening_socket(*listen)
    with tempfile.TemporaryDirectory(prefix="showable-guard-") as folder:
        config = Path(folder) / "guard.toml"
        config.write_text(CONFIG.format(port=upstream.sockets[0].getsockname()[1]), "utf-8")
        prices = Prices(
            dict.fromkeys(("answers", "invents", "misquotes", "refuses"), PriceTable(input=1.0, output=4.0)), {}
        )
        host, port = taken.getsockname()[:2]
        ready(f"http://{host}:{port}")
        try:
            await guard_until_signalled(Worker(read_guard_file(config), prices, Path(folder)), taken)
        finally:
            upstream.close()
            await asyncio.sleep(0)
