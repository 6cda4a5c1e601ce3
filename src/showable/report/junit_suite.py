"""One suite of JUnit XML, written element by element."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import IO, Any, Literal

from showable.report.xml_text import xml_text


@dataclass(frozen=True, slots=True)
class Said:
    """Why a test did not pass: the element, its type, one line, and as many lines more as there are."""

    kind: Literal["failure", "error", "skipped"]
    type: str
    message: str
    text: str


@dataclass(frozen=True, slots=True)
class Case:
    """One test; `said` is None where it passed, `out` what else there is to say of it."""

    name: str
    classname: str
    said: Said | None
    out: str


@dataclass(frozen=True, slots=True)
class Suite:
    """A suite and its counts, which are known before its tests are written."""

    name: str
    tests: int
    failures: int
    skipped: int
    errors: int = 0
    properties: Mapping[str, str] = field(default_factory=dict)


def write_suite(suite: Suite, cases: Iterator[Case], file: IO[bytes]) -> None:
    """Write `testsuites` with one suite, as UTF-8, holding one test at a time."""
    from lxml import etree  # noqa: PLC0415 - only where XML is written

    counts = {"tests": str(suite.tests), "failures": str(suite.failures), "errors": str(suite.errors)}
    with etree.xmlfile(file, encoding="utf-8") as out:
        out.write_declaration()
        with (
            out.element("testsuites", name=suite.name, **counts),
            out.element("testsuite", name=suite.name, **counts, skipped=str(suite.skipped)),
        ):
            out.write("\n", _properties(suite, etree))
            for case in cases:
                out.write("\n", _element(case, etree))
            out.write("\n")


def _properties(suite: Suite, etree: Any) -> Any:
    properties = etree.Element("properties")
    for name, value in suite.properties.items():
        said = {"name": xml_text(name, one_line=True), "value": xml_text(value, one_line=True)}
        etree.SubElement(properties, "property", said).tail = "\n"
    return properties


def _element(case: Case, etree: Any) -> Any:
    test = etree.Element("testcase", name=case.name, classname=xml_text(case.classname, one_line=True))
    if case.said is not None:
        said = etree.SubElement(
            test,
            case.said.kind,
            type=xml_text(case.said.type, one_line=True),
            message=xml_text(case.said.message, one_line=True),
        )
        said.text = xml_text(case.said.text) or None
    if case.out:
        etree.SubElement(test, "system-out").text = xml_text(case.out)
    return test
