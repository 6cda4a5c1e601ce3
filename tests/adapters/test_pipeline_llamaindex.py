"""Query engines made with the real llama-index-core, put to questions as pipelines."""

# ruff: noqa: E402 - the package is imported once it is known to be there

import asyncio

import pytest
from outside import needs

needs("llama_index")

from llama_index.core import PromptTemplate
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.indices.query.query_transform.base import IdentityQueryTransform
from llama_index.core.llms import MockLLM
from llama_index.core.query_engine import RetrieverQueryEngine, TransformQueryEngine
from llama_index.core.response_synthesizers import get_response_synthesizer
from llama_index.core.schema import NodeWithScore, TextNode

from showable.harness.pipelines.llamaindex import LlamaIndexPipeline
from showable.harness.pipelines.pipeline import Asked
from showable.harness.pipelines.python_function import adapt

pytestmark = pytest.mark.filterwarnings("ignore")  # the package's own
NODES = [
    NodeWithScore(
        node=TextNode(id_="lease#1", text="The notice period is thirty days.", metadata={"page": 3}), score=0.9
    ),
    NodeWithScore(node=TextNode(id_="rent#1", text="Rent falls due monthly."), score=0.1),
]


class Shelf(BaseRetriever):
    def _retrieve(self, query_bundle):
        return NODES


def engine(**settings):
    template = PromptTemplate("{context_str} {query_str}")
    synthesizer = get_response_synthesizer(llm=MockLLM(), text_qa_template=template, **settings)
    return RetrieverQueryEngine(retriever=Shelf(), response_synthesizer=synthesizer)


def ask(engine, force_null=False, count=1):
    pipeline = adapt(engine, "m:engine")
    assert isinstance(pipeline, LlamaIndexPipeline)

    async def every():
        asked = (
            Asked(id=str(n), question="How long is it?", force_null=force_null or bool(n % 2)) for n in range(count)
        )
        return await asyncio.gather(*map(pipeline.ask, asked))

    return asyncio.run(every())


def ids(reply):
    return [source.source_id for source in reply.retrieved]


def test_the_log_is_the_nodes_of_the_response():
    (reply,) = ask(engine())
    assert "thirty days" in reply.answer
    assert ids(reply) == ["lease#1", "rent#1"]
    assert [source.score for source in reply.retrieved] == [0.9, 0.1]
    assert reply.retrieved[0].text == "The notice period is thirty days."
    assert reply.retrieved[0].metadata == {"page": 3}


def test_a_response_that_streams_is_read_to_its_end():
    (reply,) = ask(engine(streaming=True))
    assert "thirty days" in reply.answer
    assert ids(reply) == ["lease#1", "rent#1"]


def test_an_empty_retrieval_is_empty_for_that_question_alone():
    replies = ask(engine(), count=6)
    assert [ids(reply) for reply in replies] == [["lease#1", "rent#1"], []] * 3
    assert all("thirty days" not in reply.answer for reply in replies[1::2])


def test_an_engine_around_an_engine_is_reached():
    around = TransformQueryEngine(engine(), IdentityQueryTransform())
    assert ids(ask(around)[0]) == ["lease#1", "rent#1"]
    assert ids(ask(around, force_null=True)[0]) == []
