"""The examples of docs/adapters.md, run as they stand there with the tools they are about."""

import asyncio
import contextlib
import gc
import re
from pathlib import Path

import pytest
from outside import needs

PAGE = Path(__file__).resolve().parents[2] / "docs/adapters.md"
SECTION = re.compile(r"^## (?P<title>.+?)$(?P<body>.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
EXAMPLE = re.compile(r"```py\n(.*?)```", re.DOTALL)
PACKAGES = {"Inspect AI": "inspect_ai", "MLflow": "mlflow", "DeepEval": "deepeval", "ragas": "ragas"}

pytestmark = pytest.mark.filterwarnings("ignore")  # the packages' own


def examples():
    text = PAGE.read_text("utf-8")
    return {found["title"]: EXAMPLE.findall(found["body"]) for found in SECTION.finditer(text)}


def ran(title, change=("", "")):
    """Give the names that the one example of a section leaves behind, as it stands or with some words changed."""
    (example,) = examples()[title]
    names = {}
    exec(compile(example.replace(*change), str(PAGE), "exec"), names)  # noqa: S102 - our own documentation
    return names


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    """The tools leave files where they run, and event loops that nobody closes."""
    monkeypatch.chdir(tmp_path)
    yield
    with contextlib.suppress(RuntimeError):
        asyncio.get_event_loop_policy().get_event_loop().close()
    asyncio.set_event_loop(None)
    gc.collect()  # here, where their warnings are unheard


def test_every_tool_has_one_example():
    assert {title: len(found) for title, found in examples().items()} == dict.fromkeys(PACKAGES, 1)


def test_inspect(tmp_path):
    needs("inspect_ai")
    from inspect_ai import eval as run_eval
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    said = ModelOutput.from_content("mockllm", "It is taken twice a day [1].")
    said.usage = ModelUsage(input_tokens=9, output_tokens=9, total_tokens=18)  # or Inspect fetches a tokenizer to count
    model = get_model("mockllm/model", custom_outputs=[said])
    (log,) = run_eval(ran("Inspect AI")["leaflet"](), model=model, log_dir=str(tmp_path), display="none")
    shares = {name: metric.value for name, metric in log.results.scores[0].metrics.items()}
    assert (shares["decided"], shares["correct"]) == (1, 1)
    assert {"acceptable", "acceptable_low", "acceptable_high"} <= shares.keys()


def test_mlflow(tmp_path, capsys):
    mlflow = needs("mlflow")
    mlflow.set_tracking_uri(f"sqlite:///{tmp_path}/mlflow.db")
    artifacts = str(tmp_path / "artifacts")
    mlflow.set_experiment(experiment_id=mlflow.create_experiment("leaflet", artifact_location=artifacts))
    try:
        names = ran("MLflow")
    finally:
        mlflow.set_tracking_uri(None)
    assert names["result"].metrics["showable_acceptable/mean"] == 1.0
    assert "1.0" in capsys.readouterr().out


def test_deepeval():
    needs("deepeval")
    ran("DeepEval")["test_dose"]()
    with pytest.raises(AssertionError, match="invented_source"):
        ran("DeepEval", ("[1]", "[9]"))["test_dose"]()


def test_ragas():
    needs("ragas")
    (row,) = ran("ragas")["table"].to_dict("records")
    assert (row["bucket"], row["showable_acceptable"], row["showable_unknown"]) == ("correct", 1.0, 0.0)
