"""URLs judged by their letters: every form of attack is refused with its reason, and ordinary hosts raise nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import every_row

from showable.read.scan.urls import scan_url, vet_url
from showable.read.scan.urls.addresses import why_address
from showable.read.scan.urls.look_alikes import protected

ORDINARY = [
    line
    for line in (Path(__file__).parent / "data" / "ordinary_hosts.txt").read_text("utf-8").splitlines()
    if line and not line.startswith("#")
]

# (URL, code of a refusing finding, part of its reason, where the form of attack is described)
REFUSED = [
    ("javascript:alert(1)", "scheme", "javascript", "a URL that runs"),
    ("JaVaScRiPt:alert(1)", "scheme", "javascript", "schemes have no case"),
    ("data:text/html;base64,PHA+", "scheme", "data", "a URL that holds its page"),
    ("file:///etc/passwd", "scheme", "file", "a local file"),
    ("ftp://ftp.example.org/x", "scheme", "ftp", "a scheme nobody vets"),
    ("gopher://example.org:70/_x", "scheme", "gopher", "requests of other protocols"),
    ("blob:https://example.org/9115d58c", "scheme", "blob", "an object in a browser"),
    ("view-source:https://example.org/", "scheme", "view-source", "a browser's own scheme"),
    ("//evil.example.net/x", "no_scheme", "expected http", "relative to whatever page it stands on"),
    ("example.org/x", "no_scheme", "expected http", "no scheme"),
    ("", "no_scheme", "expected http", "nothing"),
    ("http:/evil.example.net", "no_host", "no host", "one slash, which browsers repair"),
    ("http:///evil.example.net", "no_host", "no host", "three slashes, which browsers repair"),
    ("https://?x", "no_host", "no host", "empty host"),
    ("https://ncbi.nlm.nih.g0v/", "bad_host", "made of letters", "RFC 3696: a top-level domain has no digits"),
    ("https://google.com@evil.example.net", "userinfo", "user name", "a host that is a user name"),
    ("https://google.com%40x:pw@evil.example.net/", "userinfo", "user name", "an encoded @ does not end it"),
    ("https://@example.org/", "userinfo", "user name", "an empty user"),
    ("https://example.org/a b", "blank_or_control", "U+0020", "a blank"),
    ("https://example.org/a\tb", "blank_or_control", "U+0009", "a tab, which browsers drop"),
    ("https://exam\nple.org/", "blank_or_control", "U+000A", "a line end, which browsers drop"),
    ("\x00https://example.org/", "blank_or_control", "U+0000", "NUL"),
    ("https://example.org/\u00a0", "blank_or_control", "U+00A0", "a no-break space"),
    ("https://example.org\\@evil.example.net/", "backslash", "backslash", "a slash to browsers"),
    ("https:\\\\example.org", "backslash", "backslash", "a slash to browsers"),
    ("https://example.org/\u202egpj.exe", "invisible", "U+202E", "a reversed file name"),
    ("https://exam\u200bple.org/", "invisible_host", "cannot be seen", "a zero-width space in a host"),
    ("https://exam\u00adple.org/", "invisible_host", "cannot be seen", "a soft hyphen, which IDNA drops"),
    ("https://" + "a" * 64 + ".org/", "bad_host", "63", "RFC 1035"),
    ("https://" + "abc." * 64 + "org/", "long_host", "253", "RFC 1035"),
    ("https://example.org/" + "a" * 9000, "long_url", "8192", "a limit of this program"),
    ("https://a..example.org/", "bad_host", "empty part", "RFC 1035"),
    ("https://exa$mple.org/", "bad_host", "characters", "RFC 1123"),
    ("http://127.0.0.1/", "address", "127.0.0.1", "dotted"),
    ("http://8.8.8.8/", "address", "8.8.8.8", "a public address is none the better"),
    ("http://2130706433/", "address", "127.0.0.1", "decimal"),
    ("http://0x7f000001/", "address", "127.0.0.1", "hexadecimal"),
    ("http://0x7f.0.0.0x1/", "address", "127.0.0.1", "hexadecimal parts"),
    ("http://0177.0.0.1/", "address", "127.0.0.1", "octal"),
    ("http://017700000001/", "address", "127.0.0.1", "octal, whole"),
    ("http://127.1/", "address", "127.0.0.1", "short"),
    ("http://127.0.1/", "address", "127.0.0.1", "short"),
    ("http://10.1/", "address", "10.0.0.1", "short"),
    ("http://0/", "address", "0.0.0", "this host"),
    ("http://169.254.169.254/latest/meta-data/", "address", "169.254.169.254", "a cloud's metadata"),
    ("http://256.1.1.1/", "address", "no name", "the URL standard: ends in a number"),
    ("http://1.2.3.4.5/", "address", "no name", "the URL standard: ends in a number"),
    ("http://08.8.8.8/", "address", "no name", "neither octal nor decimal"),
    ("http://0x/", "address", "0.0.0", "the URL standard: an empty hexadecimal number is 0"),
    ("http://example.123/", "address", "no name", "the URL standard: ends in a number"),
    ("http://[::1]/", "address", "::1", "IPv6"),
    ("http://[::ffff:127.0.0.1]/", "address", "127.0.0.1", "IPv4 mapped into IPv6"),
    ("http://[::ffff:7f00:1]:80/", "address", "127.0.0.1", "the same in hexadecimal"),
    ("http://[fe80::1%25eth0]/", "address", "interface eth0", "a zone id"),
    ("http://[64:ff9b::7f00:1]/", "address", "64:ff9b", "NAT64"),
    ("http://[::1", "address", "::1", "unclosed"),
    ("http://[example.org]/", "address", "brackets", "a name in brackets"),
    ("http://１２７.０.０.１/", "address", "127.0.0.1", "fullwidth digits"),
    ("http://①②⑦.0.0.1/", "address", "127.0.0.1", "circled digits"),
    ("https://example.org:8080/", "port", "8080", "another port"),
    ("https://example.org:22/", "port", "22", "another service"),
    ("https://example.org:/", "port", "empty", "no number"),
    ("https://example.org:+80/", "port", "+80", "no number"),
    ("https://example.org:４４３/", "port", "４４３", "fullwidth digits"),
    ("https://example.org./", "trailing_dot", "ends in a dot", "evades lists of names"),
    ("http://localhost/", "private_name", "localhost", "RFC 6761"),
    ("http://LOCALHOST:80/", "private_name", "localhost", "names have no case"),
    ("http://app.localhost/", "private_name", "localhost", "RFC 6761"),
    ("http://localhost./", "trailing_dot", "ends in a dot", "RFC 6761"),
    ("http://printer.local/", "private_name", ".local", "RFC 6762"),
    ("http://metadata.google.internal/", "private_name", ".internal", "a cloud's metadata"),
    ("http://router.home.arpa/", "private_name", ".arpa", "RFC 8375"),
    ("http://expyuzz4wqqyqhjn.onion/", "private_name", ".onion", "RFC 7686"),
    ("http://intranet/", "private_name", "intranet", "a single label"),
    ("http://127.0.0.1.nip.io/", "private_name", "nip.io", "a name for any address"),
    ("http://app.localtest.me/", "private_name", "localtest.me", "a name for one's own machine"),
    ("http://%6cocalhost/", "encoded_host", "percent", "an encoded host"),
    ("http://127%2e0.0.1/", "encoded_host", "percent", "an encoded dot"),
    ("https://例え。jp/", "odd_dot", "none in ASCII", "ideographic full stop"),
    ("https://evil．example.org/", "odd_dot", "none in ASCII", "fullwidth full stop"),
    ("https://evil｡example.org/", "odd_dot", "none in ASCII", "halfwidth ideographic full stop"),
    ("https://ｇｏｏｇｌｅ.com/", "styled_letters", "google.com", "fullwidth letters"),
    ("https://𝗽𝗮𝘆𝗽𝗮𝗹.com/", "styled_letters", "paypal.com", "mathematical letters"),
    ("https://i❤.ws/", "bad_host", "no valid name", "IDNA 2008 has no emoji"),
    ("https://xn--a/", "bad_host", "no valid name", "broken encoding"),
    ("https://аpple.com/", "mixed_script", "xn--pple-43d.com", "Cyrillic and Latin, both forms shown"),
    ("https://xn--pple-43d.com/", "mixed_script", "аpple.com", "the same, encoded"),
    ("https://gооgle.com/", "mixed_script", "Cyrillic and Latin", "Cyrillic o"),
    ("https://ελsevier.com/", "mixed_script", "Greek and Latin", "Greek"),
    ("https://аррӏе.com/", "look_alike", "apple.com", "whole-script confusable"),
    ("https://jstοr.org/", "mixed_script", "Greek and Latin", "Greek omicron"),
    ("https://www.nаture.com/", "look_alike", "nature.com", "Cyrillic a under www"),
    ("https://paypal.com.evil.co/", "carried_name", "evil.co", "a name before another's"),
    ("https://www.nature.com.articles.example.net/s41586", "carried_name", "example.net", "a name before another's"),
    ("https://uscourts.gov.example.org/", "carried_name", "uscourts.gov", "a court's name"),
    ("https://legislation.gov.uk.example.org/", "carried_name", "legislation.gov.uk", "three labels"),
    ("https://nature.com-login.example.org/", "carried_name", "nature.com", "a hyphen for a dot"),
    ("https://www.nature.com-login.net/", "carried_name", "nature.com", "the same in the registrable name"),
    ("https://www-nytimes-com.example.org/", "carried_name", "nytimes.com", "hyphens for dots"),
    ("https://nаture.com.example.org/", "carried_name", "nature.com", "in Cyrillic besides"),
    ("https://paypa1.com/", "look_alike", "paypal.com", "a digit for a letter"),
    ("https://www.g00gle.com/", "look_alike", "google.com", "digits for letters"),
    ("https://wi1ey.com/", "look_alike", "wiley.com", "a digit for a letter"),
    ("https://pl0s.org/", "look_alike", "plos.org", "four letters, one a digit"),
    ("https://n1h.gov/", "look_alike", "nih.gov", "three letters under a guarded suffix"),
    ("https://nytirnes.com/", "look_alike", "nytimes.com", "rn for m"),
    ("https://vvikipedia.org/", "look_alike", "wikipedia.org", "vv for w"),
    ("https://natuer.com/", "look_alike", "nature.com", "two letters swapped"),
    ("https://springger.com/", "look_alike", "springer.com", "a letter doubled"),
    ("https://corteconstitutional.example.com.theguardian.com.example.net/", "carried_name", "theguardian.com", "deep"),
    ("https://sciencedirct.com/", "look_alike", "sciencedirect.com", "a letter left out"),
    ("https://thelancets.com/", "look_alike", "thelancet.com", "a letter added"),
    ("https://the-guardian.com.theguardiam.com/", "look_alike", "theguardian.com", "another letter"),
]  # fmt: skip

WARNED = [
    ("https://natüre.com/", "look_alike", "accents alone: its owner may write it so"),
    ("https://mature.com/", "look_alike", "one letter of a short name: may be a word of its own"),
    ("https://www.nature.com.ezproxy.example.org/x", "carried_name", "a library's proxy, or one that says so"),
    ("https://соса.com/", "whole_script", "Cyrillic that can be read as Latin, under a Latin suffix"),
    ("https://iphoneไทย.com/", "mixed_script", "UTS 39: moderately restrictive"),
]

CLEAN = [
    ("https://example.org:443/", "the usual port"),
    ("http://example.org:80/a?b=c#d", "the usual port"),
    ("HTTPS://WWW.Nature.COM/articles/x", "case"),
    ("www.nature.com/articles/x", "the scheme left out, as people write it"),
    ("https://medium.com/@someone/a-story", "an @ in a path"),
    ("https://example.org/?u=https://google.com@x", "an @ in a query"),
    ("https://example.org/a#b@c", "an @ in a fragment"),
    ("https://en.wikipedia.org/wiki/Roe_v._Wade", "underscores and dots in a path"),
    ("https://fa.wikipedia.org/wiki/می\u200cخواهم", "a Persian word in a path"),
    ("https://zh.wikipedia.org/wiki/例え。", "a foreign dot in a path"),
    ("https://example.org/%E2%80%AE%00", "encoding belongs in paths"),
    ("https://web.archive.org/web/2020/https://www.nature.com/x", "a URL in a path"),
    ("https://www-lemonde-fr.translate.goog/", "a translator carries the name of what it translates"),
    ("https://www.nature.com.proxy.lib.umich.edu/", "a library's proxy under .edu"),
    ("https://jp.nature.com/", "a protected site's own subdomain"),
    ("https://xn--e1afmkfd.example.org/", "encoded Cyrillic that looks like nothing else"),
    ("https://faß.de/", "IDNA 2008 keeps ß"),
    ("https://東京tokyoひらカナ.jp/", "UTS 39: scripts that Japanese mixes"),
    ("https://中文abcㄅㄆ.tw/", "UTS 39: scripts that Taiwan mixes"),
    ("https://한국abc漢.kr/", "UTS 39: scripts that Korean mixes"),
    ("https://natural.com/", "two letters from a protected name"),
    ("https://justice.gov.on.ca/", "gov of a province is its registrable name"),
]


@every_row(("url", "code", "part", "source"), REFUSED)
def test_every_form_of_attack_is_refused_with_its_reason(url, code, part, source):
    refusing = {finding.code: finding.reason for finding in scan_url(url) if finding.severity == "error"}
    assert code in refusing, source
    assert part in refusing[code]
    assert vet_url(url) in refusing.values()


@pytest.mark.parametrize(("url", "code", "source"), WARNED)
def test_what_only_comes_near_is_a_warning(url, code, source):
    assert [(finding.code, finding.severity) for finding in scan_url(url)] == [(code, "warning")], source
    assert vet_url(url) is None


@every_row(("url", "source"), CLEAN)
def test_what_is_no_attack_is_clean(url, source):
    assert scan_url(url) == [], source


@every_row("host", ORDINARY)
def test_an_ordinary_host_raises_nothing(host):
    assert scan_url(f"https://{host}/a/b.html?c=1") == []


def test_there_are_enough_ordinary_hosts_and_protected_names():
    assert len(set(ORDINARY)) == len(ORDINARY) >= 300
    assert len(protected().names) >= 150


@every_row("name", sorted(protected().names))
def test_a_protected_name_raises_nothing_and_no_other_takes_it_for_a_copy(name):
    assert scan_url(f"https://{name}/") == []
    assert scan_url(f"https://www.{name}/") == []


def test_a_finding_has_its_place_in_the_url():
    url = "https://user@example.org:8080/a b"
    assert [(f.code, url[slice(*f.where)]) for f in scan_url(url)] == [
        ("userinfo", "user@"), ("port", ":8080"), ("blank_or_control", " "),
    ]  # fmt: skip


def test_a_port_can_be_allowed():
    assert vet_url("https://example.org:8443/", ports=frozenset({"443", "8443"})) is None


PIECES = st.sampled_from(
    ["https://", "http:", "//", "www.", "@", ":", "[", "]", "%", "..", ".", "xn--", "-", "/", "\\", "nature.com", "1", "0x", "а", "ü", "。", "１", "\u200d", "\ud800", "\x00", "?", "#", "é", "中"]
)  # fmt: skip


@given(st.one_of(st.text(max_size=80), st.lists(PIECES, max_size=12).map("".join)))
def test_no_text_is_too_odd(url):
    for finding in scan_url(url):
        start, end = finding.where
        assert 0 <= start <= end <= len(url)
        assert finding.reason


@given(st.integers(0, 2**32 - 1), st.sampled_from(["{}", "{:#x}", "0{:o}"]))
def test_every_way_to_write_a_number_is_an_address(number, form):
    from ipaddress import IPv4Address

    assert str(IPv4Address(number)) in (why_address(form.format(number)) or "")


@every_row("piece", ["a.", "nature.com.", "а.", "@", ":", "[", "xn--", "1.", "-", "。", "中", "%00"])
def test_long_hostile_urls_are_read_to_their_end(piece):
    assert vet_url("https://" + piece * 50_000)
