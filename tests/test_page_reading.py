"""What is read out of the HTML of a page: JSON-LD as it is found in the wild, charsets, bylines, days, robots.txt."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tables import every_row

from showable.registries.pages.addresses import (
    is_deep,
    is_door,
    is_home,
    leads_to_section,
    page_url,
    site_of,
    slug_words,
)
from showable.registries.pages.bylines import people, person
from showable.registries.pages.charset import decoded
from showable.registries.pages.hosts import read_robots
from showable.registries.pages.missing import says_barred, says_not_there
from showable.registries.pages.reading import read_page
from showable.rubrics.metadata.days import day_in

URL = "https://news.example.com/2024/river-plan"
HEADLINE = "Council approves the river plan"


def ld(data, wrap="{}"):
    text = data if isinstance(data, str) else json.dumps(data)
    return f'<script type="application/ld+json">{wrap.replace("{}", text)}</script>'


def page(*parts, title="Tab title | Courier"):
    return f"<html><head><title>{title}</title>{''.join(parts)}</head><body><h1>Heading of it</h1><p>Text.</p></body></html>"


def news(**more):
    return {"@type": "NewsArticle", "headline": HEADLINE, **more}


def read(*parts, url=URL, **options):
    return read_page(page(*parts, **options), url)


def names(one):
    return [f"{author.given} {author.family}".strip() for author in one.authors]


@pytest.mark.parametrize(
    "data",
    [
        news(),
        [news()],
        {"@graph": [{"@type": "WebSite", "name": "Courier"}, news()]},
        {"@type": "WebPage", "mainEntity": news()},
        {"@type": "WebPage", "mainEntityOfPage": {"mainEntity": news()}},
        news(**{"@type": ["Thing", "ReportageNewsArticle"]}),
        news(**{"@type": "http://schema.org/NewsArticle"}),
        news(**{"@type": "schema:BlogPosting"}),
        news(headline=[HEADLINE, "Another"]),
        news(headline={"@value": HEADLINE, "@language": "en"}),
        news(headline=f"\n  {HEADLINE}  "),
    ],
)
def test_an_article_is_found_wherever_it_is_put(data):
    one = read(ld(data))
    assert one.titles[0] == HEADLINE
    assert one.described


@pytest.mark.parametrize(
    "wrap",
    ["{}", "<!-- {} -->", "//<![CDATA[\n{}\n//]]>", "<![CDATA[{}]]>", "/* <![CDATA[ */{}/* ]]> */", "{};", "\ufeff{}"],
)
def test_wrappings_of_json_are_taken_off(wrap):
    assert read(ld(news(), wrap)).titles[0] == HEADLINE


def test_a_line_break_inside_a_string_is_read():
    assert read(ld('{"@type": "Article", "headline": "Council approves\n the river plan"}')).titles[0] == HEADLINE


@every_row(
    "broken",
    ['{"@type": "NewsArticle", "headline": "x",}', "{", "", "null", "[]", "7", '"text"', "{'a': 1}", "[" * 100_000, '{"a":' * 50_000,
     '{"@type": {"x": 1}, "headline": {"y": []}, "@graph": 7}', '[[[[{"@graph": [null, 1, "x"]}]]]]'],
)  # fmt: skip
def test_malformed_json_falls_back_to_the_other_tags(broken):
    one = read(ld(broken), '<meta property="og:title" content="The fallback title">')
    assert one.titles[0] == "The fallback title"


def test_one_broken_script_does_not_hide_another():
    one = read(ld("{oops"), ld(news()))
    assert (one.titles[0], one.broken_scripts) == (HEADLINE, 1)


def test_stories_that_a_page_links_to_are_not_the_page():
    listed = {"@type": "ItemList", "itemListElement": [{"@type": "NewsArticle", "headline": "A teaser"}]}
    related = news(hasPart=[{"@type": "NewsArticle", "headline": "A part"}], isPartOf=news(headline="A series"))
    assert read(ld(listed), ld(related)).titles[0] == HEADLINE


def test_the_article_of_the_address_is_taken_where_there_are_several():
    others = [news(headline="Another story", url="https://news.example.com/x"), news(mainEntityOfPage={"@id": URL})]
    assert read(ld(others)).titles[0] == HEADLINE


@every_row(
    ("author", "expected"),
    [
        ("Jane Doe", ["Jane Doe"]),
        ("By Jane Doe and John Smith", ["Jane Doe", "John Smith"]),
        ({"@type": "Person", "name": "Jane Doe"}, ["Jane Doe"]),
        ([{"name": "Jane Doe"}, {"name": "John Smith"}], ["Jane Doe", "John Smith"]),
        (["Jane Doe", {"@type": "Person", "name": "John Smith"}], ["Jane Doe", "John Smith"]),
        ({"@type": "Person", "name": ["Jane Doe", "John Smith"]}, ["Jane Doe", "John Smith"]),
        ({"@type": "Person", "givenName": "Jane", "familyName": "Doe"}, ["Jane Doe"]),
        ({"@type": "Organization", "name": "Associated Press"}, ["Associated Press"]),
        ({"@id": "#jane"}, ["Jane Doe"]),
        ("https://www.facebook.com/jane.doe", []),
        ([], []),
        (None, []),
        (7, []),
        ({"name": {"@value": "x"}}, []),
        ([[["deep"]]], []),
    ],
)
def test_authors_come_in_every_shape(author, expected):
    graph = {"@graph": [{"@id": "#jane", "@type": "Person", "name": "Jane Doe"}, news(author=author)]}
    assert names(read(ld(graph))) == expected


@pytest.mark.parametrize(
    ("parts", "first"),
    [
        ([ld(news()), '<meta name="citation_title" content="Highwire">', '<meta property="og:title" content="OG">'], HEADLINE),
        (['<meta name="citation_title" content="Highwire">', '<meta property="og:title" content="OG">'], "Highwire"),
        (['<meta property="og:title" content="OG">'], "OG"),
        (['<meta name="og:title" content="OG by name">'], "OG by name"),
        (["<meta property='og:title'>", "<meta content='x'>"], "Heading of it"),
    ],
)  # fmt: skip
def test_the_order_of_titles(parts, first):
    assert read(*parts).titles[0] == first


@pytest.mark.parametrize(
    ("title", "bare"),
    [("A story | Courier", "A story"), ("A story of two rivers - The Courier", "A story of two rivers"),
     ("Courier | A story of two rivers", "Courier | A story of two rivers"), ("A story", "A story"),
     ("One - two - Courier", "One - two"), ("Mother-in-law wins", "Mother-in-law wins")],
)  # fmt: skip
def test_the_name_of_the_site_is_taken_off_a_title(title, bare):
    assert read_page(f"<title>{title}</title>", URL).titles == (bare,)


def test_the_titles_of_drawings_are_not_the_page_s():
    html = "<body><svg><title>Menu icon</title></svg></body>"
    assert read_page(html, URL).tab is None


def test_a_paper_by_its_highwire_tags():
    tags = {"citation_title": "On rivers", "citation_doi": "10.1234/abc", "citation_publication_date": "2019/5/7",
            "citation_journal_title": "Journal of Rivers", "citation_volume": "12", "citation_issue": "3",
            "citation_firstpage": "101", "citation_lastpage": "117"}  # fmt: skip
    metas = [f'<meta name="{name}" content="{value}">' for name, value in tags.items()]
    metas += ['<meta name="citation_author" content="Doe, Jane">', '<meta name="citation_author" content="John Smith">']
    one = read(*metas)
    assert names(one) == ["Jane Doe", "John Smith"]
    assert (one.date, one.date_from) == ("2019-05-07", "highwire")
    assert one.ids == {"doi": "10.1234/abc"}
    assert one.outlets == ("Journal of Rivers",)
    assert one.numbers == {"volume": "12", "issue": "3", "first_page": "101", "last_page": "117"}


@pytest.mark.parametrize(
    ("parts", "date", "origin"),
    [
        ([ld(news(datePublished="2024-03-05T10:00:00Z")), '<meta property="article:published_time" content="2020-01-01">'], "2024-03-05", "json-ld"),
        ([ld(news(datePublished="soon")), '<meta property="article:published_time" content="2020-01-01T00:00">'], "2020-01-01", "meta"),
        (['<time datetime="2021-02-03">Feb 3</time>'], "2021-02-03", "time"),
        (['<time datetime="2021-02-03"></time><time itemprop="datePublished" datetime="2020-02-03"></time>'], "2020-02-03", "time"),
        (["<time>yesterday</time>"], None, None),
    ],
)  # fmt: skip
def test_the_order_of_days(parts, date, origin):
    one = read(*parts)
    assert (one.date, one.date_from) == (date, origin)


@every_row(
    ("text", "day"),
    [
        ("2020-01-05T23:30:00-05:00", "2020-01-05"),
        ("2020-01-05 23:30", "2020-01-05"),
        ("20200105", "2020-01-05"),
        ("20200105T101112Z", "2020-01-05"),
        ("2020/1/5", "2020-01-05"),
        ("January 5, 2020", "2020-01-05"),
        ("5 January 2020", "2020-01-05"),
        ("Jan. 5, 2020 at 3:04 pm", "2020-01-05"),
        ("Sun, 05 Jan 2020 10:00:00 GMT", "2020-01-05"),  # RFC 5322, section 3.3
        ("2020-01", "2020-01"),
        ("January 2020", "2020-01"),
        ("2020", "2020"),
        ("2020-13-05", None),
        ("2020-02-30", None),
        ("1578263400", None),
        ("yesterday", None),
        ("", None),
        (None, None),
    ],
)
def test_days(text, day):
    assert day_in(text) == day


MEISSEN = "Meißen – Bürger grüßen"


@every_row(
    ("codec", "header", "meta"),
    [
        ("utf-8", "text/html; charset=utf-8", ""),
        ("utf-8", "text/html", '<meta charset="utf-8">'),
        ("utf-8", "text/html", ""),
        ("utf-8", "text/html; charset=ISO-8859-1", '<meta charset="utf-8">'),  # a server's default, and wrong
        ("utf-8", "", '<meta charset="iso-8859-1">'),
        ("utf-8-sig", "text/html; charset=ISO-8859-1", ""),
        ("utf-16", "text/html", ""),  # by its byte-order mark
        ("cp1252", "text/html; charset=iso-8859-1", ""),  # what Latin-1 means on the web
        ("cp1252", "text/html", '<meta http-equiv="Content-Type" content="text/html; charset=windows-1252">'),
        ("cp1252", "text/html", ""),
        ("cp1252", "text/html; charset=utf-8", '<meta charset="windows-1252">'),  # the header is wrong
        ("utf-8", "text/html; charset=no-such-set", ""),
        ("utf-8", 'text/html; charset="UTF-8"', ""),
        ("utf-8", "text/html", '<meta charset="utf-16">'),  # said in ASCII bytes, so it is not
    ],
)
def test_charsets(codec, header, meta):
    body = f"<html><head>{meta}<title>{MEISSEN}</title></head></html>".encode(codec)
    assert MEISSEN in decoded(body, header)


@pytest.mark.parametrize(
    ("codec", "label", "text"),
    [("shift_jis", "Shift_JIS", "河川計画を承認"), ("euc_jp", "euc-jp", "河川計画を承認"), ("gb18030", "gb2312", "市议会批准河流计划"),
     ("big5", "Big5", "市議會"), ("cp949", "EUC-KR", "강 계획"), ("cp1251", "windows-1251", "Совет одобрил"), ("koi8_r", "KOI8-R", "Совет одобрил")],
)  # fmt: skip
def test_charsets_of_other_scripts(codec, label, text):
    body = f'<meta charset="{label}"><title>{text}</title>'.encode(codec)
    assert text in decoded(body)
    assert text in decoded(body, f"text/html; charset={label}")


@pytest.mark.parametrize(
    "name", ["utf-7", "zip", "rot13", "unicode_escape", "idna", "punycode", "undefined", "base64", "hex"]
)
def test_codecs_that_are_no_charsets_are_not_used(name):
    body = b"<title>+ADw-script+AD4- \\u003c</title>"
    assert decoded(body, f"text/html; charset={name}") == body.decode()


def test_control_characters_do_not_end_a_page():
    assert read_page(decoded(b"<title>A\x00B</title>\x00<h1>C</h1>"), URL).heading == "C"


@every_row(
    ("line", "expected"),
    [
        ("By Jane Doe", [("Jane", "Doe")]),
        ("Written by: Jane Doe & John Smith", [("Jane", "Doe"), ("John", "Smith")]),
        ("Jane Doe, John Smith and Ann Lee", [("Jane", "Doe"), ("John", "Smith"), ("Ann", "Lee")]),
        ("Doe, Jane", [("Jane", "Doe")]),
        ("Jane Doe, Reuters", [("Jane", "Doe"), ("", "Reuters")]),
        ("Ludwig van Beethoven", [("Ludwig", "van Beethoven")]),
        ("Martin Luther King Jr.", [("Martin Luther", "King")]),
        ("Martin Luther King, Jr.", [("Martin Luther", "King")]),
        ("Associated Press", [("", "Associated Press")]),
        ("BBC News", [("", "BBC News")]),
        ("@janedoe", []),
        ("https://x.example/jane", []),
        ("", []),
    ],
)
def test_bylines(line, expected):
    assert [(one.given, one.family) for one in people([line])] == expected


def test_nobody_is_named_twice():
    assert len(people(["Jane Doe", "By Jane Doe"])) == 1


@pytest.mark.parametrize("name", ["", "Madonna", "x" * 5_000, "a b c d e f g h", ","])
def test_odd_names_stay_whole(name):
    assert person(name).given == ""


@every_row(
    ("rules", "path", "allowed"),
    [  # RFC 9309, section 2.2.2 and 2.2.3, and the examples of its section 5
        ("User-agent: *\nDisallow: *.gif$", "/a/b.gif", False),
        ("User-agent: *\nDisallow: *.gif$", "/a/b.gif?x", True),
        ("User-agent: *\nDisallow: /example/\nAllow: /example/page/", "/example/page/x", True),
        (
            "User-agent: *\nDisallow: /example/page/disallowed.gif\nAllow: /example/page/",
            "/example/page/disallowed.gif",
            False,
        ),
        ("User-agent: *\nAllow: /x\nDisallow: /x", "/x", True),
        ("User-agent: *\nDisallow: /a*b*c", "/a1b2c3", False),
        ("User-agent: *\nDisallow: /a*b$", "/ab", False),
        ("User-agent: *\nDisallow: /$", "/", False),
        ("User-agent: *\nDisallow: /$", "/x", True),
        ("User-agent: *\nDisallow: /caf%C3%A9", "/café", False),
        ("User-agent: *\nDisallow: /café", "/caf%C3%A9", False),
        ("User-agent: a\nUser-agent: SHOWABLE\nDisallow: /x", "/x", False),
        ("User-agent: showable\nAllow: /\nUser-agent: *\nDisallow: /", "/x", True),
        ("Disallow: /", "/x", True),  # rules of nobody
        ("User-agent: * # all\r\nDisallow: /x # not this\r\n", "/x", False),
        ("user-AGENT : *\ndisALLOW : /x", "/x", False),
        ("", "/x", True),
    ],
)
def test_robots(rules, path, allowed):
    assert read_robots(rules).allows(f"https://example.com{path}") == allowed


@pytest.mark.parametrize(
    ("said", "seconds"), [("5", 5.0), ("0.5", 0.5), ("-1", 0.0), ("nan", 0.0), ("inf", 0.0), ("soon", 0.0)]
)
def test_crawl_delays(said, seconds):
    assert read_robots(f"User-agent: *\nCrawl-delay: {said}").delay_s == seconds


@pytest.mark.parametrize(
    ("url", "site"),
    [("https://www.bbc.co.uk/news", "bbc.co.uk"), ("http://news.example.com:8080/", "example.com"), ("https://a.b.github.io/", "b.github.io"),
     ("http://127.0.0.1/", "127.0.0.1"), ("http://[::1]/", "::1"), ("http://localhost/", "localhost"), ("nonsense", ""),
     ("https://paypal.com.evil.co/", "evil.co"), ("https://www.elsewhere.example/", "elsewhere.example")],
)  # fmt: skip
def test_registrable_domains(url, site):  # by the public suffix list
    assert site_of(url) == site


@pytest.mark.parametrize(
    ("url", "home", "deep"),
    [("https://x.example/", True, False), ("https://x.example", True, False), ("https://x.example/en-GB/", True, False),
     ("https://x.example/index.html", True, False), ("https://x.example/2020/05/a-story", False, True), ("https://x.example/world", False, False),
     ("https://x.example/a-story", False, True), ("https://x.example/?id=7", False, True), ("http://[::1", False, False)],
)  # fmt: skip
def test_home_and_deep(url, home, deep):
    assert (is_home(url), is_deep(url)) == (home, deep)


@pytest.mark.parametrize(
    ("asked", "final", "section"),
    [("/world/2020/a", "/world", True), ("/world/2020/a", "/world/2020/", True), ("/world/a", "/world/b", False), ("/world", "/world", False),
     ("/a/b.html", "/a.html", False), ("/a/b", "/", False)],
)  # fmt: skip
def test_sections(asked, final, section):
    assert leads_to_section("https://x.example" + asked, "https://x.example" + final) == section


@pytest.mark.parametrize(
    ("url", "door"),
    [("https://x.example/login", True), ("https://login.x.example/x", True), ("https://consent.x.example/collect?u=1", True),
     ("https://x.example/logins-rise-again", False), ("https://x.example/story/sso", True), ("https://x.example/a/story", False)],
)  # fmt: skip
def test_doors(url, door):
    assert is_door(url) == door


@pytest.mark.parametrize(
    ("url", "words"),
    [("https://x.example/2020/council-approves-river-plan.html", ("council", "approves", "river", "plan")),
     ("https://x.example/p/12345", ()), ("https://x.example/world/europe", ())],
)  # fmt: skip
def test_slugs(url, words):
    assert slug_words(url) == words


HOSTILE = [
    "<" * 200_000,
    "<a " * 100_000,
    "<meta charset=" * 50_000,
    "<div>" * 200_000,
    "<title>" + "page " * 100_000,
    "<title>" + "404 " * 50_000,
    "<h1>" + "the requested " * 20_000 + "</h1>",
    "<script type='application/ld+json'>" + "[" * 300_000,
    "<script type='application/ld+json'>" + "<!-- " * 50_000,
    "<script type='application/ld+json'>[" + '{"@type":"Article","author":[' * 900 + "]}" * 900 + "]</script>",
    '<script type="application/ld+json">'
    + json.dumps([{"@type": "Article", "@id": f"#{n}"} for n in range(20_000)])
    + "</script>",
    "<meta http-equiv=refresh content='" + "0;" * 50_000 + "'>",
    "<meta name=author content='" + "a," * 50_000 + "'>",
    "<meta name=citation_author content='" + "and " * 50_000 + "'>",
    "<time datetime='" + "2" * 100_000 + "'>",
    "&" * 200_000,
    ld(
        {"@id": "x", "hasPart": [{"@id": "x"}] * 2_000, **{f"k{n}": 1 for n in range(50_000)}}
    ),  # many, of one large node
    "<h1>" * 250 + "<b></b>" * 200_000,
    "\ud800 lone surrogate",
    "",
]


@every_row("html", HOSTILE)
def test_hostile_pages_are_read_to_their_end(html):
    one = read_page(html, URL, {"link": "<" * 100_000})
    says_not_there(one)
    says_barred(one)
    assert len(one.text) <= 20_000


@settings(max_examples=80)
@given(st.text(alphabet="<>/=\"'!-abmetitlscrpjson+{}[]:,@ \x00é\u202e", max_size=400), st.binary(max_size=60))
def test_nothing_on_a_page_raises(text, header):
    read_page(text, URL, {"link": header.decode("latin-1")})
    decoded(text.encode("utf-8", "replace"), header.decode("latin-1"))
    read_robots(text).allows(URL)
    people([text])
    page_url(text)
    site_of("http://" + text)
    is_home("http://" + text)
    day_in(text)


@settings(max_examples=80)
@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=5), lambda inner: st.lists(inner, max_size=4) | st.dictionaries(
    st.sampled_from(["@type", "@id", "@graph", "headline", "author", "name", "datePublished", "publisher", "isAccessibleForFree", "hasPart",
                     "mainEntity", "mainEntityOfPage", "url", "@value"]), inner | st.just("NewsArticle"), max_size=5), max_leaves=30))  # fmt: skip
def test_no_json_ld_raises(data):
    read(ld(data))
