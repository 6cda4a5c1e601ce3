"""`command:…`: a program that is started once a question, with the question as JSON on stdin and the reply as JSON on stdout."""

from __future__ import annotations

import asyncio
import os
import shlex
import shutil
import signal
from contextlib import suppress

from probative.converters.json_text import JsonError, decode, parse_json
from probative.errors import SettingError
from probative.harness.pipelines.failures import LARGEST_REPLY, PipelineError
from probative.harness.pipelines.pipeline import Asked, Reply
from probative.harness.pipelines.reading_replies import read_reply

_KEPT_OF_STDERR = 64 * 1024
_CHUNK = 64 * 1024
_LAST_WORDS_S = 2.0


class CommandPipeline:
    """Starts the program for every question. What it writes to stderr is told where it fails.

    It runs in a process group of its own, all of which is killed when it takes too long or has answered. Raises
    SettingError where the words cannot be split, or there is no such program.
    """

    def __init__(self, command: str) -> None:
        try:
            self._words = shlex.split(command)
        except ValueError as error:
            raise SettingError(f"pipeline command:{command}: {error}") from None
        if not self._words:
            raise SettingError("pipeline command: expected a program, as in command:./answer --fast")
        if shutil.which(self._words[0]) is None:
            raise SettingError(f"pipeline command:{command}: there is no program {self._words[0]!r} that can be run")
        self.name = f"command:{shlex.join(self._words)}"

    async def ask(self, asked: Asked) -> Reply:
        """Run it once. Raises PipelineError where it fails, or what it prints is no reply."""
        try:
            process = await asyncio.create_subprocess_exec(
                *self._words,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:
            raise PipelineError(f"cannot be started: {error.strerror or error}") from None
        try:
            out, err = await _talk(process, asked.model_dump_json().encode() + b"\n")
        finally:
            await _end(process)
        if process.returncode:
            raise PipelineError(f"{_ended(process.returncode)}{_last_line(err)}")
        try:
            given = parse_json(decode(out))
        except JsonError as error:
            said = "printed nothing" if not out.strip() else f"stdout is no JSON: {error.told()}"
            raise PipelineError(f"{said}{_last_line(err)}", again=False) from None
        if not isinstance(given, dict):
            raise PipelineError("stdout holds JSON, but no object", again=False)
        return read_reply(given, asked.id)

    async def aclose(self) -> None:
        """Nothing stays open: each process ends with its question."""


async def _talk(process: asyncio.subprocess.Process, given: bytes) -> tuple[bytes, bytes]:
    if process.stdin is None or process.stdout is None or process.stderr is None:
        raise PipelineError("cannot be talked to")
    work = (_everything(process.stdout), _end_of(process.stderr), _tell(process.stdin, given))
    tasks: list[asyncio.Task[bytes]] = [asyncio.create_task(one) for one in work]
    try:
        out, err, _ = await asyncio.gather(*tasks)
        await process.wait()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    return out, err


async def _tell(stdin: asyncio.StreamWriter, given: bytes) -> bytes:
    """Write the question. A program that does not read it has its reasons."""
    with suppress(BrokenPipeError, ConnectionResetError):
        stdin.write(given)
        await stdin.drain()
    stdin.close()
    with suppress(BrokenPipeError, ConnectionResetError):
        await stdin.wait_closed()
    return b""


async def _everything(stream: asyncio.StreamReader) -> bytes:
    held = bytearray()
    while chunk := await stream.read(_CHUNK):
        held += chunk
        if len(held) > LARGEST_REPLY:
            raise PipelineError(f"stdout is larger than {LARGEST_REPLY >> 20} MiB", again=False)
    return bytes(held)


async def _end_of(stream: asyncio.StreamReader) -> bytes:
    """Read all, so that the program can go on writing, and keep the last of it."""
    held = b""
    while chunk := await stream.read(_CHUNK):
        held = (held + chunk)[-_KEPT_OF_STDERR:]
    return held


async def _end(process: asyncio.subprocess.Process) -> None:
    """Kill the process and whatever it started. The group outlives its leader while anyone is in it.

    What they left in the pipes is read, since asyncio takes a process for ended when its pipes are. A program that got
    out of the group and holds them is left alone.
    """
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    try:
        async with asyncio.timeout(_LAST_WORDS_S):
            for pipe in (process.stdout, process.stderr):
                while pipe is not None and await pipe.read(_CHUNK):
                    pass
            await process.wait()
    except TimeoutError:
        process._transport.close()  # type: ignore[attr-defined]  # noqa: SLF001 - there is no public way to let go of it


def _ended(code: int) -> str:
    if code > 0:
        return f"exit status {code}"
    try:
        return f"killed by {signal.Signals(-code).name}"
    except ValueError:
        return f"killed by signal {-code}"


def _last_line(err: bytes) -> str:
    lines = [line.strip() for line in err.decode("utf-8", "replace").splitlines() if line.strip()]
    return f": {lines[-1]}" if lines else ""
