"""Currencies as they are written: signs, ISO 4217 codes, and names with and without the country's adjective."""

from __future__ import annotations

import re

from showable.read.word_sets import word_set

_ANY_CASE = word_set("usd eur gbp jpy cny rmb inr chf cad aud hkd sgd sek nok dkk krw brl zar mxn pln")
CODES = word_set(
    "NZD TWD THB IDR MYR PHP VND PKR BDT LKR NPR KZT UZS AED SAR QAR KWD BHD OMR JOD ILS TRY IRR IQD EGP MAD TND DZD NGN KES GHS UGX TZS ETB ZMW BWP MUR XOF XAF "
    "RUB UAH BYN CZK HUF RON BGN RSD ISK HRK AMD AZN ARS CLP COP UYU BOB PYG CRC GTQ DOP JMD TTD MOP"
)
"""Codes that are read in capitals alone: some are words in small letters."""
_SIGNS = {
    "$": "USD", "us$": "USD", "u.s.$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "rs.": "INR", "c$": "CAD", "ca$": "CAD", "a$": "AUD", "au$": "AUD",
    "hk$": "HKD", "s$": "SGD", "nz$": "NZD", "₩": "KRW", "r$": "BRL", "rmb": "CNY",
}  # fmt: skip
# name: its code, then the adjectives that may stand before it, with theirs where it is another one
_NAMES: dict[str, tuple[str | None, dict[str, str]]] = {
    "dollar": ("USD", {"us": "USD", "u.s.": "USD", "american": "USD", "united states": "USD", "canadian": "CAD", "australian": "AUD", "new zealand": "NZD",
                       "hong kong": "HKD", "singapore": "SGD", "singaporean": "SGD", "taiwan": "TWD", "taiwanese": "TWD", "jamaican": "JMD"}),
    "euro": ("EUR", {}),
    "pound": ("GBP", {"british": "GBP", "uk": "GBP", "egyptian": "EGP"}),
    "pounds sterling": ("GBP", {}),
    "buck": ("USD", {}),
    "yen": ("JPY", {"japanese": "JPY"}),
    "yuan": ("CNY", {"chinese": "CNY"}),
    "renminbi": ("CNY", {"chinese": "CNY"}),
    "rupee": ("INR", {"indian": "INR", "pakistani": "PKR", "pakistan": "PKR", "sri lankan": "LKR", "nepalese": "NPR"}),
    "franc": (None, {"swiss": "CHF", "cfa": "XOF"}),
    "krona": (None, {"swedish": "SEK", "icelandic": "ISK"}),
    "kronor": ("SEK", {"swedish": "SEK"}),
    "krone": (None, {"norwegian": "NOK", "danish": "DKK"}),
    "kroner": (None, {"norwegian": "NOK", "danish": "DKK"}),
    "won": (None, {"korean": "KRW", "south korean": "KRW"}),
    "real": (None, {"brazilian": "BRL"}),
    "reais": ("BRL", {"brazilian": "BRL"}),
    "rand": ("ZAR", {"south african": "ZAR"}),
    "peso": (None, {"mexican": "MXN", "argentine": "ARS", "argentinian": "ARS", "chilean": "CLP", "colombian": "COP", "philippine": "PHP", "uruguayan": "UYU"}),
    "zloty": ("PLN", {"polish": "PLN"}),
    "złoty": ("PLN", {"polish": "PLN"}),
    "rouble": ("RUB", {"russian": "RUB", "belarusian": "BYN"}),
    "ruble": ("RUB", {"russian": "RUB", "belarusian": "BYN"}),
    "hryvnia": ("UAH", {"ukrainian": "UAH"}),
    "forint": ("HUF", {"hungarian": "HUF"}),
    "koruna": (None, {"czech": "CZK"}),
    "lira": (None, {"turkish": "TRY"}),
    "shekel": ("ILS", {"israeli": "ILS", "new israeli": "ILS"}),
    "dirham": (None, {"uae": "AED", "emirati": "AED", "moroccan": "MAD"}),
    "riyal": (None, {"saudi": "SAR", "qatari": "QAR"}),
    "dinar": (None, {"kuwaiti": "KWD", "bahraini": "BHD", "jordanian": "JOD", "serbian": "RSD"}),
    "baht": ("THB", {"thai": "THB"}),
    "ringgit": ("MYR", {"malaysian": "MYR"}),
    "rupiah": ("IDR", {"indonesian": "IDR"}),
    "naira": ("NGN", {"nigerian": "NGN"}),
    "shilling": (None, {"kenyan": "KES", "ugandan": "UGX", "tanzanian": "TZS"}),
}  # fmt: skip


def _named() -> dict[str, str]:
    found = {name: code for name, (code, _) in _NAMES.items() if code}
    for name, (_, adjectives) in _NAMES.items():
        found |= {f"{adjective} {name}": code for adjective, code in adjectives.items()}
    return found


_NAMED = _named()
CURRENCIES: dict[str, str] = (
    {code.lower(): code for code in [*(c.upper() for c in _ANY_CASE), *CODES]} | _SIGNS | _NAMED
)
_LONGEST_FIRST = sorted(_NAMED, key=len, reverse=True)
MONEY_AFTER = (
    r"(?i:(?:" + "|".join(re.escape(n) for n in _LONGEST_FIRST) + r")s?|cents?|pence|" + "|".join(sorted(_ANY_CASE)) + ")(?![A-Za-z])"
    r"|(?:" + "|".join(sorted(CODES)) + r")(?![A-Za-z])|[€£¥₹¢](?![0-9])"
)  # fmt: skip
"""What may follow an amount to say that it is money."""
CODES_BEFORE = "|".join([*sorted(c.upper() for c in _ANY_CASE), *sorted(CODES)])
"""Codes that may stand before an amount, in capitals."""


def currency(written: str) -> str | None:
    """Return the ISO 4217 code of a currency as written; an unmarked dollar is taken as USD."""
    low = written.lower().replace("\u00a0", " ").strip()
    return CURRENCIES.get(low) or CURRENCIES.get(low.removesuffix("s"))
