"""Where tickets go: a TOML file with a table a target, and secrets from the environment alone."""

from __future__ import annotations

import hashlib
import ipaddress
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Self, TypeVar
from urllib.parse import urlsplit

from pydantic import Field

from showable import __version__
from showable.errors import SettingError
from showable.production.feed.tickets.github import PUBLIC as GITHUB
from showable.production.feed.tickets.github import GitHubTarget
from showable.production.feed.tickets.jira import JiraTarget
from showable.production.feed.tickets.linear import PUBLIC as LINEAR
from showable.production.feed.tickets.linear import LinearTarget, api_key
from showable.production.feed.tickets.linear_oauth import LinearOAuth
from showable.production.feed.tickets.pagerduty import PUBLIC as PAGERDUTY
from showable.production.feed.tickets.pagerduty import PagerDutyTarget
from showable.production.feed.tickets.slack import PUBLIC as SLACK
from showable.production.feed.tickets.slack import SlackTarget, SlackWebhookTarget
from showable.production.feed.tickets.ticket import TicketTarget
from showable.production.feed.tickets.way_out import WayOut
from showable.profiles.toml_file import TomlFile
from showable.records.wire import Many, Wire
from showable.registries.web.addresses import Allowed
from showable.registries.web.asking import Pace
from showable.registries.web.client import SafeNetwork

PACES = {
    "github": Pace(per_second=1.0),  # 80 requests a minute that make content
    "jira": Pace(per_second=2.0),
    "linear": Pace(per_second=0.4),  # 1,500 an hour
    "pagerduty": Pace(per_second=1.0),
    "slack": Pace(per_second=1.0),  # a message a second and channel
}
_PORTS = {"http": 80, "https": 443}
T = TypeVar("T")
_Text = Annotated[str, Field(min_length=1)]


class GitHubSettings(Wire):
    """`owner/name`, and a GitHub Enterprise server's API where it is one."""

    repository: Annotated[str, Field(pattern=r"^[\w.-]+/[\w.-]+$")]
    address: str = GITHUB


class JiraSettings(Wire):
    """The site, a project's key, the type of its issues, and the names of two transitions of its workflow."""

    site: str
    project: Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9_]+$")]
    issue_type: _Text = "Bug"
    resolve_transition: _Text = "Done"
    reopen_transition: _Text = "Reopen"


class LinearSettings(Wire):
    """A team's UUID, and the file of OAuth tokens where no API key is used."""

    team: _Text
    tokens: str | None = None
    address: str = LINEAR


class SlackSettings(Wire):
    """A channel's id; without one messages go through the incoming webhook, which cannot update them."""

    channel: str | None = None
    address: str = SLACK


class PagerDutySettings(Wire):
    """Nothing has to be set: the table itself says that people may be woken."""

    address: str = PAGERDUTY


class TicketSettings(Wire):
    """The file. `name` stands in every ticket's key and is never changed, `page` is where the feed's page is reached.

    `private` lets tickets go to addresses of a private network; `with_texts` names the targets whose tickets may quote the answers of
    issues that a person allowed it for.
    """

    name: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,31}$")]
    page: str
    private: bool = False
    with_texts: Many[str] = ()
    github: GitHubSettings | None = None
    jira: JiraSettings | None = None
    linear: LinearSettings | None = None
    slack: SlackSettings | None = None
    pagerduty: PagerDutySettings | None = None

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read a file. Raises InputError, with line and field, at the first thing that is not as expected."""
        file = TomlFile.read(path)
        settings = file.validate(cls)
        for field, address in settings.addresses().items():
            if (why := _why_not(address)) is not None:
                raise file.wrong(field, why)
        if strange := settings.strange():
            raise file.wrong("with_texts", f"{strange}: no table of that name")
        if not settings.chosen():
            raise file.wrong("github", f"no target; expected a table of {', '.join(sorted(PACES))}")
        return settings

    def chosen(self) -> list[str]:
        """Return the names of the targets that have a table."""
        return [name for name in sorted(PACES) if getattr(self, name) is not None]

    def strange(self) -> str:
        """Return the first target that texts may go to and that has no table, "" where all have one."""
        return next((name for name in self.with_texts if name not in self.chosen()), "")

    def addresses(self) -> dict[str, str]:
        """Return every address by its field."""
        found = {"page": self.page}
        for name in self.chosen():
            field = "site" if name == "jira" else "address"
            found[f"{name}.{field}"] = getattr(getattr(self, name), field)
        return found

    def digest(self, target: str) -> str:
        """Return a digest of a target's settings, in which no secret is."""
        said = f"{self.name}\n{self.page}\n{self.private}\n{getattr(self, target).model_dump_json()}"
        return hashlib.blake2b(said.encode(), digest_size=8).hexdigest()


@dataclass(frozen=True, slots=True)
class Targets:
    """The targets of a file, and the network whose connections they share."""

    by_name: Mapping[str, TicketTarget]
    network: SafeNetwork

    async def aclose(self) -> None:
        """Close the connections."""
        await self.network.aclose()


def make_targets(settings: TicketSettings, environment: Mapping[str, str]) -> Targets:
    """Build the targets of a file. Raises SettingError where a secret that one needs is not in the environment."""
    maker = _Maker(settings, environment)
    makers = {
        "github": maker.github,
        "jira": maker.jira,
        "linear": maker.linear,
        "pagerduty": maker.pagerduty,
        "slack": maker.slack,
    }
    return Targets({name: makers[name]() for name in settings.chosen()}, maker.network)


def connecting(settings: TicketSettings, environment: Mapping[str, str]) -> tuple[LinearOAuth, SafeNetwork]:
    """Build what gets OAuth tokens of Linear. Raises SettingError where the file or the app's secrets are not set."""
    maker = _Maker(settings, environment)
    return maker.linear_oauth(), maker.network


class _Maker:
    """Makes targets of tables and of the secrets in the environment, all on one network."""

    def __init__(self, settings: TicketSettings, environment: Mapping[str, str]) -> None:
        self._settings = settings
        self._told = {name: value.strip() for name, value in environment.items() if value.strip()}
        self.network = SafeNetwork(allow=_allowed(settings), agent=f"showable/{__version__}")

    def github(self) -> TicketTarget:
        table, token, hook = _table(self._settings.github), self._secret("github", "TOKEN"), self._hook("github")
        way, address = self._way("github", token, hook), table.address.rstrip("/")
        return GitHubTarget(way, table.repository, token=token, webhook_secret=hook, address=address)

    def jira(self) -> TicketTarget:
        table, hook = _table(self._settings.jira), self._hook("jira")
        mail, token = self._secret("jira", "MAIL"), self._secret("jira", "TOKEN")
        workflow = table.model_dump(include={"issue_type", "resolve_transition", "reopen_transition"})
        way = self._way("jira", token, hook)
        return JiraTarget(way, table.site, table.project, mail=mail, token=token, webhook_secret=hook, **workflow)

    def linear(self) -> TicketTarget:
        table, hook = _table(self._settings.linear), self._hook("linear")
        if table.tokens is None:
            key = self._secret("linear", "KEY")
            way, authorization = self._way("linear", key, hook), api_key(key)
        else:
            authorization = self.linear_oauth()
            way = authorization.way
        address = table.address.rstrip("/")
        return LinearTarget(way, table.team, authorization=authorization, webhook_secret=hook, address=address)

    def linear_oauth(self) -> LinearOAuth:
        table = _table(self._settings.linear)
        if table.tokens is None:
            raise SettingError("linear.tokens: not set; expected a file to keep OAuth tokens in")
        client, secret = self._secret("linear", "CLIENT_ID"), self._secret("linear", "CLIENT_SECRET")
        way = self._way("linear", secret, self._hook("linear"))
        return LinearOAuth(way, Path(table.tokens), client, secret, time.time, table.address.rstrip("/"))

    def pagerduty(self) -> TicketTarget:
        table, key, hook = _table(self._settings.pagerduty), self._secret("pagerduty", "KEY"), self._hook("pagerduty")
        way, address = self._way("pagerduty", key, hook), table.address.rstrip("/")
        return PagerDutyTarget(way, routing_key=key, webhook_secret=hook, address=address)

    def slack(self) -> TicketTarget:
        table = _table(self._settings.slack)
        if table.channel is None:
            url = self._secret("slack", "WEBHOOK")
            if (why := _why_not(url)) is not None:
                raise SettingError(f"SHOWABLE_SLACK_WEBHOOK: {why.partition(', got')[0]}")  # it is a secret
            return SlackWebhookTarget(self._way("slack", url), url)
        token, signing = self._secret("slack", "TOKEN"), self._told.get("SHOWABLE_SLACK_SIGNING_SECRET", "")
        way, address = self._way("slack", token, signing), table.address.rstrip("/")
        return SlackTarget(way, table.channel, token=token, signing_secret=signing, address=address)

    def _secret(self, target: str, kind: str) -> str:
        variable = f"SHOWABLE_{target.upper()}_{kind}"
        if variable not in self._told:
            raise SettingError(f"{target}: {variable} is not set; the secret is read from the environment alone")
        return self._told[variable]

    def _hook(self, target: str) -> str:
        return self._told.get(f"SHOWABLE_{target.upper()}_WEBHOOK_SECRET", "")

    def _way(self, target: str, *secrets: str) -> WayOut:
        return WayOut(self.network.bind(target, PACES[target]), secrets)


def _table(table: T | None) -> T:
    if table is None:
        raise SettingError("no such table in the tickets' file")
    return table


def _why_not(address: str) -> str | None:
    """Return why an address cannot be one: https, or http on this machine alone; no user, query or fragment in it."""
    try:
        parts = urlsplit(address)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        return "no address; expected https://HOST"
    if parts.username or parts.query or parts.fragment:
        return "expected an address without user, query or fragment"
    if host and (parts.scheme == "https" or (parts.scheme == "http" and _is_loopback(host))):
        return None
    return f"expected https://HOST (http for this machine alone), got {parts.scheme or 'no scheme'}://{host}"


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _allowed(settings: TicketSettings) -> Allowed:
    """Return what may be connected to though it is not public: this machine where it is named, a private network where it is allowed."""
    pairs = set()
    for field, address in settings.addresses().items():
        parts = urlsplit(address)
        if field != "page" and parts.hostname and (settings.private or _is_loopback(parts.hostname)):
            pairs.add((parts.hostname, parts.port or _PORTS[parts.scheme]))
    return frozenset(pairs)
