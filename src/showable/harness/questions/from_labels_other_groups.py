"""Titles with one group, disease or place put for another, so that the study that is found answers for somebody else."""

from __future__ import annotations

import re

from showable.harness.corpora.corpus import Labelled
from showable.harness.questions.absence import absent, content_stems
from showable.harness.questions.labelled_ground import Ground

SWAPS: tuple[tuple[str, str, str], ...] = (
    ("children", "adults", "adult|adults|parents|mothers"),
    ("adults", "children", "child|children|pediatric|paediatric|infants"),
    ("pediatric", "adult", "adult|adults"),
    ("paediatric", "adult", "adult|adults"),
    ("infants", "adolescents", "adolescents|adolescence"),
    ("adolescents", "elderly people", "elderly|older"),
    ("elderly patients", "young adults", "young|younger"),
    ("older adults", "adolescents", "adolescents|young|younger"),
    ("elderly", "young", "young|younger"),
    ("women", "men", "men|man|male|males|fathers"),
    ("men", "women", "women|woman|female|females"),
    ("mothers", "fathers", "father|fathers|men"),
    ("medical students", "nursing students", "nursing|nurses"),
    ("type 1 diabetes", "type 2 diabetes", "type 2|type II|NIDDM"),
    ("type 2 diabetes", "type 1 diabetes", "type 1|type I|IDDM"),
    ("prostate cancer", "bladder cancer", "bladder"),
    ("breast cancer", "ovarian cancer", "ovarian|ovary"),
    ("non-small cell lung cancer", "small cell lung cancer", "SCLC"),
    ("lung cancer", "esophageal cancer", "esophageal|oesophageal|esophagus"),
    ("gastric cancer", "pancreatic cancer", "pancreatic|pancreas"),
    ("colorectal cancer", "gastric cancer", "gastric|stomach"),
    ("rectal cancer", "gastric cancer", "gastric|stomach"),
    ("cervical cancer", "ovarian cancer", "ovarian|ovary"),
    ("hepatocellular carcinoma", "renal cell carcinoma", "renal|kidney"),
    ("total knee arthroplasty", "total hip arthroplasty", "hip"),
    ("total hip arthroplasty", "total knee arthroplasty", "knee"),
    ("ischemic stroke", "haemorrhagic stroke", "hemorrhagic|haemorrhagic|hemorrhage|haemorrhage"),
    ("asthma", "COPD", "COPD|chronic obstructive"),
    ("rheumatoid arthritis", "psoriatic arthritis", "psoriatic|psoriasis"),
    ("multiple sclerosis", "Parkinson's disease", "Parkinson"),
    ("schizophrenia", "bipolar disorder", "bipolar|mania"),
    ("migraine", "cluster headache", "cluster"),
    ("Crohn's disease", "ulcerative colitis", "ulcerative colitis"),
    ("ulcerative colitis", "Crohn's disease", "Crohn"),
    ("acute pancreatitis", "acute cholecystitis", "cholecystitis"),
    ("atrial fibrillation", "ventricular tachycardia", "ventricular tachycardia"),
    ("kidney transplant", "liver transplant", "liver"),
    ("liver transplantation", "heart transplantation", "heart|cardiac"),
    ("magnetic resonance imaging", "computed tomography", "CT|MDCT|computed|tomography"),
    ("rats", "dogs", "dog|dogs|canine"),
)  # fmt: skip
"""What stands in a title, what is put for it, and the words of which an abstract that speaks of that has one."""

_SAID = 0.75
"""A passage that holds so much of a question within a few sentences may answer it."""
_OF_ONE_KIND = re.compile(
    r"\b(?:pregnan\w*|deliver\w*|labou?r|eclampsia|pre-?eclampsia|menopaus\w*|menstrua\w*|breast\w*|mammogra\w*|uter\w*|cervi\w*|ovar\w*|"
    r"obstetric\w*|gyna?ecolog\w*|mothers|maternal|birth\w*|f[eo]et\w*|postpartum|milk\w*|breastfe\w*|pelvic|appendage|endometri\w*|prostat\w*|PSA|biochemical|testi\w*|erectile|"
    r"neonat\w*|newborn\w*|preterm|school\w*|child|kindergarten|pension\w*|geriatric|p[ae]+diatric\w*|adolescent)\b",
    re.IGNORECASE,
)
"""What belongs to one sex or age, or to one cancer, and makes nonsense of a title for another."""
_JOINED = r"(?! (?:and|or|versus|vs)\b)(?![\w-])"


def for_another_group(ground: Ground, label: Labelled) -> tuple[str, str, str, str] | None:
    """Return the title asked of another group, what stood there, what stands there now, and the words that the abstract lacks.

    None where the title names none, or more than one, or where any passage speaks of nearly all that is then asked.
    """
    named = [swap for swap in SWAPS if _word(swap[0]).search(label.question)]
    if not named:
        return None
    old, new, words = named[0]
    others = [swap for swap in named[1:] if swap[0] not in old and swap[0] not in new]
    question, count = _word(old).subn(new, label.question)
    text = ground.words_of_document[label.document]
    left = (content_stems(old) - content_stems(new)) & content_stems(question)
    if others or count != 1 or left or _OF_ONE_KIND.search(question):
        return None
    if re.search(_any_of(words), label.question, re.IGNORECASE) or absent([words], text):
        return None
    own = {source.source_id for source in ground.corpus.by_document[label.document]}
    if ground.words.most_covered(question, beside=own)[0] >= _SAID:
        return None
    return question, old, new, words


def _word(name: str) -> re.Pattern[str]:
    return re.compile(
        rf"(?<![\w-])(?<!and )(?<!or )(?<!young )(?<!functional )(?<!frail )(?<!older ){re.escape(name)}{_JOINED}"
    )


def _any_of(words: str) -> str:
    return rf"\b(?:{'|'.join(map(re.escape, words.split('|')))})\b"
