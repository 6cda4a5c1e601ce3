"""Claimed metadata beside a registry's: tables of what is one title, one person, one journal, one page, and what is not."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tables import every_row

from showable.records import Reference
from showable.records.lookups import Entry, Person
from showable.rubrics.metadata.authors import compare_authors, split_authors
from showable.rubrics.metadata.compare import agreement, best_match, compare, differs
from showable.rubrics.metadata.containers import same_container
from showable.rubrics.metadata.names import registered_name, same_person, written_name
from showable.rubrics.metadata.pages import compare_number, compare_pages, page_range
from showable.rubrics.metadata.registered_venues import is_meeting, registers, venue_in_comment
from showable.rubrics.metadata.titles import best_title

TITLES = [
    # claimed, registered, likeness, source of the expectation
    ("Attention is all you need", "Attention Is All You Need", "same", "case is a matter of style"),
    ("Attention is all you need.", "Attention is All you Need", "same", "as is the period"),
    (
        "RETRACTED: Ileal-lymphoid-nodular hyperplasia",
        "Ileal-lymphoid-nodular hyperplasia",
        "same",
        "spec 12: the notice is no word",
    ),
    (
        "Ileal-lymphoid-nodular hyperplasia",
        "[RETRACTED ARTICLE] Ileal-lymphoid-nodular hyperplasia",
        "same",
        "Springer's form",
    ),
    ("A survey of hallucination", "Survey of Hallucination", "same", "an article is often left out"),
    ("The state of OA", "The state of OA: a large-scale analysis", "same", "spec 12: up to the first colon"),
    ("The state of OA: a large-scale analysis", "The state of OA", "same", "a registry without subtitle"),
    (
        "The state of OA: a large-scale...",
        "The state of OA: a large-scale analysis of access",
        "same",
        "cut short, and says so",
    ),
    ("Tumour-associated macrophages", "Tumor associated macrophages", "same", "British spelling, hyphen"),
    ("Data-set distillation", "Dataset distillation", "same", "hyphens"),
    ("Labelled modelling of behaviour", "Labeled modeling of behavior", "same", "British spelling"),
    ("The β-catenin &amp; Wnt pathway", "The beta-Catenin and Wnt Pathway", "same", "Greek letters and entities"),
    ("Effects of H<sub>2</sub>O", "Effects of H2O", "same", "JATS markup"),
    (
        "{SCAFFOLD}: Stochastic controlled averaging",
        "SCAFFOLD: Stochastic Controlled Averaging",
        "same",
        "BibTeX braces",
    ),
    ('Schr{\\"o}dinger bridges', "Schrodinger bridges", "same", "LaTeX accents"),
    ("An $\\varepsilon$-net", "An ε-net", "same", "LaTeX's other epsilon"),
    ("FAIR² data", "FAIR2 Data", "same", "NFKC"),
    ("Cats vs. dogs", "Cats versus Dogs", "same", "an abbreviation in ordinary use"),
    ("Learning to rank with noise", "Learning to rank from noise", "near", "a changed word, be it small"),
    ("Training neural networks is hard", "Learning neural networks is hard", "near", "a changed word"),
    (
        "Metrics for auditing a generative model",
        "Metrics for auditing generative models",
        "near",
        "number is part of a title",
    ),
    ("Graph attention networks for robust traffic", "Graph attention networks for traffic", "near", "a word added"),
    (
        "Causal effect inference",
        "Causal effect inference with observational data",
        "other",
        "no subtitle, and three words left out",
    ),
    ("Deep learning", "Nanometre-scale thermometry in a living cell", "other", "spec 12: another paper's title"),
    ("Retraction: Ileal hyperplasia", "Ileal hyperplasia", "near", "the notice is another work"),
    ("C++ templates", "C templates", "near", "a sign that is part of a name"),
]


@every_row(("claimed", "registered", "likeness", "source"), TITLES)
def test_titles(claimed, registered, likeness, source):
    match = best_title(claimed, [registered])
    assert match is not None
    assert match.likeness == likeness, source
    assert (match.score >= 0.9) if likeness == "same" else (match.score < 1)


@pytest.mark.parametrize(
    ("claimed", "likeness"),
    [
        ("CatNet", "same"),
        ("CatNet: seeing in the dark", "same"),
        ("CatNet: seeing through the dark", "near"),
        ("CatNet: a dog story", "other"),
    ],
)
def test_a_short_title_beside_the_whole_one_lets_no_other_subtitle_pass(claimed, likeness):
    match = best_title(claimed, ["CatNet", "CatNet: Seeing in the Dark"])
    assert match is not None
    assert match.likeness == likeness


@given(st.text(max_size=60), st.text(max_size=60))
@settings(max_examples=80)
def test_a_title_is_compared_both_ways_alike_and_with_itself_the_same(one, other):
    ways = [best_title(one, [other]), best_title(other, [one])]
    assert (ways[0] is None) == (ways[1] is None)
    if ways[0] and ways[1] and not one.rstrip().endswith(("…", "...")) and not other.rstrip().endswith(("…", "...")):
        assert (ways[0].likeness == "same") == (ways[1].likeness == "same")
    mirror = best_title(one, [one])
    assert mirror is None or mirror.likeness == "same"


PEOPLE = [
    # claimed, family, given, the same person, source
    ("Yoonwoo Lee", "Lee", "Yoonwoo", True, "first name first"),
    ("Lee, Yoonwoo", "Lee", "Yoonwoo", True, "turned round"),
    ("Lee Y", "Lee", "Yoonwoo", True, "Vancouver"),
    ("Lee YW", "Lee", "Yoonwoo", True, "two initials for a name written in one"),
    ("Y.-W. Lee", "Lee", "Yoon-Woo", True, "initials with a hyphen"),
    ("Lee Yoonwoo", "Lee", "Yoonwoo", True, "the order of the country"),
    ("Yoonwoo LEE", "Lee", "Yoonwoo", True, "surname in capitals"),
    ("Lee", "Lee", "Yoonwoo", True, "surname alone"),
    ("Yunho Lee", "Lee", "Yoonwoo", False, "another given name with the same initial"),
    ("Lee K", "Lee", "Yoonwoo", False, "another initial"),
    ("Yoonwoo Kim", "Lee", "Yoonwoo", False, "another surname"),
    ("Lee, Kim", "Kim", "L.", False, "an initial does not turn a name round"),
    ("Smith AJ", "Smith", "Andrew John", True, "both initials"),
    ("Smith AJ", "Smith", "Andrew K.", False, "the second initial is another"),
    ("Müller K", "Mueller", "Karl", True, "an umlaut written out"),
    ("K Muller", "Müller", "K.", True, "an umlaut lost"),
    ("Søren Ørsted", "Orsted", "S.", True, "ø is o"),
    ("Łukasz Kaiser", "Kaiser", "Lukasz", True, "ł is l"),
    ("Johann Strauß", "Strauss", "Johann", True, "ß is ss"),
    ("van der Meer J", "Meer", "Jan van der", True, "particles on either side"),
    ("Vandermeer J", "van der Meer", "Jan", True, "particles run in"),
    ("Hernandez J", "Hernández-Lobato", "José Miguel", True, "the first of two surnames"),
    ("José Miguel Hernández-Lobato", "Hernandez-Lobato", "J. M.", True, "double name, initials"),
    ("Luis Sánchez Fernández", "Fernández", "Luis Sánchez", True, "split elsewhere"),
    ("O'Brien P", "O’Brien", "Patrick", True, "two apostrophes"),
    ("Jeff Wu", "Wu", "Jeffrey", True, "a short form"),
    ("Bob Kleinberg", "Kleinberg", "Robert", True, "a name by which one is called"),
    ("Sergey Petrov", "Petrov", "Sergei", True, "transliteration"),
    ("Wei Zhang", "Zhang", "Wen", False, "short names that are alike"),
    ("Ada Byron Jr.", "Byron", "Ada", True, "registries leave suffixes out"),
    ("De-Shan Zhao", "Zhao", "D. S.", True, "a particle is a word by itself"),
    ("Vaswani A", "Ashish Vaswani", "", True, "a registry that does not split names"),
]


@every_row(("claimed", "family", "given", "same", "source"), PEOPLE)
def test_people(claimed, family, given, same, source):
    registered = registered_name(Person(family=family, given=given))
    assert same_person(written_name(claimed), registered) is same, source


FOUR = (
    Person(family="Wang", given="Y."),
    Person(family="Du", given="Simon"),
    Person(family="Åström", given="Kalle"),
    Person(family="Lee", given="Y."),
)
AUTHORS = [
    # claimed, et al., outcome, what the reason says
    ("Yining Wang; Simon Du; Kalle Astrom; Yoonwoo Lee", False, "agrees", None),
    ("Wang Y; Du S; Åström K; Lee Y", False, "agrees", None),
    ("Wang Y", True, "agrees", None),
    ("Wang Y; Du S; others", False, "agrees", None),
    ("Wang Y; Du S; et al.", False, "agrees", None),
    ("Wang Y; Du S; ...", False, "agrees", None),
    ("Du S; Wang Y; Åström K; Lee Y", False, "differs", "first author"),
    ("Wang Y; Lee Y", False, "differs", "left out"),
    ("Wang Y; Du S; Åström K; Lee Y; Hinton G", False, "differs", "no such author"),
    ("Wang Y; Hinton G", True, "differs", "no such author"),
    ("Doe J; Roe R", False, "differs", "first author"),
    ("Unknown", False, "unknown", None),
    ("Anonymous", False, "unknown", None),
    ("", False, "unknown", None),
]


@every_row(("claimed", "et_al", "outcome", "reason"), AUTHORS)
def test_author_lists(claimed, et_al, outcome, reason):
    match = compare_authors(claimed, FOUR, et_al=et_al)
    assert match.outcome == outcome
    assert reason in match.reason if reason else match.reason is None


def test_a_group_among_authors_is_neither_invented_nor_left_out():
    people = (Person(family="Horby", given="Peter"), Person(family="RECOVERY Collaborative Group"))
    assert compare_authors("Horby P", people).outcome == "agrees"
    assert compare_authors("Horby P; RECOVERY Collaborative Group", people[:1]).outcome == "agrees"
    assert compare_authors("RECOVERY Collaborative Group", people[:1]).outcome == "unknown"


def test_two_surnames_with_a_comma_are_two_people_where_the_registry_has_two():
    assert compare_authors("Choi, Schwarcz", (Person(family="Choi"), Person(family="Schwarcz"))).outcome == "agrees"
    assert compare_authors("Choi, Jonathan", (Person(family="Choi", given="Jonathan"),)).outcome == "agrees"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Lee Y; Kim J", ["Lee Y", "Kim J"]),
        ("Ada Lovelace and Alan Turing", ["Ada Lovelace", "Alan Turing"]),
        ("Lovelace, Ada and Turing, Alan", ["Lovelace, Ada", "Turing, Alan"]),
        ("Ada Lovelace, Alan Turing, and Grace Hopper", ["Ada Lovelace", "Alan Turing", "Grace Hopper"]),
        ("Lee Y, Kim J, Park S", ["Lee Y", "Kim J", "Park S"]),
        ("Lovelace, Ada", ["Lovelace, Ada"]),
        ("Rosa d&apos;Amico; Ada Lovelace", ["Rosa d'Amico", "Ada Lovelace"]),
    ],
)
def test_author_fields_are_split(text, names):
    assert split_authors(text) == names


CONTAINERS = [
    # claimed, registered, the same, source
    ("J Am Chem Soc", "Journal of the American Chemical Society", True, "ISO 4"),
    (
        "Proc Natl Acad Sci U S A",
        "Proceedings of the National Academy of Sciences of the United States of America",
        True,
        "ISO 4, contracted",
    ),
    ("PNAS", "Proceedings of the National Academy of Sciences", True, "acronym"),
    ("N. Engl. J. Med.", "New England Journal of Medicine", True, "ISO 4 with points"),
    ("NEJM", "New England Journal of Medicine", True, "acronym"),
    ("JAMA", "JAMA : the journal of the American Medical Association", True, "PubMed's full name"),
    ("Lancet", "Lancet (London, England)", True, "PubMed's qualifier"),
    ("Science", "Science (New York, N.Y.)", True, "PubMed's qualifier"),
    ("CVPR", "2022 IEEE/CVF Conference on Computer Vision and Pattern Recognition (CVPR)", True, "acronym in brackets"),
    ("CVPR", "Conference on Computer Vision and Pattern Recognition", True, "acronym spelled"),
    ("NeurIPS", "Advances in Neural Information Processing Systems", True, "acronym of beginnings"),
    ("NIPS", "Advances in Neural Information Processing Systems 30", True, "renamed in 2018"),
    ("ICML", "Proceedings of the 38th International Conference on Machine Learning", True, "ordinal"),
    (
        "ACL 2020",
        "Proceedings of the 58th Annual Meeting of the Association for Computational Linguistics",
        True,
        "year",
    ),
    ("ECCV", "Computer Vision – ECCV 2022", True, "the acronym stands in it"),
    ("The BMJ", "BMJ", True, "article"),
    ("Nature", "Nature Communications", False, "another journal"),
    ("Nat Med", "Nature Methods", False, "Med is not Methods"),
    ("ICML", "International Conference on Learning Representations", False, "another conference"),
    ("ICCV", "2022 IEEE/CVF Conference on Computer Vision and Pattern Recognition (CVPR)", False, "another conference"),
    ("AAAI", "International Joint Conference on Artificial Intelligence", False, "another conference"),
    ("JAMA", "PLoS Medicine", False, "another journal"),
    ("Workshop on Domain Generalization", "Conference on Computer Vision and Pattern Recognition", False, "invented"),
    ("Trans. Mach. Learn. Res.", "J. Mach. Learn. Res.", False, "another journal"),
    ("ICML", "ICMLA", False, "an acronym abbreviates no other"),
    ("ACL", "AACL", False, "an acronym abbreviates no other"),
    (
        "ACL",
        "Proceedings of the Conference of the North American Chapter of the Association for Computational Linguistics",
        False,
        "a chapter of it",
    ),
    (
        "EACL",
        "Proceedings of the 15th Conference of the European Chapter of the Association for Computational Linguistics",
        True,
        "acronym",
    ),
    ("WACV", "IEEE Winter Conference on Applications of Computer Vision", True, "acronym"),
    (
        "Findings of ACL",
        "Findings of the Association for Computational Linguistics: ACL-IJCNLP 2021",
        True,
        "acronym and words",
    ),
    (
        "EMNLP Findings",
        "Findings of the Association for Computational Linguistics: EMNLP 2020",
        True,
        "acronym and words",
    ),
    ("Trans. ACL", "Transactions of the Association for Computational Linguistics", True, "acronym and abbreviation"),
    ("IEEE TPAMI", "IEEE Transactions on Pattern Analysis and Machine Intelligence", True, "acronym"),
]


@every_row(("claimed", "registered", "same", "source"), CONTAINERS)
def test_containers(claimed, registered, same, source):
    assert (same_container(claimed, [registered]) is not None) is same, source


@pytest.mark.parametrize(
    ("text", "pages"),
    [
        ("637-41", ("637", "641")),
        ("637–641", ("637", "641")),
        ("pp. 1022-8", ("1022", "1028")),
        ("S12-5", ("s12", "s15")),
        ("e1055-e1060", ("e1055", "e1060")),
        ("e4375", ("e4375", None)),
        ("54--58", ("54", "58")),
    ],
)
def test_page_ranges(text, pages):
    assert page_range(text) == pages


@pytest.mark.parametrize(
    ("claimed", "first", "last", "outcome"),
    [
        ("637-41", "637", "641", "agrees"),
        ("637", "637", "641", "agrees"),
        ("639", "637", "641", "agrees"),
        ("637-642", "637", "641", "differs"),
        ("700-12", "637", "641", "differs"),
        ("061102", "061102", None, "agrees"),
        ("61102", "061102", None, "agrees"),
        ("1-16", "061102", None, "unknown"),
        ("9:72", "e72", None, "differs"),
        ("12", None, None, "unknown"),
    ],
)
def test_pages(claimed, first, last, outcome):
    assert compare_pages(claimed, first, last) == outcome


@pytest.mark.parametrize(
    ("claimed", "registered", "outcome"),
    [
        ("351", "351", "agrees"),
        ("vol. 7", "07", "agrees"),
        ("9", "19", "differs"),
        ("Suppl 1", "S1", "unknown"),
        ("3-4", "3/4", "agrees"),
        ("1", None, "unknown"),
    ],
)
def test_volumes_and_issues(claimed, registered, outcome):
    assert compare_number(claimed, registered) == outcome


RECORD = Entry(
    title="Observing cats with lasers: a field study",
    authors=(Person(family="Adler", given="Ruth"), Person(family="Böhm", given="Karl")),
    years=(2020, 2021),
    containers=("Journal of Feline Optics", "J. Feline Opt."),
    volume="12",
    issue="3",
    first_page="101",
    last_page="109",
    ids={"doi": "10.5555/jfo.12.101"},
    facts={"type": "journal-article", "issn": "1234-5679"},
)
GOOD = {
    "authors": "Adler R; Bohm K",
    "title": "Observing cats with lasers",
    "container": "J Feline Opt",
    "year": "2020",
    "volume": "12",
    "issue": "3",
    "pages": "101-9",
}
CHANGES = [
    # what is changed in the claim, the field that differs, the agreement of a search
    ({}, None, "agrees"),
    ({"year": "2021"}, None, "agrees"),
    ({"year": "2019"}, "year", "differs"),
    ({"year": "2022"}, "year", "differs"),
    ({"year": "in press"}, None, "agrees"),
    ({"title": "Observing dogs with lasers"}, "title", "differs"),
    ({"title": "On the nature of feline sleep"}, "title", "another"),
    ({"authors": "Adler R; Bohm K; Cohen L"}, "authors", "differs"),
    ({"authors": "Doe J; Roe R"}, "authors", "differs"),
    ({"container": "Optics Letters"}, "container", "differs"),
    ({"container": "Optics Letters", "issn": "1234-5679"}, None, "agrees"),
    ({"container": "Publication"}, None, "agrees"),
    (
        {"container": "arXiv preprint arXiv:1901.00001", "year": "2019", "volume": "", "issue": "", "pages": ""},
        None,
        "agrees",
    ),
    ({"volume": "13"}, "volume", "differs"),
    ({"pages": "201-9"}, "pages", "differs"),
    ({"doi": "10.5555/JFO.12.101"}, None, "agrees"),
    ({"doi": "10.5555/other"}, "doi", "differs"),
    ({"doi": "10.48550/arXiv.1901.00001"}, None, "agrees"),
]


@every_row(("change", "field", "outcome"), CHANGES)
def test_a_claim_beside_a_record(change, field, outcome):
    claimed = {name: text for name, text in (GOOD | change).items() if text}
    reference = Reference(kind="bibliographic", text="…", fields=claimed)
    checks = compare(reference, RECORD)
    assert {check.field for check in checks if check.outcome == "differs"} == ({field} if field else set())
    assert differs(checks) is (field is not None)
    assert agreement(reference, RECORD) == outcome


PREPRINT = Entry(
    title="Watching cats",
    authors=(Person(family="Adler", given="R"),),
    years=(2021,),
    containers=("arXiv",),
    ids={"doi": "10.48550/arxiv.2101.00001", "arxiv": "2101.00001"},
    facts={"type": "preprint"},
)


@pytest.mark.parametrize(
    ("fields", "container", "year"),
    [
        # A number of arXiv beside a venue is a pointer to a free copy: nothing is known of the venue.
        ({"container": "NeurIPS", "year": "2022", "arxiv": "2101.00001"}, "unknown", "unknown"),
        # So is its DOI, which the citations that arXiv itself exports carry.
        ({"container": "NeurIPS", "year": "2021", "doi": "10.48550/arXiv.2101.00001"}, "unknown", "agrees"),
        ({"container": "Optics Letters", "year": "2021", "doi": "10.48550/arXiv.2101.00001v2"}, "unknown", "agrees"),
        ({"container": "CoRR", "year": "2021"}, "agrees", "agrees"),
        ({"container": "bioRxiv", "year": "2021"}, "differs", "agrees"),
        ({"container": "arXiv", "year": "2020"}, "agrees", "differs"),
        # The journal comes up to three years after the preprint, not before it.
        ({"container": "NeurIPS", "year": "2019"}, "unknown", "differs"),
    ],
)
def test_a_preprint_beside_what_was_published(fields, container, year):
    claimed = {"title": "Watching cats", "authors": "Adler R", **fields}
    checks = compare(Reference(kind="bibliographic", text="…", fields=claimed), PREPRINT)
    outcomes = {check.field: check.outcome for check in checks}
    assert (outcomes["container"], outcomes["year"]) == (container, year)


def preprint_that_says(**facts):
    return PREPRINT.model_copy(
        update={"facts": {"type": "preprint", **facts}, "containers": ("arXiv", *facts.values())}
    )


@pytest.mark.parametrize(
    ("facts", "container", "year", "outcomes"),
    [
        # arXiv's journal_ref names the venue, and its year
        (
            {"published_in": "Advances in Neural Information Processing Systems 36 (2023)"},
            "NeurIPS",
            "2023",
            ("agrees", "agrees"),
        ),
        # an extended article elsewhere does not deny the conference
        ({"published_in": "J. Feline Opt. 12 (2023) 101"}, "NeurIPS", "2021", ("unknown", "agrees")),
    ],
)
def test_what_arxiv_says_of_a_journal_agrees_or_says_nothing(facts, container, year, outcomes):
    claimed = {"title": "Watching cats", "container": container, "year": year, "doi": "10.48550/arxiv.2101.00001"}
    checks = compare(Reference(kind="doi", text="…", fields=claimed), preprint_that_says(**facts))
    by_field = {check.field: check.outcome for check in checks}
    assert (by_field["container"], by_field["year"]) == outcomes


COMMENTS = [
    # claimed, the comment on arXiv, whether it says so, why
    ("NeurIPS", "Accepted at NeurIPS 2017", True, "in so many words"),
    (
        "Advances in Neural Information Processing Systems",
        "12 pages. Accepted by NeurIPS 2017.",
        True,
        "long and short",
    ),
    ("NeurIPS", "NIPS 2017 oral", True, "its older name"),
    ("CVPR", "15 pages, 5 figures, CVPR 2019 camera ready", True, "a clause of its own"),
    (
        "International Conference on Learning Representations",
        "Published as a conference paper at ICLR 2020",
        True,
        "ICLR's",
    ),
    (
        "ICML",
        "In Proceedings of the 37th International Conference on Machine Learning, 12 pages",
        True,
        "the long name",
    ),
    (
        "IEEE Transactions on Pattern Analysis and Machine Intelligence",
        "To appear in TPAMI",
        True,
        "an acronym of a journal",
    ),
    ("Journal of Chemical Physics", "accepted for publication in J. Chem. Phys.", True, "ISO 4, with its periods"),
    ("Nature", "published in Nature", True, "a name of one word, after a preposition"),
    ("Nature", "On the nature of things, 3 figures", False, "a word"),
    ("Nature", "Accepted at Nature Communications", False, "another journal"),
    ("ICML", "Submitted to ICML 2021", False, "not accepted"),
    ("ICML", "Under review at ICML", False, "not accepted"),
    ("ICML", "Accepted to the ICML 2021 Workshop on Cats", False, "a workshop"),
    ("CVPR", "Extended version of our CVPR 2019 paper", False, "another paper"),
    ("ICML", "ICMLA 2019", False, "another conference"),
    ("ACL", "Accepted to EACL 2021", False, "another conference"),
    ("CVPR", "ICCV 2019 submission; the code is at example.org", False, "another conference"),
]


@every_row(("venue", "comment", "said", "why"), COMMENTS)
def test_a_comment_on_arxiv_names_the_venue(venue, comment, said, why):
    assert (venue_in_comment(venue, comment) is not None) is said, why
    claimed = {"title": "Watching cats", "container": venue, "doi": "10.48550/arxiv.2101.00001"}
    record = PREPRINT.model_copy(update={"facts": {"type": "preprint", "comment": comment}})
    (container,) = (
        check
        for check in compare(Reference(kind="doi", text="…", fields=claimed), record)
        if check.field == "container"
    )
    assert container.outcome == ("agrees" if said else "unknown")


VENUES = [
    # venue, year, whether all its papers are at Crossref by July of the next year, source
    ("CVPR", 2019, True, "IEEE"),
    ("2019 IEEE/CVF Conference on Computer Vision and Pattern Recognition (CVPR)", 2019, True, "IEEE"),
    ("ECCV", 2020, True, "Springer"),
    ("Proceedings of the AAAI Conference on Artificial Intelligence", 2019, True, "AAAI"),
    ("IJCAI", 2018, True, "from 2017 on"),
    ("IJCAI", 2012, False, "not before"),
    (
        "Proceedings of the 57th Annual Meeting of the Association for Computational Linguistics",
        2019,
        True,
        "ACL's own",
    ),
    ("ACL", 2013, False, "aclanthology.org/faq/doi: since 2014"),
    ("COLING", 2018, False, "aclanthology.org/faq/doi: not of a sister society"),
    ("Interspeech", 2019, True, "ISCA"),
    ("Nature Communications", 2019, True, "a journal"),
    ("Phys. Rev. D", 2019, True, "a journal"),
    ("IEEE Transactions on Pattern Analysis and Machine Intelligence", 2019, True, "a journal"),
    ("J. Mach. Learn. Res.", 2019, False, "has no DOIs"),
    ("Transactions on Machine Learning Research", 2023, False, "has no DOIs"),
    ("Harvard Law Journal", 2019, False, "law journals need not"),
    ("NeurIPS", 2019, False, "some years alone"),
    ("ICML", 2019, False, "PMLR"),
    ("International Conference on Learning Representations", 2019, False, "OpenReview"),
    ("CVPR Workshops", 2019, False, "not every workshop has proceedings"),
    ("Submitted to CVPR", 2019, False, "not accepted"),
    ("PhD thesis", 2019, False, "no venue"),
    ("CVPR", 2026, False, "asked in November of that year"),
    ("CVPR", None, False, "no year, so perhaps this one"),
]


@every_row(("venue", "year", "expected", "source"), VENUES)
def test_venues_that_register_with_crossref(venue, year, expected, source):
    assert registers(venue, year, "2026-11-21T08:00:00Z") is expected, source


@pytest.mark.parametrize(
    ("doi", "venue", "agrees"),
    [
        # Crossref has it in `Proceedings of the 2019 Conference of the North`, cut short
        ("10.18653/v1/n19-1423", "NAACL", True),
        ("10.18653/v1/n19-1423", "ACL", False),
        ("10.1109/cvpr.2016.90", "CVPR", True),
        ("10.1109/cvprw.2016.90", "CVPR", False),
    ],
)
def test_a_doi_names_the_proceedings_that_their_title_does_not(doi, venue, agrees):
    record = RECORD.model_copy(
        update={"containers": ("Proceedings of the 2019 Conference of the North",), "ids": {"doi": doi}}
    )
    checks = compare(Reference(kind="bibliographic", text="…", fields={"container": venue}), record)
    assert [check.outcome for check in checks] == ["agrees" if agrees else "differs"]


def test_a_page_of_the_federal_register_is_held_against_its_day():
    entry = Entry(title="Rule", date="2020-03-02", first_page="12300", last_page="12310")
    claimed = Reference(kind="fed_reg", text="…", fields={"volume": "85", "page": "12305", "date": "2020-03-04"})
    assert [(check.field, check.outcome) for check in compare(claimed, entry)] == [
        ("date", "differs"),
        ("page", "agrees"),
    ]
    section = Reference(kind="usc", text="…", fields={"title": "28", "section": "1331"})
    assert compare(section, Entry(title="Federal question")) == ()


def test_the_version_that_is_cited_is_the_one_compared():
    journal = PREPRINT.model_copy(
        update={"containers": ("Journal of Feline Optics",), "years": (2023,), "ids": {"doi": "10.5555/9"}, "facts": {}}
    )
    claimed = {"title": "Watching cats", "authors": "Adler R", "container": "J Feline Opt", "year": "2021"}
    match = best_match(Reference(kind="bibliographic", text="…", fields=claimed), [PREPRINT, journal])
    assert match is not None
    assert match.entry is journal
    assert match.agreement == "differs"


def test_a_short_title_by_others_elsewhere_is_another_work():
    other = Entry(
        title="Deep learning",
        authors=(Person(family="Cohen", given="L"),),
        years=(1999,),
        containers=("Physics Today",),
    )
    claimed = {
        "title": "Deep learning",
        "authors": "LeCun Y; Bengio Y; Hinton G",
        "year": "2015",
        "container": "Nature",
    }
    reference = Reference(kind="bibliographic", text="…", fields=claimed)
    assert agreement(reference, other) == "another"
    assert best_match(reference, [other]) is None


def test_the_id_by_which_an_entry_was_found_is_no_evidence_for_it():
    bare = Entry(ids={"doi": "10.5555/1"})
    checks = compare(Reference(kind="doi", text="…", fields={"doi": "10.5555/1", "title": "Watching cats"}), bare)
    assert [(check.field, check.outcome) for check in checks] == [("title", "unknown")]


def test_news_is_compared_loosely():
    page = Entry(
        title="Cats win the vote, officials say | Daily Cat",
        authors=(Person(family="Roe", given="Jane"),),
        date="2024-05-02",
    )
    right = {"title": "Cats win the vote, officials say", "author": "Jane Roe", "date": "2024-05-01"}
    assert not differs(compare(Reference(kind="news", text="…", fields=right), page))
    wrong = {**right, "date": "2024-06-01", "author": "John Doe"}
    fields = {
        check.field
        for check in compare(Reference(kind="news", text="…", fields=wrong), page)
        if check.outcome == "differs"
    }
    assert fields == {"date", "author"}


HOSTILE = [
    "{" * 4000,
    "\\" * 4000,
    "<" * 4000,
    "a, " * 4000,
    "A B " * 4000,
    "\u0301" * 4000,
    "; and " * 2000,
    "(" * 4000,
    "1-" * 4000,
    "\x00\ud800" * 99,
]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_compared_like_any_other(text):
    claimed = dict.fromkeys(("title", "authors", "container", "year", "volume", "pages", "doi", "publisher"), text)
    checks = compare(Reference(kind="bibliographic", text="…", fields=claimed), RECORD)
    assert {check.outcome for check in checks} <= {"agrees", "differs", "unknown"}


@every_row("text", [*HOSTILE, "accepted at " * 400, "Proceedings of the " * 300, "main oral " * 400])
def test_hostile_text_names_no_venue_that_has_to_register(text):
    assert venue_in_comment("Journal of Feline Optics", text) is None
    assert not registers(text, 2019, text)
    assert not registers("CVPR", 2019, text)
    assert isinstance(is_meeting(text), bool)
