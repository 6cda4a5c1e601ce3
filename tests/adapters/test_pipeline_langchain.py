"""Chains made with the real langchain-core, put to questions as pipelines."""

# ruff: noqa: E402 - the package is imported once it is known to be there

import asyncio

import pytest
from outside import needs

needs("langchain_core")

from langchain_core.documents import Document
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnableLambda, RunnableParallel, RunnablePassthrough

from showable.harness.pipelines.failures import PipelineError
from showable.harness.pipelines.langchain import LangChainPipeline
from showable.harness.pipelines.pipeline import Asked
from showable.harness.pipelines.python_function import adapt

pytestmark = pytest.mark.filterwarnings("ignore")  # the package's own
DOCUMENTS = [
    Document(id="lease#1", page_content="The notice period is thirty days.", metadata={"page": 3}),
    Document(page_content="Rent falls due monthly.", metadata={"id": "rent#1"}),
]
ANSWER = "The notice period is thirty days [lease#1]."
QUESTION = "What is the notice period?"


class Shelf(BaseRetriever):
    def _get_relevant_documents(self, query, *, run_manager):
        return DOCUMENTS


class Reranker(BaseRetriever):
    inner: BaseRetriever

    def _get_relevant_documents(self, query, *, run_manager):
        return self.inner.invoke(query, config={"callbacks": run_manager.get_child()})[:1]


def model(usage=None):
    said = AIMessage(ANSWER, usage_metadata=usage)
    return GenericFakeChatModel(messages=iter([said] * 9))


PROMPT = ChatPromptTemplate.from_template("{context}\n{question}")


def text_chain(retriever, usage=None):
    """The plain chain of the tutorials: takes the text of the question, gives the text of the answer."""
    given = {"context": retriever, "question": RunnablePassthrough()}
    return given | PROMPT | model(usage) | StrOutputParser()


def mapping_chain(retriever):
    """What create_retrieval_chain makes: takes ``input``, gives ``context`` and ``answer`` beside it."""
    found = RunnablePassthrough.assign(context=RunnableLambda(lambda given: given["input"]) | retriever)
    return found.with_types(input_type=dict) | RunnablePassthrough.assign(answer=RunnableLambda(lambda _: ANSWER))


def ask(chain, force_null=False):
    return asyncio.run(adapt(chain, "m:chain").ask(Asked(id="q", question=QUESTION, force_null=force_null)))


def ids(reply):
    return None if reply.retrieved is None else [source.source_id for source in reply.retrieved]


def test_a_runnable_is_known_for_one():
    assert isinstance(adapt(text_chain(Shelf()), "m:chain"), LangChainPipeline)


def test_the_log_is_what_the_retriever_gave_even_where_the_chain_gives_text_alone():
    reply = ask(text_chain(Shelf()))
    assert reply.answer == ANSWER
    assert ids(reply) == ["lease#1", "rent#1"]
    assert reply.retrieved[0].text == DOCUMENTS[0].page_content


def test_an_empty_retrieval_reaches_the_model_and_the_log():
    seen = []
    chain = {"context": Shelf(), "question": RunnablePassthrough()} | RunnableLambda(
        lambda given: seen.append(given) or "I do not know."
    )
    pipeline = adapt(chain, "m:chain")

    async def both():
        return await asyncio.gather(
            *(pipeline.ask(Asked(id=str(n), question=QUESTION, force_null=bool(n % 2))) for n in range(6))
        )

    replies = asyncio.run(both())
    assert [ids(reply) for reply in replies] == [["lease#1", "rent#1"], []] * 3
    assert sorted(len(given["context"]) for given in seen) == [0, 0, 0, 2, 2, 2]


def test_a_retriever_that_asks_another_answers_for_it():
    assert ids(ask(text_chain(Reranker(inner=Shelf())))) == ["lease#1"]
    assert ids(ask(text_chain(Reranker(inner=Shelf())), force_null=True)) == []


def test_a_retriever_within_a_function_is_found():
    shelf = Shelf()
    chain = RunnableLambda(lambda question: {"answer": ANSWER, "context": shelf.invoke(question)})
    assert ids(ask(chain)) == ["lease#1", "rent#1"]
    assert ids(ask(chain, force_null=True)) == []


def test_documents_in_the_result_are_the_log_where_no_retriever_ran():
    chain = RunnableLambda(lambda question: {"result": ANSWER, "source_documents": DOCUMENTS})
    assert ids(ask(chain)) == ["lease#1", "rent#1"]


def test_fewer_documents_in_the_result_are_what_the_model_saw():
    chain = RunnableParallel(context=Shelf()) | RunnableLambda(
        lambda given: {"answer": AIMessage(ANSWER), "context": given["context"][1:]}
    )
    reply = ask(chain)
    assert (reply.answer, ids(reply), reply.shown) == (ANSWER, ["lease#1", "rent#1"], ("rent#1",))


def test_the_key_of_the_question_is_read_from_the_chain():
    chain = PROMPT.partial(context="") | RunnableLambda(lambda prompt: prompt.to_string())
    assert QUESTION in ask(chain).answer


def test_tokens_are_the_cost():
    usage = {"input_tokens": 40, "output_tokens": 9, "total_tokens": 49}
    cost = ask(text_chain(Shelf(), usage)).cost
    assert (cost.calls, cost.tokens_in, cost.tokens_out, cost.usd) == (1, 40, 9, None)
    assert ask(text_chain(Shelf())).cost is None


def test_messages_are_answers():
    parts = [{"type": "text", "text": "Thirty "}, {"type": "text", "text": "days."}]
    assert ask(RunnableLambda(lambda q: AIMessage(content=parts))).answer == "Thirty days."
    assert (
        ask(RunnableLambda(lambda q: {"messages": [AIMessage(q), AIMessage("Thirty days.")]})).answer == "Thirty days."
    )


@pytest.mark.parametrize(
    ("chain", "said"),
    [
        (Shelf(), "gave documents and no answer"),
        (RunnableLambda(lambda q: {"speech": q}), "no answer under answer, result.*it has speech"),
        (RunnableLambda(lambda q: 7), "expected a text"),
    ],
)
def test_what_is_no_answer_is_refused(chain, said):
    with pytest.raises(PipelineError, match=said) as refused:
        ask(chain)
    assert not refused.value.again
