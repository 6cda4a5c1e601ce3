"""Personal data in an answer that neither the question nor the passages hold, told by presidio's recognisers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from showable.errors import SettingError
from showable.production.guard.call import GuardCall
from showable.read.scan.registered import is_part, registered_spans
from showable.records.findings import Finding, Outcome

CODE = "scanner.personal_data"

_LEAST_SCORE = 0.4
"""What a recogniser gives to a form that is right by itself, without words around it; the weaker ones fit page numbers."""
_DIGITS = re.compile(r"\d(?:[ ().-]{0,2}\d){6}")
"""Seven digits, the fewest of a telephone number; every other kind but an e-mail address has more."""
_KINDS = {
    "CREDIT_CARD": "the number of a payment card",
    "EMAIL_ADDRESS": "an e-mail address",
    "ES_NIE": "a Spanish identity number",
    "ES_NIF": "a Spanish identity number",
    "FI_PERSONAL_IDENTITY_CODE": "a Finnish identity code",
    "IBAN_CODE": "the number of a bank account",
    "IT_FISCAL_CODE": "an Italian fiscal code",
    "PHONE_NUMBER": "a telephone number",
    "SG_NRIC_FIN": "a Singaporean identity number",
    "US_SSN": "a social security number",
}


class PersonalData:
    """A scanner of one worker. Recognisers only: no model is loaded and nothing is fetched.

    The kinds are those that a checksum or a strict form tells from page numbers, dockets and identifiers of works.
    Raises SettingError where presidio is not installed.
    """

    def __init__(self) -> None:
        self._recognisers = _load()

    def __call__(self, call: GuardCall) -> Iterator[Finding]:
        """Yield kind and place of what the model brought in; never the data."""
        known: str | None = None
        for answer in call.answers:
            for text, has_place in (
                (answer.text, True),
                (answer.refusal or "", False),
                *((b, False) for b in answer.beside),
            ):
                for kind, start, end in self._recognised(text):
                    if known is None:
                        known = _known(call)
                    if _folded(text[start:end]) not in known:
                        reason = f"it holds {_KINDS[kind]} that neither the question nor a passage gives"
                        where = (start, end) if has_place else None
                        yield Finding(code=CODE, outcome=Outcome.FAIL, reason=reason, where=where)

    def _recognised(self, text: str) -> Iterator[tuple[str, int, int]]:
        if "@" not in text and not _DIGITS.search(text) and not _IDENTITY.search(text):
            return
        found = [
            (result.entity_type, result.start, result.end)
            for recogniser in self._recognisers
            for result in recogniser.analyze(text, recogniser.supported_entities, None)
            if result.score >= _LEAST_SCORE
        ]
        if found:
            spans = registered_spans(text)
            yield from (one for one in sorted(set(found)) if not is_part(one[1:], spans))


_IDENTITY = re.compile(r"[A-Z0-9]{6}")


def _load() -> list[Any]:
    try:
        from presidio_analyzer import predefined_recognizers as kinds  # noqa: PLC0415 - an extra that takes a second
    except ImportError:
        raise SettingError("scanners: personal_data needs presidio: pip install 'showable[pii]'") from None
    from tldextract import TLDExtract  # noqa: PLC0415 - as above

    suffixes = TLDExtract(suffix_list_urls=(), cache_dir=None)

    class EmailRecogniser(kinds.EmailRecognizer):  # type: ignore[misc]
        """The original fetches the list of public suffixes from the network."""

        def validate_result(self, pattern_text: str) -> bool:
            """Return True where the domain is one, by the list that is installed."""
            return bool(suffixes(pattern_text).fqdn)

    return [
        EmailRecogniser(),
        kinds.CreditCardRecognizer(),
        kinds.IbanRecognizer(),
        kinds.UsSsnRecognizer(),
        kinds.PhoneRecognizer(supported_regions=("US",), leniency=2),  # numbers with + whatever the country
        kinds.EsNifRecognizer(),
        kinds.EsNieRecognizer(),
        kinds.ItFiscalCodeRecognizer(),
        kinds.FiPersonalIdentityCodeRecognizer(),
        kinds.SgFinRecognizer(),
    ]


def _known(call: GuardCall) -> str:
    """Return the question and the passages in one, less everything but letters and digits."""
    given: Iterable[str | None] = (
        call.question,
        *(part for source in call.retrieved or () for part in (source.title, source.text)),
    )
    return "\n".join(_folded(text) for text in given if text)


def _folded(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()
