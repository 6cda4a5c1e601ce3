"""`probative schema`: what a model should be made to answer in."""

from __future__ import annotations

from typing import Annotated

import typer


def schema(
    function: Annotated[bool, typer.Option("--function", help="The function-calling form.")] = False,
    record: Annotated[
        bool, typer.Option("--record", help="The schema of a whole record, one line of an input file.")
    ] = False,
) -> None:
    """Print the JSON Schema that a model should be made to answer in."""
    import json

    if record:
        from probative.records.record import Record

        shape = Record.model_json_schema()
    else:
        from probative.read.structured import answer_schema, function_schema

        shape = function_schema() if function else answer_schema()
    typer.echo(json.dumps(shape, ensure_ascii=False, indent=2))
