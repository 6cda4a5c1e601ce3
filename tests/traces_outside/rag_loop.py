"""A small answering pipeline under one instrumentation, its spans sent out by a real OTLP exporter.

Run as ``python rag_loop.py CASE CHAT_URL OTLP_URL`` in a process of its own: instrumentations patch the same client.
"""

import os
import sys

QUESTION = "What is the notice period of the lease, and what is the rent?"
PASSAGES = [
    ("lease-7", "The notice period is 30 days.", {"title": "Lease", "page": 3}),
    ("lease-2", "The rent is 900 euros a month.", {"title": "Lease", "page": 1}),
    ("house-1", "The office opens at nine.", {"title": "House rules", "page": 1}),
]
ANSWER = "The notice period is 30 days [1]. The rent is 900 euros a month [2]."
SYSTEM = "Answer from the passages and cite them, as [1]."


def prompt(texts):
    shown = "\n".join(f"[{rank}] {text}" for rank, text in enumerate(texts, 1))
    return f"{shown}\n\nQuestion: {QUESTION}"


def providers(otlp):
    from opentelemetry import _logs, trace
    from opentelemetry.exporter.otlp.proto.http import Compression
    from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk._logs import LoggerProvider
    from opentelemetry.sdk._logs.export import BatchLogRecordProcessor
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    resource = Resource.create({"service.name": "leases"})
    spans, logs = TracerProvider(resource=resource), LoggerProvider(resource=resource)
    spans.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(f"{otlp}/v1/traces", compression=Compression.Gzip)))
    logs.add_log_record_processor(BatchLogRecordProcessor(OTLPLogExporter(f"{otlp}/v1/logs")))
    trace.set_tracer_provider(spans)
    _logs.set_logger_provider(logs)
    return spans, logs


def ask(url):
    """Ask by the client of OpenAI, as a pipeline without a framework does."""
    from openai import OpenAI

    client = OpenAI(base_url=url, api_key="none", max_retries=0)
    said = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": prompt(text for _, text, _ in PASSAGES)}]
    return client.chat.completions.create(model="gpt-4o-mini", messages=said).choices[0].message.content


def client_alone(url):
    from opentelemetry import trace

    with trace.get_tracer("leases").start_as_current_span("ask"):
        ask(url)


def client_and_two_lines(url):
    from showable import trace

    with trace.answering(QUESTION) as turn:
        turn.retrieved([{"source_id": source, "text": text, **more} for source, text, more in PASSAGES])
        ask(url)


def client_and_citations(url):
    """Publish citations that a pipeline has as data, beside a model call that something else records."""
    from showable import trace

    with trace.answering(QUESTION) as turn:
        turn.retrieved([{"source_id": source, "text": text, **more} for source, text, more in PASSAGES])
        text = ask(url)
        first, second = (sentence.strip() for sentence in text.split(". "))
        turn.answered(
            text, citations=[{"source_id": "lease-7", "claim": first}, {"source_id": "lease-2", "claim": second}]
        )


def chain(url, *, named=False):
    from langchain_core.callbacks import CallbackManagerForRetrieverRun
    from langchain_core.documents import Document
    from langchain_core.output_parsers import StrOutputParser
    from langchain_core.prompts import ChatPromptTemplate
    from langchain_core.retrievers import BaseRetriever
    from langchain_core.runnables import RunnablePassthrough
    from langchain_openai import ChatOpenAI

    class Shelf(BaseRetriever):
        def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
            return [
                Document(page_content=text, id=source, metadata=more | ({"id": source} if named else {}))
                for source, text, more in PASSAGES
            ]

    template = ChatPromptTemplate.from_messages([("system", SYSTEM), ("human", "{passages}\n\nQuestion: {question}")])
    shown = Shelf() | (lambda found: "\n".join(f"[{n}] {d.page_content}" for n, d in enumerate(found, 1)))
    model = ChatOpenAI(base_url=url, api_key="none", model="gpt-4o-mini", max_retries=0)
    ({"passages": shown, "question": RunnablePassthrough()} | template | model | StrOutputParser()).invoke(QUESTION)


def chain_with_ids_in_metadata(url):
    chain(url, named=True)


def openinference_openai(spans, logs):
    from openinference.instrumentation.openai import OpenAIInstrumentor

    OpenAIInstrumentor().instrument(tracer_provider=spans)


def openinference_langchain(spans, logs):
    from openinference.instrumentation.langchain import LangChainInstrumentor

    LangChainInstrumentor().instrument(tracer_provider=spans)


def traceai_openai(spans, logs):
    from traceai_openai import OpenAIInstrumentor

    OpenAIInstrumentor().instrument(tracer_provider=spans)


def traceai_langchain(spans, logs):
    from traceai_langchain import LangChainInstrumentor

    LangChainInstrumentor().instrument(tracer_provider=spans)


def openllmetry_openai(spans, logs):
    from opentelemetry.instrumentation.openai import OpenAIInstrumentor

    OpenAIInstrumentor().instrument(tracer_provider=spans)


def openllmetry_langchain(spans, logs):
    from opentelemetry.instrumentation.langchain import LangchainInstrumentor

    LangchainInstrumentor().instrument(tracer_provider=spans)


def otel_openai(spans, logs):
    from opentelemetry.instrumentation.openai_v2 import OpenAIInstrumentor

    OpenAIInstrumentor().instrument(tracer_provider=spans, logger_provider=logs)


def otel_openai_events(spans, logs):
    os.environ["OTEL_SEMCONV_STABILITY_OPT_IN"] = "gen_ai_latest_experimental"
    os.environ["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"] = "event_only"
    otel_openai(spans, logs)


def otel_openai_spans(spans, logs):
    os.environ["OTEL_SEMCONV_STABILITY_OPT_IN"] = "gen_ai_latest_experimental"
    os.environ["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"] = "span_only"
    otel_openai(spans, logs)


CASES = {
    "openinference-openai": (openinference_openai, client_alone),
    "openinference-openai+answering": (openinference_openai, client_and_two_lines),
    "openinference-openai+answered": (openinference_openai, client_and_citations),
    "openinference-langchain": (openinference_langchain, chain),
    "traceai-openai": (traceai_openai, client_alone),
    "traceai-openai+answering": (traceai_openai, client_and_two_lines),
    "traceai-langchain": (traceai_langchain, chain),
    "traceai-langchain+id": (traceai_langchain, chain_with_ids_in_metadata),
    "openllmetry-openai": (openllmetry_openai, client_alone),
    "openllmetry-openai+answering": (openllmetry_openai, client_and_two_lines),
    "openllmetry-langchain": (openllmetry_langchain, chain),
    "openllmetry-langchain+id": (openllmetry_langchain, chain_with_ids_in_metadata),
    "otel-openai-v2": (otel_openai, client_alone),
    "otel-openai-v2-events": (otel_openai_events, client_alone),
    "otel-openai-v2-spans": (otel_openai_spans, client_alone),
    "otel-openai-v2-spans+answering": (otel_openai_spans, client_and_two_lines),
}


def main(case, chat, otlp):
    spans, logs = providers(otlp)
    instrument, loop = CASES[case]
    instrument(spans, logs)
    loop(chat)
    spans.shutdown()
    logs.shutdown()


if __name__ == "__main__":
    main(*sys.argv[1:])
