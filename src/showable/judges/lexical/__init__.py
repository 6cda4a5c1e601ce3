"""The `lexical` judge: no model, no key, no cost."""

from showable.judges.lexical.judge import LexicalJudge, judge_pair

__all__ = ["LexicalJudge", "judge_pair"]
