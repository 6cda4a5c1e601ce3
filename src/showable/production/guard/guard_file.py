"""The guard's settings: upstreams, routes, keys and prices, as a person writes them in guard.toml."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from pydantic import Field

from showable.drifting.webhook import check_address
from showable.errors import ShowableError
from showable.judging_settings import Judging, JudgingSettings
from showable.production.guard.call import (
    ASKING,
    HoldAs,
    NoRetrieval,
    OnFail,
    OnUnknown,
    Policy,
    ReadingDepth,
    SemanticRule,
)
from showable.production.guard.retrieval import Context
from showable.production.guard.scanners.choose import NAMES as OWN_SCANNERS
from showable.production.guard.scanners.choose import choose_scanners
from showable.production.guard.scanners.outside import OutsideScanner
from showable.production.guard.scanners.topics import Topic
from showable.profiles.load import load_profile
from showable.profiles.toml_file import TomlFile
from showable.records.profile import FieldName, Profile
from showable.records.wire import Many, Wire

ProxiedApi = Literal["chat", "responses", "messages"]
StreamMode = Literal["buffer", "sentence", "audit"]
BelowFloor = Literal["tighten", "hold"]
_MIB = 1024 * 1024
_SHORTEST_KEY = 16
_ON_FAIL: dict[FieldName, OnFail] = {"legal": "refuse", "medical": "refuse"}
_STRICT: frozenset[FieldName] = frozenset({"legal", "medical"})


class UpstreamTable(Wire):
    """A service that answers. The path of the interface is added to `base_url`; `key` is the client's own, or of the environment."""

    base_url: str
    apis: Many[ProxiedApi] = ("chat", "responses", "messages")
    key: str = Field(default="client", pattern=r"^(client|env:[A-Za-z_][A-Za-z0-9_]*)$")
    timeout_s: float = Field(default=600.0, gt=0)
    longest_s: float = Field(default=3600.0, gt=0)


class ContextTable(Wire):
    """Where prompts hold numbered passages: in messages of a role, between two marks."""

    role: Literal["system", "developer", "user"]
    begin: str = Field(min_length=1)
    end: str = Field(min_length=1)


class RouteTable(Wire):
    """Which calls a route takes, and the rules for them. What is left out is the profile's."""

    name: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,60}$")
    upstream: str
    profile: str
    no_retrieval: NoRetrieval
    path: str = "*"
    key: str = "*"
    model: str = "*"
    allow_profiles: Many[str] = ()
    stream: StreamMode = "buffer"
    hold_as: HoldAs = "auto"
    on_fail: OnFail | None = None
    on_unknown: OnUnknown | None = None
    on_error: Literal["closed", "open"] = "closed"
    semantic: SemanticRule | None = None
    judge_ms: int = Field(default=1000, gt=0)
    sample: float = Field(default=0.15, gt=0, le=1)
    reading: ReadingDepth | None = None
    reading_ms: int = Field(default=1000, gt=0)
    registries: Literal["off", "cache"] = "off"
    below_floor: BelowFloor = "tighten"
    retrieval_tools: Many[str] = ()
    context: ContextTable | None = None
    verify_shown: bool = False
    scanners: Many[str] = ()
    usage: bool = True
    keepalive_s: float = Field(default=15.0, ge=0)
    max_request: int = Field(default=32 * _MIB, gt=0)
    max_answer: int = Field(default=2 * _MIB, gt=0)


class KeyTable(Wire):
    """A key that callers of the guard show; its name is their tenant."""

    secret: str = Field(pattern=r"^env:[A-Za-z_][A-Za-z0-9_]*$")


class PriceTable(Wire):
    """US dollars for a million tokens of one model. A kind of token without a price makes a cost unknown."""

    input: float = Field(ge=0)
    output: float = Field(ge=0)
    cached: float | None = Field(default=None, ge=0)
    cache_write: float | None = Field(default=None, ge=0)
    cache_write_1h: float | None = Field(default=None, ge=0)


class JudgeTable(Wire):
    """Who judges before an answer is shown, and after: as `--judge` and `--calibration` say elsewhere, in so many processes a worker."""

    judge: str | None = None
    calibration: str | None = None
    processes: int = Field(default=1, ge=1, le=64)


class StoreTable(Wire):
    """The trace store that has a row an answer: without texts, unless `texts` says so; those that wait for a judge have theirs.

    `judged_by` is who reads the sample: the guard, or a `serve` that runs on the same store.
    """

    path: str
    texts: bool = False
    judged_by: Literal["guard", "serve"] = "guard"
    retain_days: float | None = Field(default=None, gt=0)
    webhook: str | None = None


class RegistriesTable(Wire):
    """Whether what the cache does not hold is asked of registries, behind the answers: the network is used for nothing else."""

    refresh: bool = False


class GuardTable(Wire):
    """The whole file."""

    upstream: dict[str, UpstreamTable]
    route: Many[RouteTable] = Field(min_length=1)
    key: dict[str, KeyTable] = Field(default_factory=dict)
    prices: dict[str, PriceTable] = Field(default_factory=dict)
    scanner: dict[str, OutsideScanner] = Field(default_factory=dict)
    topic: dict[str, Topic] = Field(default_factory=dict)
    judge: JudgeTable = JudgeTable()
    store: StoreTable | None = None
    registries: RegistriesTable = RegistriesTable()
    unguarded: Many[str] = ()
    cost_header_aliases: Many[str] = ()


@dataclass(frozen=True, slots=True)
class Route:
    """A route with its policy, and those of the profiles that a client may ask for in its place."""

    table: RouteTable
    policy: Policy
    stricter: Mapping[str, Policy]
    context: Context | None
    outside: tuple[str, ...] = ()
    """The scanners of other people that it asks."""

    @property
    def name(self) -> str:
        """Its name."""
        return self.table.name

    @property
    def uses_pool(self) -> bool:
        """Whether its decisions take long, and are made in a process beside the worker."""
        policies = (self.policy, *self.stricter.values())
        return self.table.registries == "cache" or any(policy.reading == "full" for policy in policies)

    def takes(self, api: str, path: str, key: str, model: str, apis: tuple[str, ...]) -> bool:
        """Return True where the route is for such a call."""
        own = self.table
        return (
            api in apis
            and fnmatchcase(path, own.path)
            and fnmatchcase(key, own.key)
            and (own.model == "*" or fnmatchcase(model, own.model))
        )


@dataclass(frozen=True, slots=True)
class GuardSettings:
    """What a guard works by: the file, its routes made ready, and the keys read from the environment."""

    table: GuardTable
    routes: tuple[Route, ...]
    keys: Mapping[str, str]
    credentials: Mapping[str, str]
    scanner_keys: Mapping[str, str]
    judging: JudgingSettings
    store: str | None = None
    webhook: str | None = None

    @property
    def uses_pool(self) -> bool:
        """Whether a route decides in processes beside the worker."""
        return any(route.uses_pool for route in self.routes)

    def route_of(self, api: str, path: str, key: str, model: str) -> Route | None:
        """Return the first route that takes a call, None where none does."""
        upstreams = self.table.upstream
        taking = (r for r in self.routes if r.takes(api, path, key, model, upstreams[r.table.upstream].apis))
        return next(taking, None)


def read_guard_file(path: Path, environment: Mapping[str, str] | None = None) -> GuardSettings:
    """Read guard.toml, and check it whole. Raises InputError with file, line and field."""
    raw = TomlFile.read(path)
    given = os.environ if environment is None else environment
    table = raw.validate(GuardTable)
    for name, upstream in table.upstream.items():
        _check_address(raw, name, upstream.base_url)
    keys = {name: _secret(raw, f"key.{name}.secret", key.secret, given) for name, key in table.key.items()}
    for name, secret in keys.items():
        if len(secret) < _SHORTEST_KEY:
            raise raw.wrong(f"key.{name}.secret", f"expected at least {_SHORTEST_KEY} characters")
    credentials = {
        name: _secret(raw, f"upstream.{name}.key", upstream.key, given)
        for name, upstream in table.upstream.items()
        if upstream.key != "client"
    }
    if credentials and not keys:
        name = next(iter(credentials))
        raise raw.wrong(f"upstream.{name}.key", "the guard's own credential needs a [key.NAME] that callers show")
    if shadowing := next((name for name in table.scanner if name in OWN_SCANNERS), None):
        raise raw.wrong(f"scanner.{shadowing}", "a scanner of the guard is called so; expected another name")
    scanner_keys = {
        name: _secret(raw, f"scanner.{name}.key", scanner.key, given)
        for name, scanner in table.scanner.items()
        if scanner.key
    }
    routes = tuple(_route(raw, route, table) for route in table.route)
    names = [route.name for route in routes]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise raw.wrong("route.name", f"two routes are called {twice!r}")
    judging = _judging(raw, table, routes)
    store, webhook = _store(raw, table, given)
    return GuardSettings(table, routes, keys, credentials, scanner_keys, judging, store, webhook)


def _judging(raw: TomlFile, table: GuardTable, routes: Iterable[Route]) -> JudgingSettings:
    """Return the settings of judging; a judge that could not be asked is told of now."""
    beside = Path(raw.where).parent
    own = table.judge
    calibration = beside / own.calibration if own.calibration else None
    settings = JudgingSettings(judge=own.judge, calibration=calibration, offline=True)
    rules = {policy.label: policy for route in routes for policy in (route.policy, *route.stricter.values())}
    asking = [policy for policy in rules.values() if policy.semantic in ASKING | {"sampled"}]
    if asking and own != JudgeTable():
        try:
            judging = Judging(settings)
            for policy in asking:
                judging.judge(judging.rules_on(policy.profile))
        except ShowableError as error:
            raise raw.wrong("judge", str(error)) from None
    return settings


def _store(raw: TomlFile, table: GuardTable, environment: Mapping[str, str]) -> tuple[str | None, str | None]:
    """Return where the trace store is, and where alarms are posted."""
    own = table.store
    if own is None:
        if waiting := next((route.name for route in table.route if route.semantic == "sampled"), None):
            raise raw.wrong("route.semantic", f"sampled needs a [store]: what {waiting!r} has shown is judged there")
        return None, None
    path = own.path if ":" in own.path else str(Path(raw.where).parent / own.path)
    webhook = own.webhook
    if webhook is not None and webhook.startswith("env:"):
        webhook = _secret(raw, "store.webhook", webhook, environment)
    try:
        return path, None if webhook is None else check_address(webhook)
    except ShowableError as error:
        raise raw.wrong("store.webhook", str(error).removeprefix("--webhook: ")) from None


def _check_address(raw: TomlFile, name: str, base_url: str) -> None:
    parts = urlsplit(base_url)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.query or parts.fragment or parts.username:
        raise raw.wrong(f"upstream.{name}.base_url", "expected http:// or https://, a host, and no query or user")


def _secret(raw: TomlFile, field: str, reference: str, environment: Mapping[str, str]) -> str:
    name = reference.removeprefix("env:")
    value = environment.get(name, "")
    if not value:
        raise raw.wrong(field, f"the variable {name} is not set")
    return value


def _route(raw: TomlFile, table: RouteTable, whole: GuardTable) -> Route:
    if table.upstream not in whole.upstream:
        raise raw.wrong("route.upstream", f"{table.upstream!r} is none of {', '.join(whole.upstream)}")
    outside = tuple(name for name in table.scanners if name in whole.scanner)
    try:
        own, holding = choose_scanners((name for name in table.scanners if name not in outside), whole.topic)
    except ShowableError as error:
        raise raw.wrong("route.scanners", str(error)) from None
    scanning = {"scanners": own, "holding": holding | {f"scanner.{name}" for name in outside}}
    policy = policy_for(_profile(raw, table.profile), table, **scanning)
    _check_modes(raw, table, policy, outside)
    stricter = {name: policy_for(_profile(raw, name), table, **scanning) for name in table.allow_profiles}
    context = Context(table.context.role, table.context.begin, table.context.end) if table.context else None
    return Route(table, policy, stricter, context, outside)


def _check_modes(raw: TomlFile, table: RouteTable, policy: Policy, outside: tuple[str, ...]) -> None:
    """Refuse rules that cannot be kept together."""
    if policy.semantic in ASKING and policy.reading == "lean":
        said = (
            f"{policy.semantic} needs reading = full: only sentences that were read make claims that a judge can read"
        )
        raise raw.wrong("route.semantic", said)
    if table.stream != "sentence":
        return
    if policy.reading == "full" or table.registries == "cache":
        said = "sentence needs reading = lean, semantic = off or sampled, and registries = off"
        raise raw.wrong("route.stream", said)
    if policy.on_fail == "rewrite":
        raise raw.wrong("route.stream", "an answer that is shown by the sentence cannot be rewritten")
    if outside:
        raise raw.wrong("route.stream", f"an answer that is shown by the sentence cannot wait for {', '.join(outside)}")


def _profile(raw: TomlFile, name: str) -> Profile:
    beside = Path(raw.where).parent / name
    try:
        return load_profile(str(beside) if name.endswith(".toml") else name)
    except ShowableError as error:
        raise raw.wrong("route.profile", str(error)) from None


def policy_for(profile: Profile, table: RouteTable | None = None, **rules: Any) -> Policy:
    """Build the policy of a route: what its table leaves out follows from the field of the profile.

    Law and medicine: a failed answer is refused, an unknown one held, sentences are read, and claims of a critical kind
    need a verdict. Whoever wants verdicts has the sentences read. Elsewhere failed answers are held; under the general profile unknown ones are shown as `unverified`.
    """
    field = profile.answer_form
    strict = field in _STRICT
    own = (
        table.model_dump(include={"on_fail", "on_unknown", "semantic", "reading", "no_retrieval", "hold_as"})
        if table
        else {}
    )
    defaults: dict[str, Any] = {
        "on_fail": _ON_FAIL.get(field, "hold"),
        "on_unknown": "show" if field == "general" else "hold",
        "semantic": "critical" if strict else "off",
    }
    defaults["reading"] = "full" if strict or own.get("semantic") in ASKING else "lean"
    chosen = defaults | {name: value for name, value in own.items() if value is not None} | rules
    return Policy(profile=profile, label=profile.label, **chosen)
