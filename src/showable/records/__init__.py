"""The nouns: what goes in, what is gathered, what comes out. Pure values; nothing here does any work."""

from showable.errors import InputError, SettingError, ShowableError
from showable.records.evidence import Cost, Evidence, Judge, Pair, PairVerdict, Verdict
from showable.records.findings import Finding, Outcome, OutcomeCounts, Subject
from showable.records.lookups import Entry, FieldCheck, Found, Lookup, LookupResult, Notice, Person, Registry
from showable.records.profile import GENERAL, Profile
from showable.records.record import (
    Answer,
    Citation,
    Claim,
    Gold,
    GoldEvidence,
    Question,
    Record,
    Reference,
    Source,
)
from showable.records.scorecard import (
    Bucket,
    ChunkScore,
    CitationScore,
    ClaimScore,
    RefusalPoint,
    Release,
    Scorecard,
)
from showable.records.signature import Signature, Thresholds

__all__ = [
    "GENERAL",
    "Answer",
    "Bucket",
    "ChunkScore",
    "Citation",
    "CitationScore",
    "Claim",
    "ClaimScore",
    "Cost",
    "Entry",
    "Evidence",
    "FieldCheck",
    "Finding",
    "Found",
    "Gold",
    "GoldEvidence",
    "InputError",
    "Judge",
    "Lookup",
    "LookupResult",
    "Notice",
    "Outcome",
    "OutcomeCounts",
    "Pair",
    "PairVerdict",
    "Person",
    "Profile",
    "Question",
    "Record",
    "Reference",
    "RefusalPoint",
    "Registry",
    "Release",
    "Scorecard",
    "SettingError",
    "ShowableError",
    "Signature",
    "Source",
    "Subject",
    "Thresholds",
    "Verdict",
]
