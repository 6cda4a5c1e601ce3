"""Words of case captions: what abbreviations stand for, which words name nobody, which parties are governments.

The abbreviations are those that the Bluebook's tables T6 (case names) and T10 (places) teach, with the spellings
that courts and databases use beside them.
"""

from __future__ import annotations

from showable.read.word_sets import word_set

SPELLINGS = """
academy acad, administration admin administrative administrator administratrix admr admx adm, advertising advert
adver, affiliates affil affiliate affiliated, agriculture agric agricultural, airlines airline airway airways,
alliance all, alternative alt, america am american americas amer, and et, apartments apt apts apartment, appeals app
appeal, associates assoc assocs associate, association assn assns, atlantic atl, attorney atty attys attorneys,
authority auth auths, automobile auto automotive, avenue ave, bankruptcy bankr, bank banc banking bancorp bankers,
board bd, boulevard blvd, broadcasting broad broadcast, brotherhood bhd, brothers bros brother, building bldg
buildings, business bus businesses, bureau bur, casualty cas, center ctr centers centre ctrs, central cent, chemical
chem chemicals, citizens cit citizen, coalition coal, college coll colleges, commission commn comn, commissioner
commr commrs commissioners, committee comm comms, communications commcn commcns communication, community cmty comty,
computer comput computers, condominium condo condos, congress cong, consolidated consol, construction constr,
continental contl, contractor contr contractors, cooperative coop, correction corr corrections correctional, county
cnty cty counties cnt, credit cred, defense def, delaware del, department dept depts, design des designs,
development dev developmental, director dir directors dirs, disability disab, discount disc, distributing distrib
distributor distributors distribution, district dist dists, division div, eastern e east, economic econ economics
economy, education educ educational edn, electric elec electrical electricity electronic electronics, elementary
elem, employment emp employee employees emps employer employers empl, engineering engg engineer engr engineers,
enterprises enter enters enterprise, entertainment ent ents, environment env envtl environmental envt, equality
equal, equipment equip, estates est, examiner exam examiners, exchange exch, executive exec executor executrix exr
exx, export exp, federal fed, federation fedn, fidelity fid, finance fin financial financing, foundation found,
general gen, governor govs governors gov, government govt, group grp groups, guaranty guar guarantee, hospital hosp
hospitals, housing hous, illinois ill, importer imp importers import, incorporated inc, indemnity indem, independent
indep, indiana ind, industries indus industry industrial, information info, institute inst institution institutional
institutes, insurance ins insurers, international intl internatl, investment inv invs investments investors
investor, italian ital, judicial jud, laboratory lab labs laboratories, land lands, liability liab, library libr,
litigation litig, loan loans, machine mach machinery, maintenance maint, management mgmt mgt, manufacturing mfg
manuf manufacturer mfr mfrs manufacturers, maritime mar, market mkt mkts marketing mktg markets, mechanical mech,
medical med medicine medicinal, memorial meml, merchandise merch merchants merchandising, metropolitan metro,
mortgage mortg, municipal mun municipality, mutual mut, national natl nat, natural nats nat, north n no northern,
northeast ne northeastern, northwest nw northwestern, nuclear nuc, office off offices, organization org orgs
organizing, pacific pac, parish par, partnership pship, pennsylvania pa penn, personal pers, pharmaceuticals pharm
pharms pharmaceutical pharma, philadelphia phila, preserve pres, production prod prods productions product products,
professional profl prof, property prop props properties, protection prot protective, public pub, publishing publg
publn publns publication publications publisher publ, railroad rr railroads, railway ry railways rly, refining ref,
regional regl, rehabilitation rehab, reproduction reprod, resource res resources, restaurant rest restaurants,
retirement ret, road rd, saint st ste saints, savings sav, school sch schools schs, science sci sciences scientific,
secondary sec, secretary secy, security sec securities secs, senior sr, service serv servs services svc svcs serve,
shareholder sholder sholders shareholders, social soc, society socy, solution sol sols solutions, south s so
southern, southeast se southeastern, southwest sw southwestern, standard std, steamship ss steamships, street str,
subcommittee subcomm, superintendent supt, surety sur, system sys systems syss, taxpayers taxpayer, technology tech
techs technologies technical, telecommunications telecomm telecom telecommunication, telephone tel telegraph,
temporary temp, tennessee tenn, township twp, transcontinental transcon, transportation transp transport transit,
trust tr trustee trustees trs, turnpike tpk, underwriters underwriter, uniform unif, university univ universities,
utility util utils utilities, vermont vt, village vill, virginia va, washington wash, west w western, workers
compensation
"""
"""Spellings of one word between commas, the first of them standing for all. A spelling in two places may be either word."""

PLACES = """
ala alabama, ariz arizona, ark arkansas, cal california, calif california, colo colorado, conn connecticut, dc
districtofcolumbia, fla florida, ga georgia, kan kansas, ky kentucky, la louisiana, mass massachusetts, md maryland,
mich michigan, minn minnesota, miss mississippi, mo missouri, mont montana, nc northcarolina, nd northdakota, neb
nebraska, nev nevada, nh newhampshire, nj newjersey, nm newmexico, ny newyork, nyc newyork, okla oklahoma, or
oregon, pr puertorico, ri rhodeisland, sc southcarolina, sd southdakota, tex texas, wis wisconsin, wva westvirginia,
wyo wyoming, us unitedstates, usa unitedstates, uk unitedkingdom
"""
"""Abbreviated places that are no entry of `SPELLINGS`, written as those are, but the abbreviation first."""

PHRASES = (
    ("united states of america", "unitedstates"),
    ("united states", "unitedstates"),
    ("united kingdom", "unitedkingdom"),
    ("district of columbia", "districtofcolumbia"),
    ("new hampshire", "newhampshire"),
    ("new jersey", "newjersey"),
    ("new mexico", "newmexico"),
    ("new york", "newyork"),
    ("north carolina", "northcarolina"),
    ("north dakota", "northdakota"),
    ("puerto rico", "puertorico"),
    ("rhode island", "rhodeisland"),
    ("south carolina", "southcarolina"),
    ("south dakota", "southdakota"),
    ("west virginia", "westvirginia"),
    ("air lines", "airlines"),
    ("air line", "airlines"),
    ("air ways", "airlines"),
    ("e. i. du pont", "dupont"),
    ("du pont", "dupont"),
)
"""Words that stand together, as the one word they are compared as."""

STATES = word_set(
    """
    alabama alaska arizona arkansas california colorado connecticut delaware districtofcolumbia florida georgia guam
    hawaii idaho illinois indiana iowa kansas kentucky louisiana maine maryland massachusetts michigan minnesota
    mississippi missouri montana nebraska nevada newhampshire newjersey newmexico newyork northcarolina northdakota
    ohio oklahoma oregon pennsylvania puertorico rhodeisland southcarolina southdakota tennessee texas utah vermont
    virginia washington westvirginia wisconsin wyoming
    """
)

FORMS = word_set(
    """
    ab ag bv co companies company corp corporation corporations cos fsb gmbh inc incorporated kk lc limited llc lllp
    llp lp ltd ltda na nv pa pc plc pllc pty sa sarl sas se spa
    """
)
"""Forms of companies, which say nothing about who it is."""

EMPTY = word_set(
    """
    a adoption al all an and another application as at behalf by capacities capacity conservatorship de del dr esq
    estate et ex for guardianship her herself himself his ii iii in individually interest its iv jr la le marriage
    matter mr mrs ms no nos of official on others parte petition re rel similarly situated sr succession the their
    to ux vir well
    """
)
"""Words that belong to a caption's form rather than to a party."""

GENERIC = STATES | word_set(
    """
    academy administration affiliates agriculture airlines alliance america appeals associates association attorney
    authority automobile bank bankruptcy board borough brothers building bureau business casualty center central
    chemical citizens city college commission commissioner committee commonwealth communications community computer
    congress construction contractor correction council county court credit defense department development director
    distributing district division eastern economic education electric employment engineering enterprises
    entertainment environment equipment exchange executive federal federation fidelity finance first foundation fund
    general government governor group health home homeland homes hospital housing human indemnity independent
    industries information institute insurance internal international investment justice labor laboratory land
    liability life litigation loan london machine maintenance management manufacturing market medical memorial
    mental metropolitan mortgage municipal mutual national natural new north office officer oil operations
    organization pacific park partners partnership people personal police prison production professional property
    protection public publishing railroad railway regional research resource revenue royal safety saint savings
    school science secretary security service sheriff social society solution south standard state street
    superintendent supply system tax technology telephone territory town township transportation trust unified union
    united unitedkingdom unitedstates university utility veterans village warden water welfare west works world
    """
)
"""Words too common in captions for one alone to say that two parties are the same."""

SOVEREIGN = word_set("commonwealth crown king people queen r regina rex state territory")
"""Parties that stand for a government without saying which."""

OFFICES = word_set(
    """
    administration attorney board chief commission commissioner department director governor justice mayor office
    president secretary security service sheriff superintendent warden
    """
)
"""Words of an office, by which it may be named in short."""

HELD = OFFICES - word_set("board commission department office security service")
"""Offices that one person holds, whose name may stand in its place in another database's caption. An administrator is
spelt as an administration is, which therefore stays."""
