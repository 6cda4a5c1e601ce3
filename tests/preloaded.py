"""`showable` started once, and forked for every command that a script gives: what a script runs need not import it anew.

`python preloaded.py SOCKET` serves; its clients take the place of `showable` and `pytest` on a script's path. A command
runs in a process of its own, with the folder, the environment and the streams of the script that gave it.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_COMMANDS = ("showable", "pytest")
_CLIENT = """#!{python} -IS
import json, os, socket, sys
with socket.socket(socket.AF_UNIX) as server:
    server.connect({address!r})
    order = json.dumps([[{name!r}, *sys.argv[1:]], os.getcwd(), dict(os.environ)]).encode()
    socket.send_fds(server, [len(order).to_bytes(8, "big") + order], [0, 1, 2])
    sys.exit(int(server.recv(16) or b"70"))
"""


@contextmanager
def preloaded(folder: Path) -> Iterator[Path]:
    """Give a folder that holds the commands, as long as their server runs."""
    address = folder / "socket"
    for name in _COMMANDS:
        folder.joinpath(name).write_text(_CLIENT.format(python=sys.executable, address=str(address), name=name))
        folder.joinpath(name).chmod(0o755)
    with subprocess.Popen([sys.executable, __file__, str(address)], stdout=subprocess.PIPE) as server:
        try:
            assert server.stdout.readline() == b"ready\n"
            yield folder
        finally:
            server.terminate()


def _serve(address: str) -> None:
    import onnxruntime  # noqa: F401 - with what follows: what commands would import
    import pytest
    import scipy.stats  # noqa: F401
    import tokenizers  # noqa: F401

    import showable.cli.asking
    import showable.cli.scoring
    import showable.report.difference.page
    import showable.report.html  # noqa: F401 - as above
    from showable.cli import main

    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address)
        listener.listen()
        mains = dict(zip(_COMMANDS, (main, pytest.console_main), strict=True))
        os.write(sys.stdout.fileno(), b"ready\n")
        while True:
            asked, _ = listener.accept()
            with asked:
                _answer(asked, mains)


def _answer(asked: socket.socket, mains) -> None:
    order, streams, *_ = socket.recv_fds(asked, 1 << 20, 3)
    while len(order) < 8 + int.from_bytes(order[:8], "big"):
        order += asked.recv(1 << 20)
    if (child := os.fork()) == 0:
        _run(mains, streams, *json.loads(order[8:]))
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    for stream in streams:
        os.close(stream)
    asked.sendall(str(code).encode())


def _run(mains, streams, arguments, folder, environment) -> None:
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    opened = (open(number, mode, closefd=False) for number, mode in enumerate("rww"))  # noqa: SIM115 - open to the end
    sys.stdin, sys.stdout, sys.stderr = opened
    sys.dont_write_bytecode = True  # a script may change a module twice within a second, which bytecode would not show
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = arguments
    code = 70
    try:
        code = mains[arguments[0]]() or 0
    except SystemExit as leave:
        code = leave.code or 0
    except BaseException:  # noqa: BLE001 - the server lives on; the script that gave the command is told
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    _serve(sys.argv[1])
