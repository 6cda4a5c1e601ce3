"""The embedded judge: a trained cross-encoder that runs offline on any CPU."""

from showable.judges.embedded.judge import EmbeddedJudge

__all__ = ["EmbeddedJudge"]
