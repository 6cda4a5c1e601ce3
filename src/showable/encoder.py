"""The trained encoder on disk, run by ONNX Runtime: the judge takes its logits, the reader what its layers say."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import onnxruntime

from showable.errors import SettingError

SHIPPED = Path(__file__).parent / "judges" / "embedded" / "model"
"""The folder of the encoder that is shipped; the judge's manifest in it names the digests of its files."""
_SLOWER = ["SkipLayerNormFusion"]
"""What ONNX Runtime would put together though, in the shipped model, its parts run faster."""
_LONGEST_REASON = 120


@cache
def load_model(path: Path) -> onnxruntime.InferenceSession:
    """Load a model once a process, for inputs that are each run on one thread.

    Raises SettingError where the file is none that ONNX Runtime can load.
    """
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    # Without VNNI, products of eight bits are added in sixteen and may overflow: then rather the slower way. The shipped
    # model's weights cannot, and lose nothing.
    options.add_session_config_entry("session.x64quantprecision", "1")
    try:
        return onnxruntime.InferenceSession(
            str(path), options, providers=["CPUExecutionProvider"], disabled_optimizers=_SLOWER
        )
    except Exception as error:  # noqa: BLE001 - ONNX Runtime raises many unrelated types
        raise SettingError(f"{path}: not a model that ONNX Runtime can load ({brief(error)})") from None


def brief(error: Exception) -> str:
    """Return the last words of a message, which say what failed; the first say where in a library."""
    return " ".join(str(error).split())[-_LONGEST_REASON:]
