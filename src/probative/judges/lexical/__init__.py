"""The `lexical` judge: no model, no key, no cost."""

from probative.judges.lexical.judge import LexicalJudge, judge_pair

__all__ = ["LexicalJudge", "judge_pair"]
