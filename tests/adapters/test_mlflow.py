"""The MLflow scorer through `mlflow.genai.evaluate`, on a store of its own in a file of SQLite."""

# ruff: noqa: E402 - the package is imported once it is known to be there

import pytest
from adapter_rows import EMPTY, JUDGE, LOG, NOTICE, RICH, ROWS, Registries
from outside import needs

needs("mlflow")

import mlflow
from mlflow.entities import Document, SpanType

import showable
from showable.adapters.mlflow import showable_scorer
from showable.adapters.mlflow_rows import as_record

pytestmark = pytest.mark.filterwarnings("ignore")  # the package's own
ALL = [*ROWS, EMPTY, *RICH]
NAMES = ("showable", "showable_acceptable", "showable_citation_exists", "showable_citation_supports")
YES_NO = {"pass": "yes", "fail": "no", "not_applicable": "not_applicable", "unknown": None}


@pytest.fixture(scope="module", autouse=True)
def _store(tmp_path_factory):
    folder = tmp_path_factory.mktemp("mlflow")
    with pytest.MonkeyPatch.context() as patch:
        # A thread that writes holds one connection and asks for another: ten rows and ten traces at once can wait for
        # each other until the pool of fifteen times out, and what they told is lost.
        patch.setenv("MLFLOW_SQLALCHEMYSTORE_POOLCLASS", "NullPool")
        mlflow.set_tracking_uri(f"sqlite:///{folder}/mlflow.db")
        artifacts = str(folder / "artifacts")
        mlflow.set_experiment(experiment_id=mlflow.create_experiment("lease", artifact_location=artifacts))
        yield
        mlflow.set_tracking_uri(None)


def data(row):
    outputs = {"answer": row.answer} | ({} if row.passages is None else {"retrieved": row.passages})
    one = {"inputs": {"question": row.question, "name": row.name}, "outputs": outputs}
    return one | ({"expectations": {"expected_response": row.gold}} if row.gold else {})


def assessments(result):
    """Give every row's assessments by name, as they stand in the store."""
    told = {}
    for trace in mlflow.search_traces(run_id=result.run_id, return_type="list"):
        kept = {one.name: one for one in trace.info.assessments if one.feedback is not None}
        told[trace.data.spans[0].inputs["name"]] = kept
    return told


@pytest.fixture(scope="module")
def evaluated():
    return mlflow.genai.evaluate(data=[data(row) for row in ALL], scorers=[showable_scorer(judge=JUDGE)])


def test_every_row_has_the_bucket_that_score_gives(evaluated):
    told = assessments(evaluated)
    assert sorted(told) == sorted(row.name for row in ALL)
    for row in ALL:
        card, given = showable.score(row.record, judge=JUDGE), told[row.name]
        assert set(given) == set(NAMES)
        assert given["showable"].value == card.bucket == row.bucket
        assert given["showable"].rationale.startswith(row.bucket)
        assert given["showable"].metadata["cause"] == (row.cause or "")
        assert "|judge:lexical" in given["showable"].metadata["signature"]
        assert given["showable_acceptable"].value == {True: "yes", False: "no", None: None}[row.acceptable]
        assert given["showable_citation_exists"].value == YES_NO[card.citation_exists]
        assert given["showable_citation_supports"].value == YES_NO[card.citation_supports]


def test_what_could_not_be_decided_is_an_error_and_not_a_no(evaluated):
    told = assessments(evaluated)
    for name, given in told.items():
        for one in given.values():
            assert (one.feedback.error is not None) is (one.value is None), (name, one.name)
    error = told["not-logged"]["showable_acceptable"].feedback.error
    assert error.error_code == "UNKNOWN"
    assert error.error_message.startswith("unknown (undecided): ")


def test_means_are_of_what_was_decided(evaluated):
    assert evaluated.metrics["showable_acceptable/mean"] == pytest.approx(3 / 17)
    assert not any(name.startswith("showable/") for name in evaluated.metrics), "a bucket has no mean"


def test_where_nothing_was_decided_there_is_no_mean():
    rows = [data(row) for row in ALL if row.bucket == "unknown"]
    result = mlflow.genai.evaluate(data=rows, scorers=[showable_scorer(judge=JUDGE)])
    assert "showable_acceptable/mean" not in result.metrics


@mlflow.trace(span_type=SpanType.RETRIEVER)
def retrieve(query):
    inner(query)
    return [Document(page_content=text, metadata={"doc_uri": f"doc-{i}"}) for i, text in enumerate(LOG)]


@mlflow.trace(span_type=SpanType.RETRIEVER)
def inner(query):
    return [Document(page_content="What the retriever drops.", metadata={"doc_uri": "dropped"})]


@mlflow.trace
def answer(question, name):
    found = retrieve(question)
    return f"The notice period is 30 days [{found[0].metadata['doc_uri']}]."


def test_passages_come_from_the_retrievers_of_the_trace():
    seen = []

    def record(**row):
        seen.append(as_record(**row))
        return seen[-1]

    rows = [{"inputs": {"question": "What is the notice period?", "name": "traced"}}]
    result = mlflow.genai.evaluate(data=rows, predict_fn=answer, scorers=[showable_scorer(judge=JUDGE, record=record)])
    assert assessments(result)["traced"]["showable"].value == "correct"
    assert [one.source_id for one in seen[0].retrieved] == ["doc-0", "doc-1", "doc-2"]
    assert seen[0].retrieved[0].text == NOTICE
    assert seen[0].trace_id == seen[0].id


def test_a_row_without_a_question_is_an_error_that_says_so():
    rows = [{"inputs": {"topic": 7, "name": "odd"}, "outputs": "The rent is 900 euros."}]
    result = mlflow.genai.evaluate(data=rows, scorers=[showable_scorer(judge=JUDGE)])
    (odd,) = assessments(result)["odd"].values()
    assert odd.value is None
    assert odd.feedback.error.error_message.startswith("inputs: no question: expected text, or one of question, query")


def test_a_name_of_ones_own_and_a_record_of_ones_own():
    def record(inputs, outputs, **_):
        return {
            "id": inputs["name"],
            "question": "Q?",
            "answer": outputs,
            "retrieved": [{"source_id": "a", "text": NOTICE}],
        }

    scorer = showable_scorer(judge=JUDGE, registries=Registries(), record=record, name="citations")
    rows = [{"inputs": {"name": "own"}, "outputs": "The notice period is 30 days [a]."}]
    told = assessments(mlflow.genai.evaluate(data=rows, scorers=[scorer]))["own"]
    assert told["citations"].value == "correct"
    assert told["citations_acceptable"].value == "yes"
    assert "|registries:none-asked@1|" in told["citations"].metadata["signature"]


def test_a_record_of_ones_own_that_is_none_is_an_error_that_names_the_field():
    scorer = showable_scorer(judge=JUDGE, record=lambda **_: {"id": "a", "question": 7, "answer": "A."})
    told = assessments(mlflow.genai.evaluate(data=[data(ROWS[0])], scorers=[scorer]))[ROWS[0].name]
    assert told["showable"].feedback.error.error_message == "record.question: expected a string, got 7"


def test_the_example():
    rows = [
        {
            "inputs": {"question": "What is the notice period?"},
            "outputs": {"answer": "The notice period is 30 days [1].", "retrieved": ["The notice period is 30 days."]},
            "expectations": {"expected_response": "30 days"},
        }
    ]
    result = mlflow.genai.evaluate(data=rows, scorers=[showable_scorer(judge="lexical")])
    assert result.metrics["showable_acceptable/mean"] == 1.0
