"""Spans as a retrieving pipeline sends them, made up for tests and benchmarks."""

from showable.records.spans import Span, SpanEvent, SpanLink

RESOURCE = {"service.name": "shop", "telemetry.sdk.language": "python", "telemetry.sdk.version": "1.45.2"}
WORDS = "The filing says that revenue rose in the third quarter, and that the outlook for the year is unchanged. "


def rag_trace(number: int = 1, steps: int = 20) -> list[Span]:
    """Give one trace: a root, a retrieval of five passages, a model call that cites, and chains and tools around them."""
    trace_id = f"{number + 1:032x}"
    start = 1_790_000_000_000_000_000 + number * 1_000_000
    return [
        Span(
            trace_id, f"{number * 1000 + step + 1:016x}", f"{number * 1000 + 1:016x}" if step else None,
            f"step {step}", start + step, start + step + 5_000_000, "shop",
            (_retriever if step % 10 == 1 else _llm if step % 10 == 2 else _chain)(step),
            (SpanEvent("first token", start + step + 9, {"index": 0}),) if step == 2 else (),
            (SpanLink(trace_id, f"{number * 1000 + 1:016x}"),) if step == 3 else (),
            "ok" if step % 2 else "unset", "", "openinference.instrumentation.openai", RESOURCE,
        )
        for step in range(steps)
    ]  # fmt: skip


def _retriever(step):
    held = {
        "openinference.span.kind": "RETRIEVER",
        "input.value": "how did revenue do?",
        "input.mime_type": "text/plain",
    }
    for i in range(5):
        at = f"retrieval.documents.{i}.document"
        held |= {f"{at}.id": f"doc-{step}-{i}", f"{at}.content": WORDS * 3, f"{at}.score": 0.9 - i / 10}
    return held


def _llm(step):
    return {
        "openinference.span.kind": "LLM", "llm.model_name": "a-model", "llm.token_count.prompt": 812 + step,
        "llm.token_count.completion": 64, "llm.token_count.total": 876 + step,
        "llm.input_messages.0.message.role": "system", "llm.input_messages.0.message.content": WORDS * 8,
        "llm.input_messages.1.message.role": "user", "llm.input_messages.1.message.content": "how did revenue do?",
        "llm.output_messages.0.message.role": "assistant", "llm.output_messages.0.message.content": WORDS,
        "llm.output.citations": '[{"source_id": "doc-1-0", "quoted_span": "revenue rose"}]',
        "llm.invocation_parameters": '{"temperature": 0.0}', "tag.tags": ["a", "b"],
    }  # fmt: skip


def _chain(step):
    return {
        "openinference.span.kind": "CHAIN", "input.value": WORDS, "output.value": WORDS, "step": step,
        "session.id": "s-1", "metadata": '{"cohort": "b"}',
    }  # fmt: skip
