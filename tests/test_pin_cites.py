"""A pin cite is asked about until somebody knows where the case ends."""

import pytest

from showable.records import Entry, Found, Reference
from showable.registries.merge import Heard, merge, settled
from showable.registries.merge_works import Compared
from showable.rubrics.metadata.compare import compare

CASE = {
    "case_name": "Brown v. Board of Education", "plaintiff": "Brown", "defendant": "Board of Education",
    "volume": "347", "reporter": "U.S.", "page": "483", "year": "1954", "court": "scotus",
}  # fmt: skip
WITHOUT_END = Entry(case_names=("Brown v. Board of Education",), citations=("347 U.S. 483",), years=(1954,), court="scotus")  # fmt: skip
WITH_END = WITHOUT_END.model_copy(update={"first_page": "483", "last_page": "496"})


def heard(reference, entry, name):
    found = Found(status="found", registry=name, entries=(entry,))
    return Heard(found, (Compared(entry, compare(reference, entry)),))


TABLE = [
    # pin, settled by a registry without last pages, status once one with last pages is heard
    (None, True, "resolved"),
    ("495", False, "resolved"),
    ("9000", False, "mismatch"),
]


@pytest.mark.parametrize(("pin", "at_once", "status"), TABLE)
def test_a_registry_that_knows_no_last_page_does_not_settle_a_pin(pin, at_once, status):
    reference = Reference(kind="case", text="347 U.S. 483", fields=CASE | ({"pin": pin} if pin else {}))
    first, second = heard(reference, WITHOUT_END, "courtlistener"), heard(reference, WITH_END, "caselaw_access")
    assert settled(reference, [first]) is at_once
    assert merge(reference, [first, second]).status == status


def test_where_nobody_knows_the_last_page_the_case_is_resolved_all_the_same():
    reference = Reference(kind="case", text="347 U.S. 483", fields=CASE | {"pin": "9000"})
    result = merge(reference, [heard(reference, WITHOUT_END, "courtlistener")])
    assert result.status == "resolved"
    assert {check.field: check.outcome for check in result.compared}["pin"] == "unknown"
