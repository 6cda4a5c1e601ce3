"""What every registry keeps to: its name and kinds, what it may prove, and that no failure of the network is a miss."""

import asyncio
import json
import re
from contextlib import ExitStack
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from aiohttp import web
from hypothesis import given, settings
from hypothesis import strategies as st
from registry_doubles import UNHURRIED, serve
from registry_doubles.known_records import APPS, served
from tables import every_row

import showable.registries
from showable.errors import SettingError
from showable.records import Found, Reference, Registry
from showable.registries.catalogue import NAMES, REGISTRIES, make_registries, registry_class
from showable.registries.consult_order import (
    DEFAULT_ALSO,
    DEFAULT_ORDER,
    INDEXES,
    LOCAL,
    READ_CITED_ADDRESSES,
)
from showable.registries.settings import SECRETS, Settings
from showable.registries.web.asking import Pace
from showable.registries.web.client import SafeNetwork
from showable.registries.web.limits import Limits

KINDS = {
    "case", "case_short", "supra", "id", "neutral_uk", "westlaw", "lexis", "docket", "usc", "cfr", "fed_reg", "public_law",
    "statutes_at_large", "fed_rule", "law_journal", "doi", "pmid", "pmcid", "arxiv", "isbn", "issn", "nct", "fda_application",
    "sec_accession", "nbk", "bibliographic", "news", "url",
}  # fmt: skip
NEED_SETTING = {"openalex", "courtlistener", "westlaw", "lexis", "pacer", "edgar"}
"""Those that cannot be asked without a key, a token, a contract or (EDGAR) a mail address: each service's documentation."""
NOTHING_LEARNED = {"unreachable", "rate_limited", "not_configured"}
ENTRY = {
    "style": "vancouver", "authors": "Mann BJ; Torian BE", "title": "Sequence of a cysteine-rich galactose-specific lectin",
    "container": "Proc Natl Acad Sci U S A", "year": "1991", "volume": "88", "pages": "3248",
}  # fmt: skip


class Everywhere(dict):
    """Addresses: whatever a registry asks for is here."""

    def __init__(self, base):
        super().__init__()
        self._base = base

    def get(self, name, default=None):
        return f"{self._base}/{name}"


def settings_for(base, *, secrets=True):
    return Settings(
        base=Everywhere(base), secrets=dict.fromkeys(SECRETS, "s3cret") if secrets else {}, mailto="a@example.org"
    )


def made(name, base, **limits):
    port = int(base.rpartition(":")[2])
    network = SafeNetwork(
        allow=frozenset({("127.0.0.1", port)}),
        keep_alive=False,
        limits=Limits(tries=1, connect_s=2, read_s=2, total_s=4, patience_s=8, **limits),
    )
    return registry_class(name)(network.bind(name, UNHURRIED), settings_for(base))


def known(name, base):
    """The record that a registry is probed for, on the server at hand where the record is an address."""
    reference = registry_class(name).known
    if "url" in reference.fields:
        return reference.model_copy(update={"fields": {**reference.fields, "url": f"{base}/articles/heat-in-cells"}})
    return reference


def references(name, base):
    yield known(name, base)
    if "bibliographic" in registry_class(name).kinds:
        yield Reference(kind="bibliographic", text="an entry", fields=ENTRY)


def answering(status, body, content_type="application/json", headers=None):
    async def reply(request):
        return web.Response(status=status, text=body, content_type=content_type, headers=headers)

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", reply)
    return app


@pytest.fixture(scope="module")
def server():
    """Servers that answer everything alike, each started once."""
    running = {}
    with ExitStack() as stack:

        def base(*answer, **headers):
            key = (*answer, *headers.items())
            if key not in running:
                running[key] = stack.enter_context(serve(answering(*answer, headers=headers or None)))
            return running[key]

        yield base


def find_all(name, base):
    async def run():
        registry = made(name, base)
        return [await registry.find(reference) for reference in references(name, base) if registry.key(reference)]

    return asyncio.run(run())


# --- the catalogue -------------------------------------------------------------------------------------------


def test_names_are_unique_and_those_of_their_files():
    assert len(set(NAMES)) == len(NAMES)
    folder = Path(showable.registries.__file__).parent
    assert [name for name in NAMES if not (folder / f"{name}.py").is_file()] == []


def test_nothing_is_imported_before_it_is_asked_for():
    def never(name, pace):
        raise AssertionError("a way out was made for a registry that nobody asked")

    registries = make_registries(never, Settings())
    assert list(registries) == list(NAMES)
    assert len(registries) == len(REGISTRIES)
    assert "crossref" in registries
    assert "crosref" not in registries
    with pytest.raises(KeyError):
        registries["crosref"]


def test_a_registry_that_is_not_there_is_the_users_mistake():
    with pytest.raises(SettingError, match="no registry is called 'crosref'"):
        registry_class("crosref")


def test_each_is_made_once_with_its_own_way_out():
    ways = []
    registries = make_registries(lambda name, pace: ways.append((name, pace)), Settings())
    assert registries["crossref"] is registries["crossref"]
    assert ways == [("crossref", registry_class("crossref").pace)]


@every_row(("table", "kind"), [(table, kind) for table in ("order", "also") for kind in DEFAULT_ORDER])
def test_the_default_order_asks_registries_about_kinds_that_they_know(table, kind):
    names = (DEFAULT_ORDER if table == "order" else DEFAULT_ALSO).get(kind, ())
    assert [name for name in names if kind not in registry_class(name).kinds] == []
    assert LOCAL not in names


@every_row("name", NAMES)
def test_every_registry_is_asked_about_every_kind_that_it_knows(name):
    asked = {kind for table in (DEFAULT_ORDER, DEFAULT_ALSO) for kind, names in table.items() if name in names}
    assert asked, f"{name} is in no order"


def test_an_index_needs_no_key():
    assert not INDEXES & NEED_SETTING
    assert all("bibliographic" in registry_class(name).kinds for name in INDEXES)


# --- each ----------------------------------------------------------------------------------------------------


@every_row("name", NAMES)
def test_what_a_registry_says_of_itself(name):
    kind = registry_class(name)
    assert kind.name == name
    assert kind.kinds
    assert kind.kinds <= KINDS
    assert kind.proves <= kind.kinds
    assert isinstance(kind.pace, Pace)
    assert 0 < kind.pace.per_second <= 10  # nobody is asked more often than that without an agreement
    assert 1 <= kind.pace.at_once <= 4
    assert re.match(r"\w.*[.:]", kind.__doc__)
    assert kind.known.kind in kind.kinds
    assert isinstance(made(name, "http://127.0.0.1:9"), Registry)


def test_whoever_asks_addresses_that_a_text_names_is_known():
    assert {name for name in NAMES if "url" in registry_class(name).proves} == READ_CITED_ADDRESSES


@every_row("name", NAMES)
def test_without_settings_those_that_need_one_say_so(name):
    registry = registry_class(name)(SafeNetwork().bind(name, UNHURRIED), Settings())
    missing = registry.not_configured()
    assert (missing is not None) == (name in NEED_SETTING)
    assert missing is None or "\n" not in missing


@every_row("name", NAMES)
def test_a_key_is_the_same_for_the_same_id_and_none_where_there_is_none(name):
    registry = made(name, "http://127.0.0.1:9")
    reference = known(name, "http://127.0.0.1:9")
    assert registry.key(reference)
    assert registry.key(reference) == registry.key(reference.model_copy(update={"text": "written otherwise"}))
    assert registry.key(Reference(kind=reference.kind, text="", fields={})) is None


FIELDS = sorted({
    "doi", "pmid", "pmcid", "arxiv", "isbn", "nct", "nbk", "accession", "cik", "type", "number", "title", "section", "volume",
    "reporter", "page", "case_name", "year", "court", "url", "authors", "container", "date", "congress", "part", "series",
})  # fmt: skip


@cache
def at_rest(name):
    return made(name, "http://127.0.0.1:9")


@settings(max_examples=60)
@given(fields=st.dictionaries(st.sampled_from(FIELDS), st.text(max_size=30)))
def test_no_text_makes_a_key_raise(fields):
    for name in NAMES:
        for kind in sorted(registry_class(name).kinds):
            key = at_rest(name).key(Reference(kind=kind, text="", fields=fields))
            assert key is None or isinstance(key, str), name


# --- what the network does ------------------------------------------------------------------------------------


@every_row("name", NAMES)
def test_where_nobody_listens_it_is_unreachable(name):
    with serve(answering(200, "")) as base:
        pass
    for found in find_all(name, base):
        assert found.status in NOTHING_LEARNED, found
        assert found.reason


GARBAGE = [
    (200, "not what was asked for", "text/plain"),
    (200, "{}", "application/json"),
    (200, "[]", "application/json"),
    (200, "null", "application/json"),
    (200, '{"unexpected": [{"shape": 5}]}', "application/json"),
    (200, "<html><body>Please try again later</body></html>", "text/html"),
    (200, "<feed/>", "application/xml"),
    (200, "<h1>Sorry</h1>The page was not found. Sign in to use this network.", "text/html"),
    (200, '{"error": "maintenance"}', "application/json"),
    (200, "[" * 100_000, "application/json"),
    (404, "<html>a proxy's own page: not found</html>", "text/html"),
    (404, "Not Found", "text/plain"),
    (404, '{"message": "no Route matched with those values"}', "application/json"),
    (404, "", "text/plain"),
    (400, "<html>Bad Request</html>", "text/html"),
    (200, "", "application/json"),
    (204, "", "application/json"),
]


@every_row("name", [name for name in NAMES if name not in READ_CITED_ADDRESSES])
@every_row(("status", "body", "content_type"), GARBAGE)
def test_an_answer_of_another_shape_proves_nothing(name, status, body, content_type, server):
    for found in find_all(name, server(status, body, content_type)):
        assert found.status in NOTHING_LEARNED | {"not_covered"}, found


@every_row("name", NAMES)
@every_row("status", [401, 403, 429, 500, 502, 503])
def test_a_refusal_or_a_failure_proves_nothing(name, status, server):
    """A store of files may answer 403 for what it does not hold, so that is no evidence of an outage either."""
    for found in find_all(name, server(status, '{"error": "no", "detail": "no"}')):
        assert found.status in (NOTHING_LEARNED | {"not_covered"} if status == 403 else NOTHING_LEARNED), found
        assert found.reason
        assert "s3cret" not in found.model_dump_json()


@every_row("name", NAMES)
def test_a_redirect_to_somewhere_else_proves_nothing(name, server):
    """A captive portal, a sign-in page: 302 to another host, which answers 200."""
    portal = server(200, "<html><title>Sign in</title></html>", "text/html")
    away = server(302, "", "text/plain", Location=f"{portal}/login")
    for found in find_all(name, away):
        assert found.status not in {"found", "not_found", "malformed"}, found


@every_row("name", NAMES)
def test_no_secret_is_in_an_answer(name, server):
    for found in find_all(name, server(404, "nothing", "text/plain")):
        assert isinstance(found, Found)
        assert "s3cret" not in found.model_dump_json()
        assert "a@example.org" not in (found.url or "")


# --- an answer that has changed its shape ---------------------------------------------------------------------

AUTHORITIES = [name for name in APPS if registry_class(name).proves]
PAGES = {"us_code", "web_page"}
"""Those whose answers are pages for people, which have no keys."""
DRIFTS = {
    "dropped": lambda table, key: table.pop(key),
    "renamed": lambda table, key: table.update({f"{key}_v2": table.pop(key)}),
    "null": lambda table, key: table.update({key: None}),
    "another type": lambda table, key: table.update({key: {"value": table[key]}}),
    "a list of it": lambda table, key: table.update({key: [table[key]]}),
}


class Drifting:
    """A way out on which every answer's body is changed before it is read."""

    def __init__(self, web, change):
        self._web, self._change = web, change

    async def ask(self, *args, **options):
        reply = await self._web.ask(*args, **options)
        return replace(reply, body=self._change(reply.body))


def key_paths(value):
    """The paths of keys in JSON, lists passed through."""
    if isinstance(value, list):
        for one in value:
            yield from key_paths(one)
    elif isinstance(value, dict):
        for key, held in value.items():
            yield (key,)
            yield from ((key, *path) for path in key_paths(held))


def at(value, path, drift):
    """Change what is at a path, wherever that leads to."""
    if isinstance(value, list):
        for one in value:
            at(one, path, drift)
    elif isinstance(value, dict) and path[0] in value:
        if len(path) == 1:
            drift(value, path[0])
        else:
            at(value[path[0]], path[1:], drift)


def read_json(body):
    try:
        return json.loads(body)
    except ValueError:
        return None


def drifted(path, drift):
    def change(body):
        said = read_json(body)
        if said is None:
            return body
        at(said, path, drift)
        return json.dumps(said).encode()

    return change


def renamed_tag(tag):
    return lambda body: re.sub(rb"(</?)" + tag + rb"(?=[\s>/])", rb"\g<1>" + tag + b"V2", body)


def find_known(name, at_hand, change):
    reference = registry_class(name).known
    if at_hand.page:
        reference = reference.model_copy(update={"fields": {**reference.fields, "url": at_hand.page}})
    settings = Settings(base=at_hand.base, secrets=at_hand.secrets, mailto="a@example.org")
    return asyncio.run(registry_class(name)(Drifting(at_hand.web, change), settings).find(reference))


@pytest.mark.parametrize("name", AUTHORITIES)
def test_an_authority_whose_shape_has_changed_never_says_that_a_known_record_is_not_there(name):
    """Each key and each element of its healthy answers in turn, at every depth."""
    bodies = []
    with served(name) as at_hand:
        assert find_known(name, at_hand, lambda body: bodies.append(body) or body).status == "found"
        paths = dict.fromkeys(path for body in bodies for path in key_paths(read_json(body)))
        changes = {f"{path} {how}": drifted(path, drift) for path in paths for how, drift in DRIFTS.items()}
        tags = {tag for body in bodies if body.startswith(b"<?xml") for tag in re.findall(rb"<([A-Za-z:]+)", body)}
        changes |= {tag.decode(): renamed_tag(tag) for tag in tags}
        assert changes or name in PAGES
        told = {what: find_known(name, at_hand, change) for what, change in changes.items()}
    assert {what: one for what, one in told.items() if one.status in {"not_found", "malformed"}} == {}
    assert all(one.reason for one in told.values() if one.status != "found")
