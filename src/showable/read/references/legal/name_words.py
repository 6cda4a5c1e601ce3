"""The words that make up the names of cases, that introduce them, and that only stand before them."""

from __future__ import annotations

CONNECTORS = frozenset(
    """
    of the and & for de la le du des del della di da dos van von der den ter ten el al bin ibn ex rel. rel et al. a an y e on in by to
    at with d/b/a a/k/a n/k/a f/k/a t/a o/b/o c/o as behalf through its his her their next friend minor application another others ors
    anor intervening intervenor interested party parties trustee guardian ad litem individually plc pty gmbh llc llp inc ltd estate or from upon parte re v. v
    """.split()  # noqa: SIM905 - a list of words reads best as words
)
"""Words without a capital that stand inside names."""

SUFFIXES = frozenset(
    """
    inc. inc llc l.l.c. l.l.c ltd. ltd llp l.l.p. l.p. lp co. corp. n.a. p.c. pc p.a. p.l.c. plc s.a. n.v. b.v. a.g. ag gmbh sa jr. sr. jr sr ii iii iv
    m.d. md esq. ph.d. d.o. lllp pllc p.l.l.c. s.p.a. co corp company incorporated limited et al. fsb f.s.b. s.s.b. ssb n.t. a/s ab nv bv kg pty. pty llc. lp. co.,
    """.split()  # noqa: SIM905 - a list of words reads best as words
)
"""After a comma these go on with the name before."""

ENDS_OF_NAMES = frozenset({"inc.", "llc", "l.l.c.", "ltd.", "llp", "l.l.p.", "n.a.", "gmbh", "plc", "pllc"})
"""Nothing but a connector follows them in a name: what does begins another sentence."""

LEADS = frozenset(
    """
    see also but cf e.g eg accord contra compare with in citing quoting cited quoted under following per like unlike although though
    while whereas since because before after during until when where if as at by for from on upon and or nor yet so thus hence
    therefore accordingly similarly likewise moreover further furthermore finally indeed however instead rather then both neither
    either even only again here there through despite given that this these those consider recall overruling applying relying
    discussing distinguishing recently first second third fourth fifth next last notably specifically generally particularly
    especially namely viz example instance id ibid supra infra into against between among is are was were its it they we our the
    additionally consequently nevertheless nonetheless conversely importantly significantly meanwhile later earlier whether such
    case cases authority authorities case: citation cite cites regarding concerning re: decision landmark what which who how why did does
    i.e ie to of another others overruled abrogated superseded reversing affirming vacating remanding aff'g rev'g
    """.split()  # noqa: SIM905 - a list of words reads best as words
)
"""Words that stand before a name at the beginning of a sentence, a clause or a citation."""

KEPT_LEADS = {
    "first": "nat",
    "second": "amendment",
    "third": "",
    "under": "armour",
    "case": "corp",
    "next": "",
    "the": "",
}
"""A lead that begins a name where the next word begins so: ``First Nat'l Bank``, ``Under Armour, Inc.``."""

GENERIC = frozenset(
    """
    court courts circuit justice judge plaintiff plaintiffs defendant defendants petitioner petitioners respondent respondents
    appellant appellants appellee appellees congress opinion opinions decision decisions holding holdings panel majority plurality
    dissent concurrence ruling rulings analysis test standard rule doctrine reasoning as only just law statute precedent government
    state judgment issue question facts case cases district scotus bench counsel movant movants claimant debtor board commission
    relied reliance kennedy scalia roberts thomas alito breyer ginsburg sotomayor kagan gorsuch kavanaugh barrett jackson stevens souter
    rehnquist brennan marshall warren blackmun harlan holmes cardozo brandeis
    """.split()  # noqa: SIM905 - a list of words reads best as words
)
"""Before ``in`` they are not part of a name: ``The Court in Brown v. Board``, ``Justice Kennedy in Obergefell v. Hodges``."""

ABBREVIATIONS = frozenset(
    """
    acad. adm'r. admin. admx. adm'x. ex'r. ex'rs. apts. arb. architects. bev. cos. creds. dairy. depts. distribs. elev. emps'. engrs. fams. found. gdns. gen'l. grads. hlth. hldgs. hosps. ints. lands. lic. lics. litig. liq. mem'l. ministr. mun'l. musc. nurs. pkg. plan. plumb. props. refrig. remodel. resorts. rlty. roofing. shipp. sols. stor. trans. unempl. warehouse. wkly. works. adver. advert. agric. am. ass'n. assoc. assocs. assur. atl. auth. auto. ave. balt. bankr. bd. bhd. bldg. bros. broad. bus.
    cal. cap. cas. cath. cent. chem. chi. cir. cmm'n. cmty. cnty. co. colo. coll. com. comm. commc'ns. comp. compar. computs. condo. conf. cong. conn. consol. const.
    constr. cont'l. coop. coops. corp. corps. corr. crim. ct. cty. def. del. dem. dep't. dept. dev. det. dir. dist. distrib. distribs. div. dr. e. econ. ed. educ. elec. elecs. emp. emps.
    eng'g. eng'rs. enter. enters. env. envtl. equal. equip. est. exch. exec. exp. expl. f. fed. fid. fin. fla. found. ft. ga. gen. gov. govs. grp. grps. guar. haw. hist. hon. hosp. hosps.
    hous. i. ill. imp. imps. inc. ind. indem. indep. indus. inf. inj. ins. inst. insts. int'l. inv. invs. j. jr. jurid. kan. ky. la. lab. labs. l. liab. ltd. mach. maint. mass. md. me. med. mem. mems. merch.
    metro. mfg. mfr. mfrs. mgmt. mich. mil. min. minn. miss. mkt. mktg. mo. mont. mortg. mr. mrs. ms. msgr. mt. mun. mut. n. n.a. nat. nat'l. neb. nev. no. nos. non. ne. nw. o. okla. operat. opers. org. or. orgs. pa. pac.
    par. partn. pers. pet. petrol. pharm. pharms. phila. plc. pres. prob. proc. prod. prods. prof. prop. props. prot. pshp. pub. publ'ns. publ'g. pubs. r. ref. reg. regs. rehab. rel. relig. rep. reprod.
    res. rest. rests. ret. rev. rr. ry. s. sav. sch. schs. sci. se. sec. sec'y. sen. serv. servs. shp. soc. soc'y. sol. solics. sols. sr. st. ste. stat. subcomm. sup. supp. supt. sur. sw. sys. tax. tech. techs. tel. telecomm.
    telecomms. telegr. temp. tenn. tex. tpk. tr. transcon. transp. treas. twp. u. unempl. unif. univ. unlim. util. utils. va. vand. vill. vol. vols. vt. w. wash. wis. wyo. v. vs. dakota. s.d. n.d. ariz. ark. ala. mgt.
    acct. acctg. activ. advoc. agr. alb. alt. aff. affs. att'y. attys. att'ys. austl. avail. bio. biomed. boul. cas. casualty. celeb. charit. cold. confed. counc. cust. def. deriv. disc. disp. drs. elim. fam. fedn. fed'n. fire. food. fund. gas.
    grocers. hts. hwy. hydro. hyd. info. invest. jud. jt. lib. livest. loc. log. lumb. manuf. nurs. ord. pac. pens. pipel. ports. pow. psych. rad. rec. redev. reins. remed. rsch. rsrv. rts. sav. secs. shopp. spec. stds. steam. store. surg. teleph. theatr. tob. tract. univ. vet. veh. wkrs. yd.
    """.split()  # noqa: SIM905 - a list of words reads best as words
)
"""Words that end with a stop within a name (Bluebook tables T6 and T10, and what is usual); any other ends a sentence."""

LINKS = frozenset(
    """
    decided reported reporting published found cited available officially citation cite as at in on and is was which the supreme court u.s.
    us united states by year landmark reporter its a case of appeals circuit handed down full
    """.split()  # noqa: SIM905 - a list of words reads best as words
)
"""Words that may stand between a name and its citation (``Roe v. Wade, decided in 1973 and reported at 410 U.S. 113``)."""

NOT_A_NAME = frozenset(
    """
    court courts congress constitution act amendment title states california statute section rule rules code article clause
    id ibid part chapter exhibit ex appendix table figure note page year years january february march april may june july august
    september october november december monday tuesday wednesday thursday friday saturday sunday plaintiff defendant
    """.split()  # noqa: SIM905 - a list of words reads best as words
)
"""Alone before a citation they do not name a case."""
