"""Pages of the web, asked for on local servers that answer as well, and as badly, as servers do."""

import asyncio
import gzip
import json
import socket

import pytest
from registry_doubles import loopback_web, serve
from registry_doubles.site import Answer, moved, site
from registry_doubles.wayback import wayback

from showable.records import Reference
from showable.registries.settings import Settings
from showable.registries.wayback import Wayback
from showable.registries.web.limits import Limits
from showable.registries.web_page import WebPage

NO_ARCHIVE = "http://127.0.0.1:9"
HASTY = Limits(connect_s=2, read_s=0.3, total_s=0.6, tries=1)
WORDS = "The committee met on Tuesday to weigh the proposal and heard from residents of the valley. " * 20


def article(headline="Council approves the river plan", **more):
    data = {"@context": "https://schema.org", "@type": "NewsArticle", "headline": headline,
            "datePublished": "2024-03-05T21:00:00-05:00", "author": {"@type": "Person", "name": "Jane van der Berg"},
            "publisher": {"@type": "Organization", "name": "The Valley Courier"}, **more}  # fmt: skip
    script = f'<script type="application/ld+json">{json.dumps(data)}</script>'
    return f"<!doctype html><html><head><title>{headline} | Valley Courier</title>{script}</head><body><h1>{headline}</h1>{WORDS}</body></html>"


PLAIN = f"<html><head><title>River plan facts</title></head><body><h1>River plan facts</h1>{WORDS}</body></html>"
HOME = (
    "<html><head><title>Valley Courier</title></head><body>All the news. "
    + "A teaser of a story. " * 60
    + "</body></html>"
)


def look(answers, path, *, archive=None, otherwise=None, asked=None, registry_class=WebPage, kind="url", **options):
    """Ask for a path of a site; `archive` is the address of another archive than an empty one."""
    fields = {"url": None, **options.pop("fields", {})}
    with serve(site(answers, asked, otherwise=otherwise)) as base, serve(wayback({}, {}, {})) as empty:
        kept = archive or empty
        web = loopback_web(base, kept, limits=options.pop("limits", HASTY))
        settings = Settings(base={"wayback": kept, "wayback_copies": kept})
        registry = registry_class(web, settings, **options)
        reference = Reference(kind=kind, text="", fields={**fields, "url": base + path})
        return asyncio.run(registry.find(reference)), base


def entry_of(answers, path, **options):
    answer, base = look(answers, path, **options)
    assert answer.status == "found", answer
    return answer.entries[0], base


def test_a_live_page_is_found_with_what_it_says_of_itself():
    entry, base = entry_of({"/2024/river-plan-approved": Answer(article())}, "/2024/river-plan-approved", kind="news")
    assert entry.title == "Council approves the river plan"
    assert [(one.given, one.family) for one in entry.authors] == [("Jane", "van der Berg")]
    assert entry.date == "2024-03-05"  # as its readers read it, whatever the zone
    assert entry.years == (2024,)
    assert entry.containers[0] == "The Valley Courier"
    assert entry.publisher == "127.0.0.1"
    assert entry.facts["state"] == "live"
    assert entry.url == base + "/2024/river-plan-approved"


@pytest.mark.parametrize("head", [403, 404, 405, 429, 500, 501])
def test_a_refused_head_is_followed_by_get(head):
    entry, _ = entry_of({"/a/story": Answer(article(), head=head)}, "/a/story")
    assert entry.facts["state"] == "live"


def test_a_head_without_a_type_is_followed_by_get():
    asked = []
    entry, _ = entry_of({"/a/story": Answer(article(), type=None)}, "/a/story", asked=asked)
    assert entry.title == "Council approves the river plan"
    assert [method for method, path, _ in asked if path == "/a/story"] == ["HEAD", "GET"]


def test_a_file_is_found_by_its_head_alone():
    asked = []
    entry, _ = entry_of({"/report.pdf": Answer(b"%PDF-1.7", type="application/pdf")}, "/report.pdf", asked=asked)
    assert entry.facts == {"state": "live", "content_type": "application/pdf"}
    assert entry.title is None
    assert [method for method, path, _ in asked if path == "/report.pdf"] == ["HEAD"]


def test_who_asks_says_so():
    asked = []
    entry_of({"/a/story": Answer(article())}, "/a/story", asked=asked)
    assert {agent.split("/")[0] for _, _, agent in asked} == {"showable"}


def test_an_article_is_not_held_against_an_address_that_cannot_be():
    asked = []
    entry_of({"/a/story": Answer(article())}, "/a/story", asked=asked)
    assert {path for _, path, _ in asked} == {"/robots.txt", "/a/story"}


@pytest.mark.parametrize("status", [404, 410])
def test_gone_and_never_archived_is_not_found(status):
    answer, _ = look({"/a/story": Answer("<title>Gone</title>", status=status)}, "/a/story")
    assert (answer.status, answer.http_status) == ("not_found", status)
    assert "no copy" in answer.reason


def test_gone_but_archived_is_found_with_what_the_copy_says():
    at = "20190919044612"

    def archive_of(url):
        return wayback({url: (at, "200")}, {}, {(at, url): article("An older story of the valley").encode()})

    with serve(site({})) as base:
        url = base + "/2019/older-story"
        with serve(archive_of(url)) as kept:
            registry = WebPage(loopback_web(base, kept), Settings(base={"wayback": kept, "wayback_copies": kept}))
            answer = asyncio.run(registry.find(Reference(kind="url", text="", fields={"url": url})))
    entry = answer.entries[0]
    assert answer.status == "found"
    assert entry.title == "An older story of the valley"
    assert entry.facts["state"] == "gone"
    assert entry.facts["archived"] == "2019-09-19"
    assert "404" in entry.facts["gone"]


def test_gone_where_the_archive_does_not_answer_is_still_gone():
    answer, _ = look({}, "/a/story", archive=NO_ARCHIVE)
    assert answer.status == "not_found"
    assert "could not be asked" in answer.reason


@pytest.mark.parametrize(("archive", "status"), [(None, "not_found"), (NO_ARCHIVE, "unreachable")])
def test_a_host_that_does_not_exist_needs_the_word_of_the_archive(archive, status):
    async def resolver(host, port):
        if host == "127.0.0.1":
            return [host]
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    with serve(wayback({}, {}, {})) as empty:
        kept = archive or empty
        web = loopback_web(kept, limits=HASTY, resolver=resolver)
        registry = WebPage(web, Settings(base={"wayback": kept, "wayback_copies": kept}))
        reference = Reference(kind="url", text="", fields={"url": "https://no-such-host-at-all.example/story"})
        answer = asyncio.run(registry.find(reference))
    assert answer.status == status
    assert "no-such-host-at-all.example" in answer.reason


def test_a_resolver_that_fails_says_nothing():
    async def resolver(host, port):
        raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")

    web = loopback_web(limits=HASTY, resolver=resolver)
    registry = WebPage(web, Settings())
    reference = Reference(kind="url", text="", fields={"url": "https://example.com/story"})
    assert asyncio.run(registry.find(reference)).status == "unreachable"


@pytest.mark.parametrize("status", [401, 403, 407, 429, 451, 503, 500, 502, 400, 406, 418])
def test_a_refusal_is_no_proof(status):
    answer, _ = look({"/a/story": Answer("no", status=status)}, "/a/story")
    assert answer.status in {"unreachable", "rate_limited"}
    assert (answer.status == "rate_limited") == (status == 429)


@pytest.mark.parametrize(
    "page",
    [
        "<title>Just a moment...</title><body>Checking</body>",
        "<title>Attention Required! | Cloudflare</title><body>why?</body>",
        "<title>Access Denied</title><body>You don't have permission</body>",
        "<html><head><title>valleycourier.example</title></head><body><h1>Verify you are human</h1></body></html>",
        "<title>503 Service Temporarily Unavailable</title>",
    ],
)
def test_a_test_for_robots_is_no_page(page):
    answer, _ = look({"/a/story": Answer(page)}, "/a/story")
    assert answer.status == "unreachable"
    assert "page to get past" in answer.reason


def test_a_long_article_about_moments_is_read():
    page = f"<title>Just a Moment - Wikia</title><body>{WORDS * 3}</body>"
    entry, _ = entry_of({"/wiki/Just_a_Moment": Answer(page)}, "/wiki/Just_a_Moment")
    assert entry.title == "Just a Moment"


@pytest.mark.parametrize("to", ["/login?next=/a/story", "/accounts/signin", "/consent", "/cdn-cgi/challenge"])
def test_a_door_is_no_page(to):
    answer, _ = look({"/a/story": moved(to), to: Answer(PLAIN)}, "/a/story")
    assert answer.status == "unreachable"


@pytest.mark.parametrize(
    ("page", "title"),
    [
        ("<title>Page not found | Valley Courier</title><body>Sorry</body>", "en"),
        ("<title>Valley Courier</title><body><h1>404</h1></body>", "h1"),
        ("<title>Error 404 - Not Found</title>", "en"),
        ("<title>Seite nicht gefunden – Talbote</title>", "de"),
        ("<title>Página no encontrada</title>", "es"),
        ("<title>Page introuvable : Le Courrier</title>", "fr"),
        ("<title>Страница не найдена</title>", "ru"),
        ("<title>找不到页面</title>", "zh"),
        ("<title>This page is no longer available</title>", "en"),
        ("<title>Oops! We can’t find that page</title>", "en"),
    ],
)
def test_a_soft_404_proves_nothing_and_says_what_was_read(page, title):
    answer, _ = look({"/a/story": Answer(page)}, "/a/story")
    assert answer.status == "not_covered"
    assert "soft_404" in answer.reason
    assert answer.near[0].facts["state"] == "soft_404"


@pytest.mark.parametrize(
    "title",
    ["Missing plane not found after 10 years", "Error 404: how a number became a joke", "Why the page was not found in time",
     "The 404 area code turns 30", "Not found guilty, but ruined", "Article 50 exists no more than a hundred words"],
)  # fmt: skip
def test_a_story_about_what_is_not_found_is_a_story(title):
    page = f"<title>{title} | Courier</title><body>{WORDS}</body>"
    answer, _ = look({"/a/story": Answer(page)}, "/a/story")
    assert answer.status == "found"


def test_a_host_that_answers_everything_alike_proves_nothing():
    shell = "<html><head><title>Valley Courier</title></head><body><div id=root></div></body></html>"
    answer, _ = look({}, "/a/story", otherwise=Answer(shell))
    assert answer.status == "not_covered"
    assert "address that cannot be" in answer.reason


def test_a_short_page_of_a_host_that_knows_what_it_has_is_live():
    entry, _ = entry_of({"/a/note": Answer("<title>A note</title><body>Short.</body>")}, "/a/note")
    assert entry.facts["state"] == "live"


def test_a_page_unlike_the_one_for_everything_is_live():
    shell = Answer("<html><head><title>Valley Courier</title></head><body>Welcome</body></html>")
    entry, _ = entry_of({"/a/story": Answer(PLAIN)}, "/a/story", otherwise=shell)
    assert entry.title == "River plan facts"


def test_a_host_is_probed_once_for_all_its_pages():
    asked = []
    with serve(site({f"/a/{n}": Answer(PLAIN) for n in range(6)}, asked)) as base, serve(wayback({}, {}, {})) as kept:
        registry = WebPage(loopback_web(base, kept), Settings(base={"wayback": kept, "wayback_copies": kept}))
        references = [Reference(kind="url", text="", fields={"url": f"{base}/a/{n}"}) for n in range(6)]

        async def all_at_once():
            return await asyncio.gather(*(registry.find(one) for one in references))

        answers = asyncio.run(all_at_once())
        asyncio.run(registry.find(references[0]))  # on another event loop
    assert {answer.status for answer in answers} == {"found"}
    besides = [path for _, path, _ in asked if not path.startswith("/a/")]
    assert besides.count("/robots.txt") == 1
    assert len(besides) == 2


@pytest.mark.parametrize(
    ("path", "answers", "status", "state"),
    [
        ("/2020/05/a-story", {"/2020/05/a-story": moved("/"), "/": Answer(HOME)}, "not_covered", "redirected_home"),
        ("/2020/05/a-story", {"/2020/05/a-story": moved("/en/"), "/en/": Answer(HOME)}, "not_covered", "redirected_home"),
        ("/world/a-story", {"/world/a-story": moved("/world"), "/world": Answer(HOME)}, "not_covered", "redirected_home"),
        ("/a/story", {"/a/story": moved("/b/story", 301), "/b/story": Answer(article())}, "found", "redirected_same_content"),
        ("/news/12345/a-title", {"/news/12345/a-title": moved("/news/12345"), "/news/12345": Answer(article())}, "found", "redirected_same_content"),
        ("/a/story", {"/a/story": moved("/a/story/"), "/a/story/": Answer(article())}, "found", "redirected_same_content"),
        ("/", {"/": moved("/index.html"), "/index.html": Answer(HOME)}, "found", "redirected_same_content"),
        ("/a/story", {"/a/story": Answer("<meta http-equiv=refresh content='0; url=/'><title>x</title>")}, "not_covered", "redirected_home"),
    ],
)  # fmt: skip
def test_redirects(path, answers, status, state):
    answer, _ = look(answers, path)
    assert answer.status == status
    assert (*answer.entries, *answer.near)[0].facts["state"] == state


def test_a_redirect_home_of_a_page_that_was_archived_is_found_in_the_archive():
    at = "20200601000000"
    with serve(site({"/2020/a-story": moved("/"), "/": Answer(HOME)})) as base:
        url = base + "/2020/a-story"
        with serve(wayback({}, {url: [(at, "200")]}, {(at, url): article().encode()})) as kept:
            registry = WebPage(loopback_web(base, kept), Settings(base={"wayback": kept, "wayback_copies": kept}))
            answer = asyncio.run(registry.find(Reference(kind="url", text="", fields={"url": url})))
    assert answer.status == "found"
    assert answer.entries[0].title == "Council approves the river plan"
    assert answer.entries[0].facts["state"] == "redirected_home"


def test_a_redirect_loop_is_no_proof():
    answer, _ = look({"/a": moved("/b"), "/b": moved("/a")}, "/a")
    assert answer.status == "unreachable"
    assert "redirected" in answer.reason


@pytest.mark.parametrize("to", ["http://169.254.169.254/latest/meta-data/", "http://[::1]/x", "http://localhost/x"])
def test_a_redirect_into_a_private_network_is_blocked(to):
    answer, _ = look({"/a/story": moved(to)}, "/a/story")
    assert answer.status == "blocked_url"


def test_rules_that_redirect_into_a_private_network_do_not_block_a_page():
    answers = {"/a/story": Answer(article()), "/robots.txt": moved("http://169.254.169.254/")}
    assert look(answers, "/a/story")[0].status == "found"


@pytest.mark.parametrize(
    "body",
    [b"<title>x</title>" + b"a" * 6_000_000, gzip.compress(b"a" * 60_000_000)],
    ids=["huge", "gzip bomb"],
)
def test_a_body_without_end_is_not_read(body):
    headers = {"Content-Encoding": "gzip"} if body[:2] == b"\x1f\x8b" else {}
    answer, _ = look({"/a/story": Answer(body, headers=headers)}, "/a/story", limits=Limits(total_s=10, tries=1))
    assert answer.status == "unreachable"
    assert "more than" in answer.reason


def test_a_server_that_sends_a_byte_at_a_time_is_left():
    answer, _ = look({"/a/story": Answer(slow=True)}, "/a/story")
    assert answer.status == "unreachable"


@pytest.mark.parametrize(
    ("free", "status", "state"),
    [(False, 200, "paywalled"), ("False", 200, "paywalled"), ("http://schema.org/False", 200, "paywalled"),
     (True, 200, "live"), ("true", 200, "live"), (True, 402, "paywalled")],
)  # fmt: skip
def test_a_paywall_is_no_refusal(free, status, state):
    entry, _ = entry_of({"/a/story": Answer(article(isAccessibleForFree=free), status=status)}, "/a/story")
    assert entry.facts["state"] == state
    assert entry.title == "Council approves the river plan"


def test_a_paywall_in_a_part_of_the_page():
    parts = [{"@type": "WebPageElement", "isAccessibleForFree": "False", "cssSelector": ".paywall"}]
    entry, _ = entry_of({"/a/story": Answer(article(hasPart=parts))}, "/a/story")
    assert entry.facts["state"] == "paywalled"


def test_a_paywall_that_says_nothing_is_no_proof():
    assert look({"/a/story": Answer("", status=402)}, "/a/story")[0].status == "unreachable"


@pytest.mark.parametrize(
    ("robots", "path", "status"),
    [
        ("User-agent: *\nDisallow: /", "/a/story", "unreachable"),
        ("User-agent: *\nDisallow: /a/", "/a/story", "unreachable"),
        ("User-agent: *\nDisallow: /\nAllow: /a/", "/a/story", "found"),  # the longest rule decides
        ("User-agent: other\nDisallow: /", "/a/story", "found"),
        ("User-agent: *\nDisallow: /\n\nUser-agent: Showable\nDisallow: /b", "/a/story", "found"),
        ("User-agent: *\nDisallow:", "/a/story", "found"),
        ("User-agent: *\nDisallow: /*?print=", "/a/story?print=1", "unreachable"),
        ("<html>not rules at all: / </html>", "/a/story", "found"),
    ],
)
def test_robots_are_obeyed(robots, path, status):
    asked = []
    answers = {path: Answer(article()), "/robots.txt": Answer(robots, type="text/plain")}
    answer, _ = look(answers, path, asked=asked)
    assert answer.status == status
    if status == "unreachable":
        assert "robots.txt" in answer.reason
        assert {path for _, path, _ in asked} == {"/robots.txt"}


def test_robots_may_be_passed_over_by_who_may():
    answers = {"/a/story": Answer(article()), "/robots.txt": Answer("User-agent: *\nDisallow: /", type="text/plain")}
    assert look(answers, "/a/story", obeys_robots=False)[0].status == "found"


def test_a_host_that_asks_for_pauses_is_asked_for_the_page_alone():
    asked = []
    robots = Answer("User-agent: *\nCrawl-delay: 0.01", type="text/plain")
    entry_of({"/a/note": Answer(PLAIN), "/robots.txt": robots}, "/a/note", asked=asked)
    assert [(method, path) for method, path, _ in asked] == [("GET", "/robots.txt"), ("GET", "/a/note")]


@pytest.mark.parametrize(
    ("canonical", "og", "kept", "why"),
    [
        ("/2024/river-plan", None, "/2024/river-plan", None),
        ("https://elsewhere.example/2024/river-plan", None, None, "another site"),
        ("https://elsewhere.example/2024/river-plan", "https://www.elsewhere.example/x", "https://elsewhere.example/2024/river-plan", None),
        ("/", None, None, "front page"),
        ("javascript:alert(1)", None, None, None),
        ("http://[::1", None, None, None),
        (None, "/2024/river-plan", "/2024/river-plan", None),
    ],
)  # fmt: skip
def test_canonical_addresses(canonical, og, kept, why):
    links = f'<link rel="Canonical alternate" href="{canonical}">' if canonical else ""
    links += f'<meta property="og:url" content="{og}">' if og else ""
    page = article().replace("<head>", f"<head>{links}")
    entry, base = entry_of({"/a/story": Answer(page)}, "/a/story")
    wanted = (kept if kept.startswith("http") else base + kept) if kept else base + "/a/story"
    assert entry.url == wanted
    assert (why or "") in entry.facts.get("canonical_ignored", "")
    assert ("canonical_ignored" in entry.facts) == (why is not None)


def test_a_canonical_address_in_a_header():
    links = {"Link": '<https://x.example/style.css>; rel=preload, </real/address>; rel="canonical"'}
    entry, base = entry_of({"/a/story": Answer(article(), headers=links)}, "/a/story")
    assert entry.url == base + "/real/address"


@pytest.mark.parametrize(
    ("path", "flagged"),
    [("/2024/senator-resigns-over-scandal", True), ("/2024/council-approves-river-plan", False), ("/p/a8f2k", False),
     ("/2024/%D1%80%D0%B5%D1%87%D0%BD%D0%BE%D0%B9-%D0%BF%D0%BB%D0%B0%D0%BD-%D0%BE%D0%B4%D0%BE%D0%B1%D1%80%D0%B5%D0%BD", False)],
)  # fmt: skip
def test_the_words_of_an_address_are_held_against_the_title(path, flagged):
    entry, _ = entry_of({path: Answer(article())}, path)
    assert ("slug_differs" in entry.facts) == flagged


@pytest.mark.parametrize(
    ("url", "status"),
    [
        ("example.com/story", "malformed"),
        ("http://", "malformed"),
        ("http://[::1", "malformed"),
        ("http://x:99999/", "malformed"),
        ("https://a b/", "malformed"),
        ("https://x/" + "y" * 3_000, "malformed"),
        ("ftp://example.com/x", "blocked_url"),
        ("javascript:alert(1)", "blocked_url"),
        ("data:text/html,x", "blocked_url"),
        ("file:///etc/passwd", "blocked_url"),
    ],
)
def test_what_is_no_address_is_told_and_nobody_is_asked(url, status):
    registry = WebPage(None, Settings())
    reference = Reference(kind="url", text=url, fields={"url": url})
    assert registry.key(reference)  # without a key it would not be asked, and could not say so
    assert asyncio.run(registry.find(reference)).status == status


def test_without_an_address_there_is_nothing_to_ask():
    reference = Reference(kind="news", text="", fields={"title": "A story"})
    assert WebPage(None, Settings()).key(reference) is None
    assert Wayback(None, Settings()).key(reference) is None


def test_a_fragment_is_no_part_of_the_key():
    reference = Reference(kind="url", text="", fields={"url": "HTTPS://Example.COM/Story?a=1#part"})
    assert WebPage(None, Settings()).key(reference) == "https://example.com/Story?a=1"


def test_an_address_without_a_scheme():
    reference = Reference(kind="url", text="", fields={"url": "www.Example.com/x"})
    assert WebPage(None, Settings()).key(reference) == "https://www.example.com/x"


# The archive by itself.

URL = "http://example.com/2019/a-story"
AT = "20190919044612"


def from_archive(app, *, date=None):
    with serve(app) as kept:
        registry = Wayback(loopback_web(kept, limits=HASTY), Settings(base={"wayback": kept, "wayback_copies": kept}))
        fields = {"url": URL} | ({"date": date} if date else {})
        return asyncio.run(registry.find(Reference(kind="news", text="", fields=fields)))


@pytest.mark.parametrize(
    ("available", "indexed", "status"),
    [
        ({URL: (AT, "200")}, {}, "found"),
        ({}, {URL: [(AT, "200")]}, "found"),  # the service forgets, the index does not
        ({URL: (AT, "404")}, {}, "not_covered"),  # a copy of an error is none
        ({URL: (AT, "301")}, {}, "not_covered"),
        ({URL: (AT, "404")}, {URL: [("20100101000000", "404"), (AT, "200")]}, "found"),
        ({URL: ("yesterday", "200")}, {}, "not_covered"),
        ({}, {}, "not_covered"),  # and never not_found
    ],
)
def test_copies(available, indexed, status):
    answer = from_archive(wayback(available, indexed, {(AT, URL): article().encode()}))
    assert answer.status == status
    if status == "found":
        assert answer.entries[0].title == "Council approves the river plan"
        assert answer.entries[0].facts["archived"] == "2019-09-19"
        assert answer.entries[0].facts["archived_copy"].endswith(f"/web/{AT}/{URL}")


def test_a_copy_of_a_page_that_says_it_is_not_there_is_none():
    app = wayback({URL: (AT, "200")}, {}, {(AT, URL): b"<title>Page not found</title>"})
    assert from_archive(app).status == "not_covered"


def test_a_copy_that_cannot_be_read_is_still_a_copy():
    answer = from_archive(wayback({URL: (AT, "200")}, {}, {}))
    assert answer.status == "found"
    assert answer.entries[0].title is None


def test_the_index_is_asked_where_the_service_is_out_of_order():
    app = wayback({}, {URL: [(AT, "200")]}, {(AT, URL): article().encode()}, down=True)
    assert from_archive(app).status == "found"


@pytest.mark.parametrize(
    ("date", "stamp"), [("2019-09-20", "20190920"), ("September 20, 2019", "20190920"), ("2019", None), (None, None)]
)
def test_a_copy_near_the_day_cited_is_asked_for(date, stamp):
    asked = []
    from_archive(wayback({URL: (AT, "200")}, {}, {}, asked), date=date)
    assert ("timestamp" in asked[0]) == (stamp is not None)
    assert stamp is None or f"timestamp={stamp}" in asked[0]
