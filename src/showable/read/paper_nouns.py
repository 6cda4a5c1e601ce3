"""Nouns for what carries text: what it holds or lacks is a matter of the document, and no fact about the world.

A thing that carries text is told from one who speaks: "the datasheet doesn't say" declines, "the council doesn't say"
reports. Many such nouns have another sense ("ten minutes", "a leaf extract", "at short notice"); those count only where
a word points at one of them: "the minutes", "the council minutes".
"""

from __future__ import annotations

_POINTING = r"(?:the|this|that|these|those|your|our|my|either|both)"
_KIND = (
    r"(?:provided|given|supplied|attached|retrieved|enclosed|uploaded|indexed|shared|available|full|short|same|whole|relevant|latest|current|published|approved|draft|final|original|official|internal"
    r"|council|cabinet|parish|board|committee|assembly|meeting|court|company|school|town|city|village|club|press|public|news|web|online|product|safety|user|user's|help|legal|product's|company's)"
)
# Counted only after a word that points at one, and not as the first half of another noun: "the notice period".
_POINTED_AT = (
    r"(?:minutes|notices?|extracts?|e-?mails?|messages?|posts?|tickets?|threads?|chats?|slides?|decks?|presentations?|interviews?|recordings?|bundles?|packs?|folders?|binders?|accounts|scans?"
    r"|uploads?|attachments?|instructions|directions|entr(?:y|ies)|logs?|advice note|columns?|circulars?|cop(?:y|ies)|photocop(?:y|ies)|printouts?|wikis?|readme|quotations?|quotes?|announcements?"
    r"|advertisements?|adverts?|ads?|receipts?|invoices?|certificates?|briefings?|bulletins?|posters?|diar(?:y|ies)|journals?|cuttings|clippings?)"
    r"(?! (?:periods?|fees?|charges?|times?|dates?|days?|requirements?|process|procedures?|prices?|points?|sizes?|rates?|costs?|lengths?|levels?|numbers?|boards?|holders?|givers?)\b)"
)
_TELLING = (
    r"(?:reports?|10-?[kq]|8-?k|20-?f|forms?|statements?|tables?|articles?|papers?|pages?|sections?|briefs?|transcripts?|releases?|abstracts?|footnotes?|notes|chapters?|appendi(?:x|ces)|annex(?:es)?"
    r"|labels?|leaflets?|summar(?:y|ies)|letters?|filings?|publications?|clauses?|paragraphs?|exhibits?|documents?|file|record|source"
    r"|(?:data|fact|work|spread|broad|info|info-?)?-?sheets?|brochures?|pamphlets?|booklets?|fl[iy]ers|prospectus(?:es)?|newsletters?|memos?|memorand(?:um|a|ums)|dossiers?|handouts?|infographics?"
    r"|monographs?|treatises?|essays?|thes[ie]s|dissertations?|preprints?|(?:news|white)papers?|magazines?|editorials?|obituar(?:y|ies)|(?:auto)?biograph(?:y|ies)|memoirs?|blogs?|blog\s*posts?|tweets?|web\s*pages?"
    r"|faqs?|q&as?|pdfs?|captions?|glossar(?:y|ies)|encyclop(?:a)?edias?|dictionar(?:y|ies)|almanacs?|gazett(?:e|eer)s?|podcasts?|affidavits?|depositions?|communiqu[eé]s?|changelogs?|docstrings?)"
)
DATA_DOCUMENT = rf"(?:{_TELLING}|{_POINTING} (?:{_KIND} ){{0,2}}{_POINTED_AT}|(?:council|cabinet|parish|board|committee|meeting|press) (?:minutes|cuttings|clippings|notices?))"
"""Documents that hold information: to lack a figure is an absence of evidence."""

WORK = (
    r"(?:agreements?|contracts?|leases?|polic(?:y|ies)|plans?|acts?|statutes?|regulations?|laws?|rules?|guidelines?"
    r"|stud(?:y|ies)|trials?|opinions?|decisions?|rulings?|judge?ments?|orders?|deeds?|manuals?|protocols?|reviews?"
    r"|surveys?|licen[cs]es?|terms|warrant(?:y|ies)|charters?|codes?|(?:hand|rule|text|guide|note|year|play|cook|work|code|log)?-?books?|bye?-?laws?"
    r"|constitutions?|treat(?:y|ies)|conventions?|ordinances?|directives?|decrees?|resolutions?|bills|syllabus(?:es)?|syllabi|curricul(?:um|a|ums)|spec(?:ification)?s?|standards?|guides?|tutorials?"
    r"|(?:the|his|her|their|this) will|catalog(?:ue)?s?|regist(?:er|r(?:y|ies))s?|inventor(?:y|ies)|director(?:y|ies)|databases?|datasets?|web\s*sites?|menus?|itinerar(?:y|ies)|timetables?|schedules?|agendas?|calendars?"
    r"|recipes?|poems?|novels?|chronicles?|gospels?|scriptures?|advisor(?:y|ies)|tariffs?|tenders?|proposals?|applications?|petitions?|archives?|ledgers?)"
)
"""Documents that govern, list or study: "the lease does not include parking" is a fact about the world."""

"""Works that are written to inform: what they leave out is not thereby so."""
