"""Replies of OpenAI's interfaces whose text carries annotations: Responses, messages of threads, chat completions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from showable.converters.azure_openai import is_on_data
from showable.converters.chat_completion import ONE_CHOICE, choices_of, ended
from showable.converters.cited_spans import with_citations
from showable.converters.exchange import (
    NO_QUESTION,
    Exchange,
    answer_called,
    find_exchange,
    joined_texts,
    last_asked,
    need_exchange,
    record_id,
    record_of,
)
from showable.converters.fields import Fields
from showable.converters.mistral import is_chunked
from showable.converters.openai_annotations import Said
from showable.converters.openai_file_search import file_search_log
from showable.converters.perplexity import is_searched
from showable.converters.shape import Converted, Row
from showable.records.record import Source

_TEXTS = ("text", "input_text")
NO_LOG = "no results of file search in the payload: nothing says what was retrieved"
CONTINUES = "the response continues an earlier one and cites what that may have found: its log is not in the payload"
FAILED = "the provider reports an error instead of an answer"
BATCH_ERROR = "the batch gave no reply to this request"


class OpenAIResponses:
    """A reply of the Responses interface, a message of a thread (Assistants), or a chat completion; alone or in a pair.

    The log (`retrieved`) is what `file_search_call.results` says that the file search found, which is in the payload
    only where it was asked for (``include=["file_search_call.results"]``): the passages of one file make one source,
    by its file id. Searches of earlier turns count where the request hands them on; where a response continues one that
    the provider keeps, and cites a file that is not among the results, there is no log. Annotations are the model's
    citations, and no log. Files that a tool made (file_path, container_file_citation) are cited nowhere.

    `index` of a file_citation in Responses is the place in the text where its mark belongs, whatever its docstring in
    the library says; thread messages hold the marks themselves (``【4:0†source】``), which are taken out of the text.
    A refusal of the model is the answer.

    Shape: `openai.types.responses.Response`, `ResponseOutputText.annotations`, `ResponseFileSearchToolCall`,
    `beta.threads.Message`, `FileCitationAnnotation`, `chat.ChatCompletionMessage.annotations` of openai-python; the meaning
    of `index`: issue 2512 of openai/openai-python.
    """

    name = "openai-responses"
    title = "OpenAI replies with annotations"

    def rows(self, document: Any) -> Iterator[tuple[str, Mapping[str, Any]]] | None:
        """Return the assistant's messages of a listed thread (``{"object": "list", "data": […]}``), each with its question."""
        if not isinstance(document, Mapping) or document.get("object") != "list":
            return None
        data = document.get("data")
        if not isinstance(data, list) or not data or not all(_is_of_thread(item) for item in data):
            return None
        return _answers_of_thread(data)

    def fits(self, fields: Mapping[str, Any]) -> bool:
        """Recognise a reply of one of the three interfaces, a pair that holds one, or a line of a batch's output."""
        return find_exchange(fields, _is_reply) is not None

    def convert(self, row: Row) -> Converted:
        """Turn a reply into a Record. Raises FieldError where a field is not what the shape asks for."""
        expected = "expected a response, a thread.message or a chat.completion"
        return _converted(row, need_exchange(row.fields, _is_reply, "object", expected))


def _is_reply(value: Any) -> bool:
    if not isinstance(value, Mapping):
        return False
    match value.get("object"):
        case "response":
            return isinstance(value.get("output"), list | tuple)
        case "thread.message":
            return value.get("role") == "assistant" and isinstance(value.get("content"), list | tuple)
        case "chat.completion":
            return isinstance(value.get("choices"), list | tuple) and not _is_of_another(value)
        case _:
            return False


def _is_of_another(value: Mapping[str, Any]) -> bool:
    """Recognise a completion that other services have made more of, whose readers know where its passages are."""
    messageless = any("message" not in choice for choice in choices_of(value))
    return messageless or is_on_data(value) or is_searched(value) or is_chunked(value)


def _is_of_thread(item: Any) -> bool:
    return isinstance(item, Mapping) and item.get("object") == "thread.message"


def _answers_of_thread(data: list[Mapping[str, Any]]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Pair each answer with the messages before it; threads are listed newest first unless their times say otherwise."""
    times: list[Any] = [item.get("created_at") for item in data]
    rising = all(isinstance(time, int | float) for time in times) and times == sorted(times)
    order = list(range(len(data))) if rising and times[0] != times[-1] else list(reversed(range(len(data))))
    asked: Mapping[str, Any] | None = None
    for at in order:
        if data[at].get("role") != "assistant":
            asked = data[at]
            continue
        request = {"request": {"messages": [asked]}} if asked else {}
        yield f"data[{at}]", {**request, "response": data[at], "id": data[at].get("id")}


def _converted(row: Row, exchange: Exchange) -> Converted:
    response = exchange.response
    notes: list[str] = []
    question = _question(exchange)
    if not question:
        notes.append(NO_QUESTION)
    said = Said()
    log: tuple[Source, ...] | None = None
    told: list[str] = []
    match response.raw("object"):
        case "response":
            notes += _of_response(response, said)
            log, told = _log(exchange, said)
        case "thread.message":
            _of_thread(response, said)
        case _:
            notes += _of_completion(response, said)
    notes += told if told or log is not None else [NO_LOG]
    model = response.text("model")
    called = answer_called("tool_calls", said.calls) if not said.text.strip() else None
    said.lost += ["tool_calls"] if said.calls and not called else []
    text = called or (said.text if said.spoken or response.raw("error") is None else None)
    record = record_of(
        record_id(exchange, row, "id"),
        question,
        text,
        retrieved=log,
        metadata={"model": model} if model else {},
    )
    record, unfit = with_citations(record, said.cited)
    lost = [*exchange.unread(), *said.lost]
    return Converted(record, tuple(dict.fromkeys(lost)), (*dict.fromkeys(notes), *unfit))


def _log(exchange: Exchange, said: Said) -> tuple[tuple[Source, ...] | None, list[str]]:
    """Return what searches found, those of earlier turns that the request hands on first; or None, and notes on why."""
    request, response = exchange.asked("input"), exchange.response
    handed_on = request is not None and isinstance(request.raw("input"), list | tuple)
    earlier = request.objects("input") if request is not None and handed_on else []
    log, notes = file_search_log([*earlier, *response.objects("output")])
    continues = response.raw("previous_response_id") or response.raw("conversation")
    if log is not None and continues and not said.files <= {source.source_id for source in log}:
        return None, [CONTINUES]
    return log, notes


def _of_response(response: Fields, said: Said) -> list[str]:
    """Read the output items of a response; give notes on why it ended."""
    for item in response.objects("output"):
        match item.kind:
            case "message":
                said.next_message()
                for part in item.objects("content"):
                    said.add(part, "text", refusal="refusal", at="output.content")
            case "reasoning" if item.raw("summary") or item.raw("content"):
                said.lost.append("output.reasoning")
            case "function_call":
                said.calls.append(item)
            case "mcp_call" | "web_search_call" | "code_interpreter_call" as kind:
                said.lost.append(f"output.{kind}")
            case _:
                pass
    details = response.inner("incomplete_details")
    reason = details.raw("reason") if details else None
    notes = [FAILED] if response.raw("status") == "failed" else []
    return notes + ended("length" if reason == "max_output_tokens" else reason)


def _of_thread(message: Fields, said: Said) -> None:
    said.next_message()
    for part in message.objects("content"):
        inner = part.inner("text") if part.kind == "text" else None
        if inner is not None:
            said.add(inner, "value", at="content.text")
        elif part.kind == "refusal":
            said.add(part, "text", refusal="refusal", at="content")


def _of_completion(response: Fields, said: Said) -> list[str]:
    choices = response.objects("choices")
    notes = [ONE_CHOICE] if len(choices) > 1 else []
    if not choices:
        return notes
    message = choices[0].inner("message")
    if message is not None:
        said.next_message()
        said.add(message, "content", refusal="refusal", at="choices.message")
        said.calls += message.objects("tool_calls")
    return notes + ended(choices[0].raw("finish_reason"))


def _question(exchange: Exchange) -> str:
    """Return the last words of the user: of the messages, of a response's `input`, or its text alone."""
    request = exchange.asked("messages" if exchange.response.raw("object") == "chat.completion" else "input")
    if request is None:
        return exchange.words
    for name in ("input", "messages"):
        held = request.raw(name)
        if isinstance(held, str):
            return request.text(name) or ""
        if isinstance(held, list | tuple):
            asked = [item for item in request.objects(name) if item.kind in {"", "message"}]
            return last_asked(asked, _words_asked)
    return ""


def _words_asked(message: Fields) -> str:
    held = message.raw("content")
    if isinstance(held, list | tuple) and message.raw("object") == "thread.message":
        inners = [part.inner("text") for part in message.objects("content") if part.kind == "text"]
        return "\n".join(inner.text("value") or "" for inner in inners if inner)
    return joined_texts(message, *_TEXTS)
