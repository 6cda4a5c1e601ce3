"""The whole chain as it is deployed: the check, a real LiteLLM proxy, the guard as its guardrail, and a scripted model."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest
from litellm_proxy import LITELLM, free_port, proxying

from showable.production.guard.chain_check import PATHS, Chain, check_chain

sys.path.insert(0, str(Path(__file__).parents[1]))
from guarded import guarding

pytestmark = [
    pytest.mark.peers,
    pytest.mark.skipif(not LITELLM.is_file(), reason="asks a real proxy of LiteLLM: make test-peers"),
]
KEY = {"A": "a" * 16}


def settings(guard, model):
    """Return the configuration that the docs give, with one model."""
    guardrail = {
        "guardrail": "generic_guardrail_api",
        "mode": ["pre_call", "post_call"],
        "api_base": guard,
        "api_key": KEY["A"],
        "default_on": True,
        "extra_headers": ["x-showable-log"],
        "streaming_buffer_until_moderated": True,
    }
    return {
        "model_list": [
            {
                "model_name": "check",
                "litellm_params": {"model": "openai/check", "api_base": f"{model}/v1", "api_key": "k"},
            }
        ],
        "guardrails": [{"guardrail_name": "showable", "litellm_params": guardrail}],
        "litellm_settings": {"num_retries": 0, "telemetry": False},
    }


def test_the_documented_chain_lets_no_part_of_a_bad_answer_through(tmp_path):
    port = free_port()

    async def checked(guard):
        async with proxying(tmp_path, settings(guard, f"http://127.0.0.1:{port}")) as client:
            keys = {"authorization": client.headers["authorization"]}
            chain = Chain(str(client.base_url).rstrip("/"), "check", keys, guard, {"x-showable-key": KEY["A"]})
            return await check_chain(chain, ("127.0.0.1", port), list(PATHS))

    with guarding(None, top='[key.a]\nsecret = "env:A"\n', environment=KEY) as guard:
        report = asyncio.run(checked(guard.url))
    told = [(one.api, one.stream, one.bad, one.outcome, one.status, one.told) for one in report.tried]
    assert not report.leaked, told
    assert report.proves, told
