"""Chromium, as the machine has it, driven by Playwright; and axe-core run over a page.

While a browser is open Playwright keeps an event loop running in this thread, in which `asyncio.run` fails: make what is to be
looked at (a run, a report) before the browser is opened, or in a subprocess.
"""

import shutil
from contextlib import contextmanager

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


@contextmanager
def chromium(**context):
    """Give a page of a fresh browser that may fetch nothing; what it tried to fetch and what went wrong are kept on it.

    `context` is Playwright's: viewport, color_scheme, java_script_enabled …
    """
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        page = browser.new_context(**{"viewport": DESKTOP} | context).new_page()
        page.asked, page.errors = [], []
        page.on("request", lambda request: page.asked.append(request.url))
        page.on("pageerror", lambda error: page.errors.append(str(error)))
        page.on("console", lambda said: page.errors.append(said.text) if said.type == "error" else None)
        page.on("dialog", lambda dialog: (page.errors.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        try:
            yield page
        finally:
            browser.close()


def faults(page, impacts=("serious", "critical"), rules=None, within=None):
    """List what axe-core finds at fault on the page as it stands, in words; by all of its rules or some, in all of it or a part."""
    from axe_playwright_python.sync_playwright import Axe

    options = {"resultTypes": ["violations"]} | ({"runOnly": {"type": "rule", "values": rules}} if rules else {})
    found = Axe().run(page, context=within, options=options).response["violations"]
    return [
        f"{one['id']}: {one['help']} {[node['target'] for node in one['nodes'][:3]]}"
        for one in found
        if one["impact"] in impacts
    ]
