"""`showable feed tickets`: what it prints, its exit codes, and its file of settings."""

import json

import pytest
from feed_tickets import issue
from registry_doubles import serve
from scorecards import card
from seeded_traces import NOW, seed
from ticket_doubles import Doubles, Fault
from typer.testing import CliRunner

from showable.cli.feed_tickets import app
from showable.errors import InputError, SettingError
from showable.production.feed.nouns import Event, Representative
from showable.production.feed.place import feed_beside
from showable.production.feed.store import FeedStore
from showable.production.feed.tickets.quotes import Text, quotes_of
from showable.production.feed.tickets.sender import the_one_sender
from showable.production.feed.tickets.settings import TicketSettings, make_targets
from showable.records.record import Record
from showable.serving import ticketing
from showable.serving.settings import ServeSettings
from showable.stores.traces.opening import open_trace_store
from showable.stores.traces.store import Where

GOOD = 'name = "prod"\npage = "https://feed.example.org"\n'


def told(*arguments):
    result = CliRunner().invoke(app, [*map(str, arguments)], catch_exceptions=False)
    return result.exit_code, result.stdout


@pytest.fixture
def run(tmp_path):
    (tmp_path / "run.json").write_text("{}")
    with FeedStore.open(tmp_path / "feed.sqlite") as store, store.file.writing():
        store.put_issues([issue(1), issue(2, state="provisional")])
    return tmp_path


def test_send_list_and_status_of_a_run(run, monkeypatch):
    doubles = Doubles()
    with serve(doubles.app()) as base:
        config = run / "tickets.toml"
        config.write_text(f'{GOOD}[github]\nrepository = "o/r"\naddress = "{base}/github"\n')
        monkeypatch.setenv("SHOWABLE_GITHUB_TOKEN", " gh_token\n")
        assert told("list", run)[1].startswith("no tickets yet")
        doubles.faults = [Fault(422, body={"message": "Validation Failed"})]
        code, out = told("send", run, "--config", config)
        assert (code, out.splitlines()[0]) == (3, "0 messages sent")
        assert out.splitlines()[1].startswith("refused: EF-1 github (new): status 422")
        assert "refused: EF-1" in told("status", run)[1]
        assert told("send", run, "--config", config)[0] == 3
        assert len(doubles.sent("github")) == 1
        assert told("send", run, "--config", config, "--now") == (0, "1 message sent\n")
        assert told("send", run, "--config", config) == (0, "0 messages sent\n")
        assert told("status", run) == (0, "nothing waits, nothing was refused\n")
        assert told("list", run)[1].split() == ["EF-1", "github", "open", "https://github.com/o/r/issues/1"]
        (ticket,) = json.loads(told("list", run, "--json")[1])["tickets"]
        assert (ticket["id"], ticket["open"], ticket["deleted"]) == ("1", True, False)
        assert doubles.github[1]["title"].startswith("[EF-1] ")


QUOTING = [
    # issue, traces, whether a person allowed it, whether its ticket quotes: both, and five traces or more
    (1, 5, True, True), (2, 4, True, False), (3, 9, False, False), (4, 0, True, False),
]  # fmt: skip


def test_texts_leave_only_where_the_target_a_person_and_five_traces_allow_it(tmp_path, monkeypatch):
    monkeypatch.setenv("SHOWABLE_GITHUB_TOKEN", "gh_token")
    doubles, path = Doubles(), tmp_path / "traces.db"
    store = open_trace_store(path)
    seed(store, NOW)
    failing = store.scores([row.id for row in store.answers(Where(failing=True), limit=3)])
    store.close()
    shown = tuple(Representative(id=one.id, p=0.9) for one in failing)
    question = failing[0].answer.record.question
    with FeedStore.open(feed_beside(str(path))) as feed, feed.file.writing():
        feed.put_issues([issue(n, representatives=shown, traces=traces) for n, traces, _, _ in QUOTING])
        feed.add_events(
            [Event(at_ns=NOW, who="Kim", issue=f"EF-{n}", kind="quote") for n, _, allowed, _ in QUOTING if allowed]
        )
    with serve(doubles.app()) as base:
        config = tmp_path / "tickets.toml"
        config.write_text(f'{GOOD}[github]\nrepository = "o/r"\naddress = "{base}/github"\n')
        with pytest.raises(SettingError, match="expected a target of"):
            told("send", "--store", path, "--config", config, "--with-texts", "linear")
        assert told("send", "--store", path, "--config", config, "--with-texts", "github") == (0, "4 messages sent\n")
    bodies = {one["title"].split("]")[0].strip("["): one["body"].replace("\\", "") for one in doubles.github.values()}
    assert {n: question in bodies[f"EF-{n}"] for n, *_ in QUOTING} == {n: quotes for n, _, _, quotes in QUOTING}
    assert {n: "no text of a question" in bodies[f"EF-{n}"] for n, *_ in QUOTING} == {
        n: not quotes for n, _, _, quotes in QUOTING
    }


def test_what_a_profile_s_patterns_match_is_masked_before_it_is_cut():
    text = Text(
        Record(id="a", question="Ask Ada Byron, Ada, at ada@example.org" + " x" * 300, answer="A."),
        card("a"),
        {"name": "Ada( Byron)?", "mail": r"\S+@\S+"},
    )
    (pair,) = quotes_of(
        issue(representatives=(Representative(id="a", p=0.9), Representative(id="gone", p=0.8))), lambda _: {"a": text}
    )
    assert pair[0] == "Question 1"
    assert pair[1].startswith("Ask [name], [name], at [mail] x")
    assert len(pair[1]) <= 300


def test_linear_is_connected_by_the_code_that_comes_back(run, monkeypatch):
    with serve(Doubles().app()) as base:
        config = run / "tickets.toml"
        config.write_text(f'{GOOD}[linear]\nteam = "t"\ntokens = "{run}/tokens.json"\naddress = "{base}/linear"\n')
        monkeypatch.setenv("SHOWABLE_LINEAR_CLIENT_ID", "id")
        monkeypatch.setenv("SHOWABLE_LINEAR_CLIENT_SECRET", "s")
        out = told("connect", "--config", config)[1]
        assert out.startswith("https://linear.app/oauth/authorize?client_id=id&redirect_uri=")
        assert "actor=app" in out
        assert told("connect", "--config", config, "--code", "c")[0] == 0
        assert json.loads((run / "tokens.json").read_text())["access"] == "access-2"


BAD = [
    ("", "", "name: this field is missing"),
    ('name = "Prod!"\npage = "https://h"\n[slack]\n', ":1: name: ", ""),
    (f'{GOOD}[github]\nrepository = "owner"\n', ":4: github.repository: ", ""),
    (f"{GOOD}[github]\n", ":3: github.repository: this field is missing", ""),
    (f'{GOOD}[github]\nrepository = "o/r"\ntoken = "x"\n', ":5: github.token: unknown field", ""),
    (f"{GOOD}[zendesk]\n", ":3: zendesk: unknown field", ""),
    (GOOD, "no target; expected a table of github, jira, linear, pagerduty, slack", ""),
    ('name = "p"\npage = "http://feed.example.org"\n[pagerduty]\n', ":2: page: expected https://HOST", ""),
    (f'{GOOD}[jira]\nsite = "http://10.0.0.1"\nproject = "LAW"\n', ":4: jira.site: expected https://HOST", ""),
    (f'{GOOD}[jira]\nsite = "https://me:pw@x.atlassian.net"\nproject = "LAW"\n', "without user", ""),
    (f"{GOOD}[slack\n", "no TOML", ""),
]


@pytest.mark.parametrize(("text", "said", "also"), BAD)
def test_a_wrong_file_is_one_line_with_its_place(tmp_path, text, said, also):
    path = tmp_path / "tickets.toml"
    path.write_text(text)
    with pytest.raises(InputError) as error:
        TicketSettings.read(path)
    assert said in str(error.value)
    assert also in str(error.value)
    assert "\n" not in str(error.value)
    assert "pw" not in str(error.value)


def test_a_secret_that_is_missing_is_named_and_one_that_is_wrong_is_not_shown(tmp_path):
    path = tmp_path / "tickets.toml"
    path.write_text(f"{GOOD}[slack]\n")
    settings = TicketSettings.read(path)
    with pytest.raises(SettingError, match="SHOWABLE_SLACK_WEBHOOK is not set"):
        make_targets(settings, {"SHOWABLE_SLACK_WEBHOOK": " "})
    with pytest.raises(SettingError) as error:
        make_targets(settings, {"SHOWABLE_SLACK_WEBHOOK": "http://hooks.example.org/SECRET"})
    assert "hooks" not in str(error.value)
    assert set(make_targets(settings, {"SHOWABLE_SLACK_WEBHOOK": "https://hooks.slack.com/services/T/B/X"}).by_name) == {"slack"}  # fmt: skip


def test_the_settings_digest_moves_with_the_settings_and_holds_no_secret(tmp_path):
    path = tmp_path / "tickets.toml"
    path.write_text(f'{GOOD}[github]\nrepository = "o/r"\n')
    first = TicketSettings.read(path).digest("github")
    path.write_text(f'{GOOD}[github]\nrepository = "o/s"\n')
    assert TicketSettings.read(path).digest("github") != first


def test_serve_sends_in_rounds_and_says_what_stands_in_its_way(run, monkeypatch):
    monkeypatch.setenv("SHOWABLE_GITHUB_TOKEN", "gh_token")
    doubles = Doubles()
    with serve(doubles.app()) as base, FeedStore.open(run / "traces.feed.db") as store:
        with store.file.writing():
            store.put_issues([issue(1)])
        (run / "t.toml").write_text(f'{GOOD}[github]\nrepository = "o/r"\naddress = "{base}/github"\n')
        settings = ServeSettings(str(run / "traces.db"), tickets=run / "t.toml")
        chosen = TicketSettings.read(run / "t.toml")
        with the_one_sender(store.file):
            assert "another process is sending" in ticketing._round(chosen, settings)
        assert ticketing._round(chosen, settings) == ""
        assert len(doubles.github) == 1
        monkeypatch.delenv("SHOWABLE_GITHUB_TOKEN")
        with pytest.raises(SettingError, match="SHOWABLE_GITHUB_TOKEN"):
            ticketing.run(settings)
