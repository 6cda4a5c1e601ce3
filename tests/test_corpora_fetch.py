"""Downloading a corpus once, from a server on loopback: what is kept, what is compared, and what each failure says."""

import gzip
import hashlib
import json
from importlib import import_module

import pytest
from corpus_server import Serving, publish

from showable.errors import InputError, SettingError
from showable.harness.corpora import fetch as fetching
from showable.harness.corpora.archive import CHECKSUMS
from showable.harness.corpora.fetch import cache_folder, fetched, safe_web
from showable.harness.corpora.open import LOADERS, open_corpus
from showable.harness.corpora.published import PUBLISHED, File, Release

BODY = b'{"data": [{"title": "T", "paragraphs": []}]}'
SHA = hashlib.sha256(BODY).hexdigest()


def corpus_at(server, *, path="/set.json", kind="json", largest=10_000):
    return Release("toy", "CC0 1.0", "https://example.org/toy", (File(server.url(path), "set.json", kind, largest),))


def test_a_file_is_downloaded_once_and_its_checksum_kept(tmp_path):
    with publish({"/set.json": Serving(BODY)}) as server:
        published = corpus_at(server)
        first = fetched(published, folder=tmp_path / "toy", web=server.way())
        again = fetched(published, folder=tmp_path / "toy", web=server.way())
        assert server.asked == ["/set.json"]
    assert first.path == again.path == tmp_path / "toy" / "set.json"
    assert first.path.read_bytes() == BODY
    entry = json.loads((tmp_path / "toy" / CHECKSUMS).read_text())["set.json"]
    assert (entry["sha256"], entry["bytes"], entry["address"]) == (SHA, len(BODY), published.address)
    assert first.notes == (f"downloaded from {published.address}", "licence: CC0 1.0 (https://example.org/toy)")
    assert again.notes[0] == f"from the cache, checksum as recorded: {again.path}"
    assert sorted(path.name for path in (tmp_path / "toy").iterdir()) == [CHECKSUMS, "set.json"]


def test_a_tampered_cache_is_refused_with_both_checksums(tmp_path):
    with publish({"/set.json": Serving(BODY)}) as server:
        published = corpus_at(server)
        path = fetched(published, folder=tmp_path, web=server.way()).path
        path.write_bytes(BODY + b" ")
        found = hashlib.sha256(BODY + b" ").hexdigest()
        with pytest.raises(InputError, match=rf"set\.json: is not the file .*expected sha256 {SHA}, found {found}"):
            fetched(published, folder=tmp_path, web=server.way())
        assert server.asked == ["/set.json"]


def test_another_file_at_the_address_is_refused(tmp_path):
    """The checksum outlives the file: what is downloaded anew must be what was downloaded first."""
    with publish({"/set.json": Serving(BODY)}) as server:
        published = corpus_at(server)
        path = fetched(published, folder=tmp_path, web=server.way()).path
        path.unlink()
        server.answers["/set.json"] = Serving(b'{"data": []}')
        with pytest.raises(InputError, match=rf"gives it now, is not the file .*expected sha256 {SHA}"):
            fetched(published, folder=tmp_path, web=server.way())
        assert not path.exists()
        server.answers["/set.json"] = Serving(BODY)
        assert fetched(published, folder=tmp_path, web=server.way()).path.read_bytes() == BODY


def test_a_file_without_a_checksum_counts_as_not_downloaded(tmp_path):
    """A kill between the two writes leaves such a file."""
    with publish({"/set.json": Serving(BODY)}) as server:
        (tmp_path / "set.json").write_bytes(b"half")
        assert fetched(corpus_at(server), folder=tmp_path, web=server.way()).path.read_bytes() == BODY


@pytest.mark.parametrize(
    ("serving", "said"),
    [
        (Serving(status=404), "cannot be downloaded: status 404; give a path instead, toy:PATH"),
        (Serving(status=403), "status 403"),
        (Serving(status=500), "cannot be downloaded: the service fails"),
        (Serving(BODY, promised=len(BODY) + 100), "cannot be downloaded: the connection broke off"),
        (Serving(b"x" * 20_000), "cannot be downloaded: an answer of more than 10000 bytes"),
        (Serving(gzip.compress(b"[" * 20_000), headers={"Content-Encoding": "gzip"}), "more than 10000 bytes"),
        (Serving(b"<html>Sign in to go on</html>"), "gave no json file but b'<html>Sign in"),
        (Serving(b""), "gave no json file but b''"),
        (Serving(status=302, headers={"Location": "http://10.0.0.1/"}), "cannot be downloaded: .*not a public address"),
        (Serving(status=302, headers={"Location": "/set.json"}), "cannot be downloaded: .*redirect"),
    ],
    ids=["404", "403", "500", "truncated", "too large", "bomb", "a page", "empty", "private redirect", "circle"],
)
def test_a_failed_download_is_one_line_and_keeps_nothing(tmp_path, serving, said):
    with publish({"/set.json": serving}) as server, pytest.raises(InputError, match=said) as caught:
        fetched(corpus_at(server), folder=tmp_path, web=server.way())
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith(server.url("/set.json"))
    assert list(tmp_path.iterdir()) == []


def test_a_redirect_is_followed(tmp_path):
    answers = {"/set.json": Serving(status=302, headers={"Location": "/there.json"}), "/there.json": Serving(BODY)}
    with publish(answers) as server:
        assert fetched(corpus_at(server), folder=tmp_path, web=server.way()).path.read_bytes() == BODY
        assert server.asked == ["/set.json", "/there.json"]


def test_a_failure_that_passes_is_tried_again(tmp_path):
    class Flaky(dict):
        def get(self, path, default=None):
            return super().get(path, default) if len(server.asked) > 1 else Serving(status=503)

    with publish({}) as server:
        server.answers = Flaky({"/set.json": Serving(BODY)})
        assert fetched(corpus_at(server), folder=tmp_path, web=server.way(tries=3)).path.read_bytes() == BODY
        assert len(server.asked) == 2


def test_no_server_is_one_line_that_names_the_address_and_the_way_round(tmp_path):
    with publish({}) as server:
        published, way = corpus_at(server), server.way()
    with pytest.raises(InputError, match=r"^http://127\.0\.0\.1:\d+/set\.json: cannot be downloaded: .*toy:PATH$"):
        fetched(published, folder=tmp_path, web=way)


def test_loopback_is_not_asked_unless_a_test_allows_it(tmp_path):
    with publish({"/set.json": Serving(BODY)}) as server:
        published = corpus_at(server)
        with pytest.raises(InputError, match="cannot be downloaded"):
            fetched(published, folder=tmp_path)
        assert server.asked == []


def test_without_leave_to_fetch_only_the_cache_is_used(tmp_path):
    with publish({"/set.json": Serving(BODY)}) as server:
        published = corpus_at(server)
        with pytest.raises(InputError, match=r"set\.json: is not in the cache: give a path, toy:PATH"):
            fetched(published, fetch=False, folder=tmp_path, web=server.way())
        assert server.asked == []
        fetched(published, folder=tmp_path, web=server.way())
        assert fetched(published, fetch=False, folder=tmp_path).path.read_bytes() == BODY


def test_of_several_files_only_the_missing_ones_are_asked_for(tmp_path):
    with publish({"/a": Serving(b'{"a": 1}'), "/b": Serving(b'{"b": 2}')}) as server:
        files = tuple(File(server.url(path), f"{path[1:]}.jsonl", "jsonl") for path in ("/a", "/b"))
        published = Release("toy", "CC0 1.0", "https://example.org", files)
        assert fetched(published, folder=tmp_path, web=server.way()).path == tmp_path
        (tmp_path / "b.jsonl").unlink()
        fetched(published, folder=tmp_path, web=server.way())
        assert server.asked == ["/a", "/b", "/b"]


@pytest.mark.parametrize("held", ["{", "[]", '{"set.json": 1}', '{"set.json": {"sha256": 1}}'])
def test_a_damaged_record_of_checksums_is_said(tmp_path, held):
    (tmp_path / CHECKSUMS).write_text(held)
    with publish({}) as server, pytest.raises(InputError, match=rf"{CHECKSUMS}: .*remove this folder"):
        fetched(corpus_at(server), folder=tmp_path, web=server.way())


def test_a_cache_that_cannot_be_written_is_said(tmp_path):
    (tmp_path / "toy").write_text("a file where a folder should be")
    with publish({"/set.json": Serving(BODY)}) as server, pytest.raises((SettingError, InputError), match="toy"):
        fetched(corpus_at(server), folder=tmp_path / "toy", web=server.way())


def test_the_cache_is_where_the_environment_says(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "showable" / "corpora"


def test_a_host_that_wants_a_mail_address_is_not_asked_without_one(tmp_path, monkeypatch):
    monkeypatch.delenv("SHOWABLE_MAILTO", raising=False)
    with pytest.raises(SettingError, match=r"edgar: .*SHOWABLE_MAILTO, or give a path, edgar:PATH"):
        fetched(PUBLISHED["edgar"], folder=tmp_path)
    monkeypatch.setenv("SHOWABLE_MAILTO", "somebody@example.org")
    assert "somebody@example.org" in safe_web(PUBLISHED["edgar"]).network.agent


@pytest.mark.parametrize("name", LOADERS)
def test_every_published_corpus_says_where_it_is_and_under_which_licence(name):
    published = PUBLISHED[name]
    module = import_module(f"showable.harness.corpora.{LOADERS[name]}")
    assert published.name == name
    assert published.licence == module.LICENCE
    assert all(file.address.startswith("https://") for file in published.files)
    assert len({file.name for file in published.files}) == len(published.files)
    assert published.stated_at.startswith("https://")


def test_open_downloads_reads_and_says_the_licence(tmp_path, monkeypatch):
    """The whole way by the corpus's name: first from the server, then from the cache."""
    paragraph = {
        "context": "The rent is ten pounds.",
        "qas": [{"id": "q", "question": "Rent?", "answers": [{"text": "ten pounds", "answer_start": 12}]}],
    }
    body = json.dumps({"data": [{"title": "Rent", "paragraphs": [paragraph]}]}).encode()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with publish({"/dev.json": Serving(body)}) as server:
        file = File(server.url("/dev.json"), "dev-v2.0.json", "json")
        monkeypatch.setitem(PUBLISHED, "squad2", Release("squad2", "CC BY-SA 4.0", "https://example.org", (file,)))
        monkeypatch.setattr(fetching, "safe_web", lambda published: server.way())
        with pytest.raises(InputError, match="is not in the cache"):
            open_corpus("squad2", fetch=False)
        corpus = open_corpus("squad2")
        assert open_corpus("squad2", fetch=False).sources == corpus.sources
        assert server.asked == ["/dev.json"]
    assert corpus.origin == file.address
    assert corpus.licence == "CC BY-SA 4.0 (https://example.org)"
    assert corpus.notes[:2] == (f"downloaded from {file.address}", "licence: CC BY-SA 4.0 (https://example.org)")
    assert [one.gold.answer for one in corpus.labelled] == ["ten pounds"]
