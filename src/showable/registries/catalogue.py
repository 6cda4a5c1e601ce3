"""Every registry there is, by the path of its class. To add one: write its file, and its line here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module

from showable.errors import SettingError
from showable.records import Registry
from showable.registries.settings import Settings
from showable.registries.web.asking import Pace, Web

WebFor = Callable[[str, Pace], Web]
"""Makes the way out for one registry, from its name and its pace."""

REGISTRIES: tuple[str, ...] = (
    "doi_org.DoiOrg",
    "crossref.Crossref",
    "datacite.DataCite",
    "openalex.OpenAlex",
    "pubmed.PubMed",
    "ecitmatch.ECitMatch",
    "pmc_ids.PmcIds",
    "europe_pmc.EuropePmc",
    "arxiv.ArXiv",
    "bookshelf.Bookshelf",
    "courtlistener.CourtListener",
    "caselaw_access.CaselawAccess",
    "ecfr.Ecfr",
    "govinfo.GovInfo",
    "us_code.UsCode",
    "federal_register.FederalRegister",
    "find_case_law.FindCaseLaw",
    "westlaw.Westlaw",
    "lexis.Lexis",
    "pacer.Pacer",
    "orange_book.OrangeBook",
    "drugs_at_fda.DrugsAtFda",
    "dailymed.DailyMed",
    "clinical_trials.ClinicalTrials",
    "edgar.Edgar",
    "open_library.OpenLibrary",
    "wayback.Wayback",
    "web_page.WebPage",
)
"""Module and class under `showable.registries`; the module's name is the registry's. `local` is made from its own file."""

NAMES: tuple[str, ...] = tuple(path.partition(".")[0] for path in REGISTRIES)


def registry_class(name: str) -> type:
    """Import the class of one registry. Raises SettingError where there is no such registry."""
    paths = dict(zip(NAMES, REGISTRIES, strict=True))
    if name not in paths:
        raise SettingError(f"no registry is called {name!r}; there are {', '.join(NAMES)} and local")
    module, _, class_name = paths[name].partition(".")
    try:
        loaded = import_module(f"showable.registries.{module}")
    except ModuleNotFoundError as error:
        raise SettingError(f"registry {name}: needs the module {error.name}, which is not there") from None
    made: type = getattr(loaded, class_name)
    return made


class Registries(Mapping[str, Registry]):
    """All registries by name, each imported and made when it is first asked for."""

    def __init__(self, web_for: WebFor, settings: Settings) -> None:
        self._web_for, self._settings = web_for, settings
        self._made: dict[str, Registry] = {}

    def __getitem__(self, name: str) -> Registry:
        if name not in NAMES:
            raise KeyError(name)
        if name not in self._made:
            made = registry_class(name)
            pace: Pace = made.pace  # type: ignore[attr-defined]
            self._made[name] = made(self._web_for(name, pace), self._settings)
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(NAMES)

    def __len__(self) -> int:
        return len(NAMES)

    def __contains__(self, name: object) -> bool:
        return name in NAMES


def make_registries(web_for: WebFor, settings: Settings) -> Mapping[str, Registry]:
    """Return all registries by name; none is imported before it is asked for."""
    return Registries(web_for, settings)
