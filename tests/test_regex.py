"""Patterns that are compiled when they are first used."""

import copy
import pickle
import re
import subprocess
import sys
from importlib import import_module
from pkgutil import walk_packages

import pytest

import showable
from showable.records.regex import regex


def test_a_pattern_is_compiled_at_its_first_use_and_behaves_as_one(monkeypatch):
    compiled = []
    real = re.compile
    monkeypatch.setattr(re, "compile", lambda *given: compiled.append(given) or real(*given))
    number = regex(r"(?P<n>\d+)", re.ASCII)
    assert (number.pattern, compiled) == (r"(?P<n>\d+)", [])
    assert (number.search("a 12")["n"], number.sub("#", "1 2"), number.groups) == ("12", "# #", 1)
    assert [copy.copy(number).findall("3"), pickle.loads(pickle.dumps(number)).findall("٣")] == [["3"], []]  # noqa: S301 - our own
    with pytest.raises(re.error):
        regex("(").match("")


def test_every_pattern_of_the_package_compiles():
    rooms = ("read", "rubrics", "judges", "reader")
    names = [
        module.name
        for room in rooms
        for module in walk_packages(import_module(f"showable.{room}").__path__, f"showable.{room}.")
    ]
    held = [value for name in names for value in vars(import_module(name)).values()]
    patterns = [value for value in held if type(value).__module__ == "showable.records.regex"]
    assert len(patterns) > 500
    for pattern in patterns:
        assert re.compile(pattern.pattern, pattern.flags)


def test_importing_and_scoring_an_answer_compiles_few_patterns():
    code = (
        "import re, sys; real, n = re._compiler.compile, []\n"
        "re._compiler.compile = lambda *a: n.append(sys._getframe(1)) or real(*a)\n"
        "import showable\n"
        "source = {'source_id': 'a', 'text': 'Notice is due in thirty days.'}\n"
        "claim = {'text': 'Notice is due in thirty days.', 'citations': [{'source_id': 'a'}]}\n"
        "showable.score({'id': 'r', 'question': 'When?', 'retrieved': [source], 'answer': {'claims': [claim]}}, judge='lexical')\n"
        "print(len(n))"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert int(said) < 250, showable.__name__
