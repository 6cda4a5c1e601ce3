"""The dashboard of `showable serve`, running in a thread of this process over any store."""

from __future__ import annotations

import asyncio
import threading
from contextlib import contextmanager
from dataclasses import replace

from showable.review.serving import take_port
from showable.serving.page import serve_pages
from showable.serving.settings import ServeSettings


@contextmanager
def served(store, **settings):
    """Serve the pages of a store at a free port; gives the address."""
    taken = take_port("127.0.0.1", 0)
    made = replace(ServeSettings(str(store)), page_port=taken.getsockname()[1], **settings)
    stopping, ready = [], threading.Event()

    async def answer():
        stop = asyncio.Event()
        stopping.extend((asyncio.get_running_loop(), stop))
        asyncio.get_running_loop().call_soon(ready.set)
        await serve_pages(made, taken, stop)

    thread = threading.Thread(target=lambda: asyncio.run(answer()), daemon=True)
    thread.start()
    ready.wait(5)
    try:
        yield f"http://127.0.0.1:{made.page_port}"
    finally:
        stopping[0].call_soon_threadsafe(stopping[1].set)
        thread.join(5)
