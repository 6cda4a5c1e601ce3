"""Readers for the rows, logs and payloads that people have: a file of another tool in, Records out.

A file goes through the machinery from left to right::

    opening ─► framing, tables ─► detect, catalogue ─► one shape ─► convert_file
    what kind   how its items      which shape          Row to       Records, what was lost,
    of file     stand in it        it is                Converted    bad rows by line and place

- A new shape is a file with one class (the Protocol is in `shape`) and a line in `catalogue`. It is made of
  `fields` (checked fields with their paths, and what nobody took), `passages` (the retrieval log), `gold`, `cells`
  (lists as text in tables) and `json_text`.
- Rows of tools: `ragas`, `deepeval`, `ragchecker`, `open_rag_eval`, `trulens`, `citeeval`, `inspect_log`,
  `promptfoo`, `csv_columns`. Parts of one stand beside it under its name (`inspect_log_archive`).
- Payloads of providers: `anthropic`, `cohere`, `openai_responses` (with `openai_annotations`, `openai_file_search`),
  `azure_openai`, `perplexity`, `mistral`, `bedrock` and `gemini`. They share `exchange` (a response beside its request) and `cited_spans` (cited words hung on claims).
"""
