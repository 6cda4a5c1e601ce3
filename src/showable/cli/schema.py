"""`showable schema`: what a model should be made to answer in."""

from __future__ import annotations

from typing import Annotated

import typer

from showable.cli.options import ProfileOption


def schema(
    function: Annotated[bool, typer.Option("--function", help="The function-calling form.")] = False,
    record: Annotated[
        bool, typer.Option("--record", help="The schema of a whole record, one line of an input file.")
    ] = False,
    profile: ProfileOption = None,
) -> None:
    """Print the JSON Schema that a model should answer in."""
    import json

    if record:
        from showable.records.record import Record

        shape = Record.model_json_schema()
    else:
        from showable.profiles.load import load_profile
        from showable.read.structured import answer_schema, function_schema
        from showable.read.structured_forms import claim_kinds, reference_schema

        rules = load_profile(profile or "general")
        answer = answer_schema(reference_schema(rules.answer_form), claim_kinds(rules))
        shape = function_schema(answer) if function else answer
    typer.echo(json.dumps(shape, ensure_ascii=False, indent=2))
