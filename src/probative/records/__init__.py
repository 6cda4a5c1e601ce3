"""The nouns: what goes in, what is gathered, what comes out. Pure values; nothing here does any work."""

from probative.errors import InputError, ProbativeError, SettingError
from probative.records.evidence import Cost, Evidence, Judge, Pair, PairVerdict, Verdict
from probative.records.findings import Finding, Outcome, OutcomeCounts, Subject
from probative.records.lookups import Entry, FieldCheck, Found, Lookup, LookupResult, Notice, Person, Registry
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
    Scorecard,
)
from probative.records.signature import Signature, Thresholds

__all__ = [
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
    "Question",
    "Record",
    "Reference",
    "RefusalPoint",
    "Registry",
    "Scorecard",
    "SettingError",
    "Signature",
    "Source",
    "Subject",
    "Thresholds",
    "Verdict",
]
