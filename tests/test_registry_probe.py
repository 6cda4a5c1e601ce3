"""The smoke test of live registries, on local ones, of which one has drifted."""

import asyncio
import json

import pytest
from aiohttp import web
from registry_doubles import loopback_web, serve
from registry_doubles.clinical_trials import clinical_trials
from registry_doubles.edgar import edgar
from registry_doubles.open_library import open_library
from registry_doubles.openfda import openfda

from probative.records import Reference
from probative.registries.catalogue import NAMES, registry_class
from probative.registries.clinical_trials import ClinicalTrials
from probative.registries.drugs_at_fda import DrugsAtFda
from probative.registries.edgar import Edgar
from probative.registries.open_library import OpenLibrary
from probative.registries.probe import EXPECTED, probe, probe_one
from probative.registries.settings import Settings

MINE = ("orange_book", "drugs_at_fda", "dailymed", "clinical_trials", "edgar", "open_library", "wayback", "web_page")


def probed(registry_class, app, *, mailto="reader@example.org"):
    with serve(app) as base:
        settings = Settings(base={registry_class.name: base, "edgar_archives": base}, mailto=mailto)
        return asyncio.run(probe_one(registry_class(loopback_web(base), settings)))


def saying(body, status=200):
    async def answer(_):
        return web.Response(body=body.encode(), status=status, content_type="application/json")

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", answer)
    return app


@pytest.mark.parametrize(
    ("registry_class", "app"),
    [
        (DrugsAtFda, openfda([])),
        (ClinicalTrials, clinical_trials()),
        (Edgar, edgar([])),
        (OpenLibrary, open_library([])),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_a_registry_in_its_documented_shape(registry_class, app):
    result = probed(registry_class, app)
    assert (result.health, result.missing, result.status) == ("as_documented", (), "found")
    assert result.ms > 0
    assert result.asked == registry_class.known.text


def test_fields_that_have_gone_are_named():
    drifted = {
        "results": [{"application_number": "NDA020702", "sponsorName": "X", "products": [{"brandName": "LIPITOR"}]}]
    }
    result = probed(DrugsAtFda, saying(json.dumps(drifted)))
    assert result.health == "drifted"
    assert result.missing == ("title", "publisher", "facts.ingredients", "facts.approved")


@pytest.mark.parametrize(
    ("body", "status", "health"),
    [
        ('{"hits": []}', 200, "drifted"),
        ("<html>", 200, "drifted"),
        ('{"error": {"code": "NOT_FOUND"}}', 404, "lost"),
        ("<html>no such path</html>", 404, "no_answer"),
        ("", 403, "no_answer"),
    ],
)
def test_other_answers(body, status, health):
    result = probed(DrugsAtFda, saying(body, status))
    assert result.health == health
    assert result.reason


def test_what_is_not_configured_is_not_asked():
    result = probed(Edgar, edgar([]), mailto=None)
    assert (result.health, result.ms) == ("not_configured", 0.0)


def test_a_registry_without_a_known_record_is_told():
    class Silent(DrugsAtFda):
        known = None

    assert probed(Silent, openfda([])).health == "no_probe"


def test_all_are_asked_in_the_order_given():
    with serve(openfda([])) as base:
        settings = Settings(base={"drugs_at_fda": base, "orange_book": base})
        registries = {
            name: registry_class(name)(loopback_web(base), settings) for name in ("orange_book", "drugs_at_fda")
        }
        results = asyncio.run(probe(registries))
        assert [one.registry for one in asyncio.run(probe(registries, ["drugs_at_fda"]))] == ["drugs_at_fda"]
    assert [(one.registry, one.health) for one in results] == [
        ("orange_book", "as_documented"),
        ("drugs_at_fda", "as_documented"),
    ]
    assert json.dumps([one.as_row() for one in results])


def test_what_is_expected_is_of_registries_that_there_are():
    assert set(EXPECTED) <= set(NAMES)


@pytest.mark.parametrize("name", MINE)
def test_a_known_record_can_be_asked_for(name):
    loaded = registry_class(name)
    assert isinstance(loaded.known, Reference)
    registry = loaded(None, Settings(mailto="reader@example.org"))
    assert registry.key(loaded.known)
    assert loaded.known.kind in registry.kinds
    assert registry.proves <= registry.kinds
    assert registry.not_configured() is None
    assert registry.name == name
