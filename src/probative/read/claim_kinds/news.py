"""Claims in the news: somebody's words in quotation marks, or what was said and done in the writer's own."""

from __future__ import annotations

from probative.read.claim_kinds.rule import KindRules, quotes

NEWS = KindRules(rules=(("direct_quote", quotes),), otherwise="paraphrase")
