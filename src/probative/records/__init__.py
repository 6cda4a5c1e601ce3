"""The nouns: what goes in, what is gathered, what comes out. Pure values; nothing here does any work."""

from probative.errors import InputError, ProbativeError, SettingError
from probative.records.evidence import Cost, Evidence, Judge, Pair, PairVerdict, Verdict
from probative.records.findings import Finding, Outcome, OutcomeCounts, Subject
from probative.records.lookups import Entry, FieldCheck, Found, Lookup, LookupResult, Notice, Person, Registry
from probative.records.profile import GENERAL, Profile
from probative.records.record import (
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
from probative.records.scorecard import (
    Bucket,
    ChunkScore,
    CitationScore,
    ClaimScore,
    RefusalPoint,
    Release,
    Scorecard,
)
from probative.records.signature import Signature, Thresholds

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
    "ProbativeError",
    "Profile",
    "Question",
    "Record",
    "Reference",
    "RefusalPoint",
    "Registry",
    "Release",
    "Scorecard",
    "SettingError",
    "Signature",
    "Source",
    "Subject",
    "Thresholds",
    "Verdict",
]
