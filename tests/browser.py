"""Chromium, as the machine has it, driven by Playwright; and axe-core run over a page.

One Chromium serves all tests of a process: to start one costs 0.7 s of CPU, a context of its own 0.3 s, a page opened in a
context that is there 0.1 s.
"""

import asyncio
import shutil
from contextlib import contextmanager
from dataclasses import dataclass

import pytest

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
DESKTOP, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
BY_LOOKS = ["color-contrast", "scrollable-region-focusable"]
"""The rules of axe-core that hang on colours and on sizes: what is left to ask of a page in another theme or width."""


@dataclass
class Driver:
    """A Chromium that lives as long as the process, and the event loop that Playwright runs in this thread.

    Where that loop is in force `asyncio.run` fails: so it is in force only where the browser is driven.
    """

    browser: object
    loop: asyncio.AbstractEventLoop

    @contextmanager
    def driving(self):
        """Give the browser, with its loop in force meanwhile."""
        before = asyncio._get_running_loop()
        asyncio._set_running_loop(self.loop)
        try:
            yield self.browser
        finally:
            asyncio._set_running_loop(before)


@contextmanager
def chromium():
    """Start the Chromium of this process; gives its driver."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        driver = Driver(browser, asyncio._get_running_loop())
        asyncio._set_running_loop(None)
        try:
            yield driver
        finally:
            asyncio._set_running_loop(driver.loop)
            browser.close()


def watched(context):
    """Open a page; what it asks for and what goes wrong on it are kept on it."""
    page = context.new_page()
    page.asked, page.errors = [], []
    page.on("request", lambda request: page.asked.append(request.url))
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    page.on("console", lambda said: page.errors.append(said.text) if said.type == "error" else None)
    page.on("dialog", lambda dialog: (page.errors.append(f"dialog: {dialog.message}"), dialog.dismiss()))
    return page


@contextmanager
def alone(browser, **context):
    """Give a watched page in a context of its own; `context` is Playwright's: viewport, color_scheme, java_script_enabled …"""
    own = browser.new_context(**{"viewport": DESKTOP} | context)
    try:
        yield watched(own)
    finally:
        own.close()


_KEPT = []
"""The page that `shared` opens what it is given in, one after the other."""


@contextmanager
def shared(browser, viewport=DESKTOP, color_scheme="light"):
    """Give a watched page as good as new; one that a test failed on is not used again."""
    page = _KEPT.pop() if _KEPT else watched(browser.new_context())
    page.asked, page.errors = [], []
    page.set_viewport_size(viewport)
    page.emulate_media(media="screen", color_scheme=color_scheme)
    try:
        yield page
    except BaseException:
        page.context.close()
        raise
    page.unroute_all()
    page.context.clear_cookies()
    page.evaluate("localStorage.clear()")
    page.mouse.move(0, 0)
    page.goto("about:blank")
    _KEPT.append(page)


def faults(page, impacts=("serious", "critical"), rules=None, within=None):
    """List what axe-core finds at fault on the page as it stands, in words; by all of its rules or some, in all of it or a part."""
    from axe_playwright_python.base import AXE_SCRIPT

    # to read all style sheets anew, which no rule that is on asks for, would take a third of the time
    options = {"resultTypes": ["violations"], "preload": False}
    options |= {"runOnly": {"type": "rule", "values": rules}} if rules else {}
    if not page.evaluate("'axe' in globalThis"):
        page.evaluate(f"{AXE_SCRIPT}; 0")
    run = "([within, options]) => axe.run(within ?? document, options).then((found) => found.violations)"
    found = page.evaluate(run, [within, options])
    return [
        f"{one['id']}: {one['help']} {[node['target'] for node in one['nodes'][:3]]}"
        for one in found
        if one["impact"] in impacts
    ]
