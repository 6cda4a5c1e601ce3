"""`command:…`: a program that is started once a question, with the question as JSON on stdin and the reply as JSON on stdout."""

from __future__ import annotations

import asyncio
import os
import shlex
import shutil
import signal
from contextlib import suppress

from showable.errors import SettingError
from showable.harness.pipelines.failures import LARGEST_REPLY, PipelineError
from showable.harness.pipelines.pipeline import Asked, Reply
from showable.harness.pipelines.reading_replies import read_json_reply

_KEPT_OF_STDERR = 64 * 1024
_CHUNK = 64 * 1024
_LOOK_S, _LINGER_S, _LAST_WORDS_S = 0.05, 1.0, 2.0
"""Seconds between looks whether it runs, that its pipes have after its end, and that killing may take."""


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
        if not out.strip():
            raise PipelineError(f"printed nothing{_last_line(err)}", again=False)
        return read_json_reply(out, "stdout", asked.id)

    async def aclose(self) -> None:
        """Nothing stays open: each process ends with its question."""


async def _talk(process: asyncio.subprocess.Process, given: bytes) -> tuple[bytes, bytes]:
    """Say the question and read until the pipes end, or a while after the program has: what it left running may hold them."""
    if process.stdin is None or process.stdout is None or process.stderr is None:
        raise PipelineError("cannot be talked to")
    out, err = bytearray(), bytearray()
    work = (_everything(process.stdout, out), _end_of(process.stderr, err), _tell(process.stdin, given))
    talk = [asyncio.create_task(one) for one in work]
    talking, left = asyncio.gather(*talk), asyncio.create_task(_gone(process))
    try:
        await asyncio.wait((asyncio.ensure_future(talking), left), return_when=asyncio.FIRST_COMPLETED)
        if talking.done():
            talking.result()
            await process.wait()
    finally:
        for task in (*talk, left):
            task.cancel()
        await asyncio.gather(talking, left, *talk, return_exceptions=True)
    return bytes(out), bytes(err)


async def _gone(process: asyncio.subprocess.Process) -> None:
    """Wait until the program has ended and its pipes had time to."""
    while process.returncode is None:  # noqa: ASYNC110 - asyncio has no event for it: its own waiting is for the pipes too
        await asyncio.sleep(_LOOK_S)
    await asyncio.sleep(_LINGER_S)


async def _tell(stdin: asyncio.StreamWriter, given: bytes) -> None:
    """Write the question. A program that does not read it has its reasons."""
    with suppress(BrokenPipeError, ConnectionResetError):
        stdin.write(given)
        await stdin.drain()
    stdin.close()
    with suppress(BrokenPipeError, ConnectionResetError):
        await stdin.wait_closed()


async def _everything(stream: asyncio.StreamReader, held: bytearray) -> None:
    while chunk := await stream.read(_CHUNK):
        held += chunk
        if len(held) > LARGEST_REPLY:
            raise PipelineError(f"stdout is larger than {LARGEST_REPLY >> 20} MiB", again=False)


async def _end_of(stream: asyncio.StreamReader, held: bytearray) -> None:
    """Read all, so that the program can go on writing, and keep the last of it."""
    while chunk := await stream.read(_CHUNK):
        held += chunk
        del held[:-_KEPT_OF_STDERR]


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
