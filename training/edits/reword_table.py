"""Substitutions that keep the meaning: `phrase > one, or another`."""

from __future__ import annotations

_ROWS = """50 percent of > half of|EU > European Union|European Union > EU|U.S. > United States|UK > United Kingdom
|UN > United Nations|United Kingdom > UK|United Nations > UN|United States > U.S.
|World War I > the First World War|World War II > the Second World War|a couple of > two|a decade > ten years
|a dozen > twelve|a large number of > many|a lot of > many|a majority of > most|a maximum of > at most
|a minimum of > at least|a number of > several|a quarter of > 25 percent of|a variety of > various
|about half of > roughly half of|abroad > overseas|academics > scholars|accomplished > achieved
|account for > make up|accounted for > made up|accounts for > makes up|achieved > attained|act as > serve as
|acted as > served as|acting as > serving as|acts as > serves as|adequate > sufficient|afterwards > later
|agreed to > consented to|aims > objectives|aircraft > planes|airplane > plane|airplanes > planes
|allowed to > permitted to|almost > nearly|along with > together with|also known as > also called
|although > though, even though|among > amongst|amongst > among|ancient > very old
|announced that > made known that|annually > every year|apart from > except for|approach > method
|approaches > methods|appropriate > suitable|approximately > about, around|are a part of > are part of
|are able to > can|are allowed > are permitted|are believed to > are thought to
|are composed of > are made up of|are comprised of > consist of|are derived from > come from
|are forbidden > are prohibited|are made up of > are composed of|are native to > come from|are not > aren't
|are permitted > are allowed|are prohibited > are forbidden|are similar to > resemble
|are some of the > are among the|are thought to > are believed to|are unable to > cannot
|are used to > serve to|aren't > are not|argued that > contended that|argues that > contends that
|around the world > worldwide|arrived at > reached|arrived in > reached|as a result of > because of
|assassination > killing|asserted that > claimed that|asserts that > claims that|assessed > evaluated
|assisted > helped|assisting > helping|assists > helps|associated with > linked to|at a slow pace > slowly
|at least > no fewer than|at present > currently|at the age of > when aged
|at the beginning of > at the start of|at the end of > at the close of|at the same time > simultaneously
|at the start of > at the beginning of|attempted to > tried to|attempting to > trying to
|attempts to > tries to|attorney > lawyer|attorneys > lawyers|authored > wrote|authored by > written by
|authors > writers|automobile > car|automobiles > cars|babies > infants|baby > infant
|barred from > prohibited from|because of > as a result of|began > started, commenced|begins > starts
|begun > started|believed that > thought that|beneficial > helpful|bigger > larger|biggest > largest
|both men and women > men and women alike|bought > purchased|built > constructed|by means of > through
|by way of > via|came back from > returned from|came to an end > ended|cannot > can't|car > automobile
|carried out > conducted|cars > automobiles|ceased to > stopped|chiefly > mainly|children > kids
|chose to > decided to|chosen > selected|close to > near|commenced > began|commences > begins
|companies > firms|company > firm|comparable to > similar to|compared with > compared to
|completely > entirely|complicated > complex|complies with > abides by|comply with > abide by
|compulsory > mandatory|concept > idea|concepts > ideas|conducted by > carried out by
|connected with > related to|considerably > significantly, substantially|consisted of > was made up of
|consists of > is made up of|constructed > built|constructing > building|contended that > argued that
|contends that > argues that|corporation > company|corporations > companies|could not > couldn't
|couldn't > could not|crucial > vital|currently > at present|damaged > harmed|dangerous > hazardous
|decided to > chose to|declined to > refused to|decreased by > fell by|defeated > beat
|demonstrate that > show that|demonstrated that > showed that|demonstrates that > shows that
|departed from > left|depend on > rely on|depended on > relied on|depends on > relies on|depicts > portrays
|derived from > taken from|despite > in spite of|determined that > established that|did not > didn't
|didn't > did not|differ from > are different from|differs from > is different from|difficult > hard
|disclose > reveal|disclosed > revealed|do not > don't|doctor > physician|doctors > physicians
|does not > doesn't|doesn't > does not|don't > do not|due to > because of|during the course of > during
|dwelling > home|dwellings > homes|each day > every day|each year > every year|earnings > income
|elderly > old|employees > workers|enormous > huge|ensure that > make sure that
|ensured that > made sure that|ensures that > makes sure that|enterprises > businesses|entire > whole
|entirely > completely|error > mistake|errors > mistakes|especially > particularly|essential > indispensable
|established by > founded by|established in > founded in|evaluated > assessed|even though > although
|eventually > in the end|every day > each day, daily|every year > annually, each year|examined > looked at
|exceeds > is greater than|except for > apart from|extremely > very|false > untrue|famous > well-known
|fell by > decreased by, went down by|fell from > dropped from|fell to > went down to|film > movie
|films > movies|finally > in the end|findings > results|finished in > ended in|firms > companies
|following the > after the|football club > soccer club|for example > for instance|for instance > for example
|for the purpose of > for|forest > woodland|forests > woods|formerly > previously
|founded by > established by|founded in > established in|frequently > often|generally > usually
|global > worldwide|grew up in > was raised in|had not > hadn't|hadn't > had not
|has been shown to > was found to|has not > hasn't|has the ability to > can|hasn't > has not
|have not > haven't|have the ability to > can|haven't > have not|hazardous > dangerous|helpful > beneficial
|huge > enormous|idea > concept|ideas > concepts|if > in the event that|illegal > unlawful
|illness > disease|illnesses > diseases|immediately after > right after|in accordance with > according to
|in addition to > besides|in conjunction with > together with|in excess of > more than
|in favor of > in support of|in favour of > in support of|in many cases > often|in most cases > usually
|in order to > to|in place of > instead of|in recent years > of late|in relation to > regarding
|in some cases > sometimes|in spite of > despite|in support of > in favor of, in favour of
|in the absence of > without|in the course of > during|in the end > eventually|in the event that > if
|in the field of > in|in total > altogether|in writing > in written form|incorrect > wrong
|increased by > rose by|increased from > rose from|increased significantly > rose significantly
|increased to > rose to|indicated that > showed that|indispensable > essential|individuals > people
|infant > baby|infants > babies|inhabitants > residents|initial > first|initially > at first
|instead of > in place of|instructor > teacher|instructors > teachers|investigated > studied
|is a form of > is a kind of|is a kind of > is a type of|is a part of > is part of
|is a type of > is a kind of|is able to > can|is allowed > is permitted|is associated with > is linked to
|is believed to > is thought to|is best known for > is most famous for|is composed of > is made up of
|is comprised of > consists of|is constructed > is built|is famous for > is well known for
|is held in > takes place in|is home to > houses|is in charge of > is responsible for
|is linked to > is associated with|is most famous for > is best known for|is native to > comes from
|is not > isn't|is not able to > cannot|is one of the > is among the|is permitted > is allowed
|is prohibited > is forbidden|is responsible for > is in charge of|is similar to > resembles
|is situated > is located|is thought to > is believed to|is unable to > cannot|is used to > serves to
|is well known for > is famous for|isn't > is not|known as > called|large > big|largely > mostly
|larger > bigger|largest > biggest|later became > subsequently became|lawyer > attorney|lawyers > attorneys
|lead to > result in|leading to > resulting in|leads to > results in|legislation > laws|less than > under
|lies in > is located in|linked to > associated with|lived in > resided in|lives in > resides in
|located in > situated in|made sure that > ensured that|made the decision to > decided to|made use of > used
|main > primary|mainly > mostly, primarily|make sure that > ensure that|make use of > use
|makes sure that > ensures that|makes up > accounts for|makes use of > uses|mandatory > compulsory
|manufactured > made|manufactures > makes|many > numerous|medication > medicine|medications > medicines
|mentioned that > said that|merely > only|method > technique|methods > techniques|mistake > error
|mistakes > errors|more than > over|most northerly > northernmost|most southerly > southernmost
|mostly > mainly, largely|motion picture > film|motion pictures > films|moved to > relocated to|movie > film
|movies > films|murder > killing|near > close to|nearly > almost|need to > have to|needed to > had to
|needs to > has to|next to > beside|no fewer than > at least|normally > usually
|northernmost > most northerly|not able to > unable to|noted that > pointed out that|notified > informed
|notify > inform|notion > idea|nowadays > today|numerous > many|objectives > aims
|observed that > noticed that|obtained > acquired|obtains > gets|occurred at > took place at
|occurred in > took place in|occurred on > took place on|occurs in > takes place in|often > frequently
|on account of > because of|on the basis of > based on|only > solely|originally > at first
|owing to > because of|participate in > take part in|participated in > took part in
|participates in > takes part in|participating in > taking part in|particularly > especially
|passed away > died|people > individuals|per cent > percent|per day > a day|per month > a month
|per week > a week|per year > a year|permitted to > allowed to|persons > people|physician > doctor
|physicians > doctors|play a role in > contribute to|played a role in > contributed to
|played by > portrayed by|plays a role in > contributes to|portion of > part of|portrayed by > played by
|predominantly > mainly|previous > earlier|previously > formerly, earlier|primarily > mainly, chiefly
|primary > main|principal > main|prior to > before|prohibits > forbids|provides > offers|pupils > students
|purchase of > buying of|purchased > bought|purchasing > buying|pursuant to > under|put an end to > ended
|quickly > rapidly|railroad > railway|railroads > railways|railway > railroad|railways > railroads
|rapid > fast|rapidly > quickly|rare > uncommon|rarely > seldom|rather than > instead of
|reduced by > cut by|reduced the > lowered the|reduced to > cut to|reduces > lowers|referred to as > called
|refused to > declined to|regulations > rules|related to > connected with|relied on > depended on
|relies on > depends on|relocated > moved|relocated to > moved to|rely on > depend on
|replaced by > succeeded by|researchers > scientists|resided in > lived in|residence > home
|residents > inhabitants|resides in > lives in|result in > lead to|resulted in > led to
|resulting in > leading to|results in > leads to|retained > kept|retaining > keeping|retains > keeps
|returned from > came back from|returned to > went back to|revenue > income|right after > immediately after
|rose by > increased by, went up by|rose from > increased from, went up from
|rose to > increased to, went up to|roughly > about|said that > stated that|salaries > pay|salary > pay
|says that > states that|scholars > academics|scientists > researchers|selected > chosen|serious > severe
|serve as > act as|served as > acted as|serves as > acts as|serving as > acting as
|set up by > established by|several > a number of|severe > serious|shall be > will be
|shall not > must not, will not|shortly after > soon after|show that > demonstrate that
|showed that > demonstrated that, indicated that|shows that > demonstrates that|significantly > considerably
|simultaneously > at the same time|singer > vocalist|singers > vocalists|situated in > located in
|slowly > at a slow pace|soldiers > troops|solely > only|soon after > shortly after
|southernmost > most southerly|starring > featuring|started > began|stated that > said that
|states that > says that|subsequent > later|subsequent to > after|subsequently > later
|substantially > considerably|such as > like|sufficient > enough|suitable > appropriate|surpassed > exceeded
|take part in > participate in|takes part in > participates in|taking part in > participating in
|teacher > instructor|teachers > instructors|technique > method|techniques > methods
|the First World War > World War I|the Second World War > World War II|the majority of > most
|the vast majority of > most|though > although|throughout > all through|throughout the > all through the
|together with > along with|took over > assumed control of|took part in > participated in
|took place at > occurred at|took place in > occurred in|took place on > occurred on, was held on
|took the place of > replaced|totally > completely|toward > towards|towards > toward|treaty > agreement
|tried to > attempted to|tries to > attempts to|trying to > attempting to|twice > two times
|two thirds of > two-thirds of|typically > usually|unable to > not able to|uncommon > rare, unusual
|unlawful > illegal|unusual > uncommon|useful > helpful|usually > normally, generally, typically
|utilize > use|utilized > used|utilizes > uses|utilizing > using|various > different, a variety of
|very > extremely|vessels > ships|via > by way of|victory > win|village > settlement|villages > settlements
|vital > crucial|vocalist > singer|vocalists > singers|want to > wish to|wanted to > wished to
|wants to > wishes to|was able to > managed to|was appointed > was named|was awarded > was given
|was believed to > was thought to|was best known for > was most famous for|was called > was named
|was chosen > was selected|was considered > was regarded as|was defeated > was beaten
|was established > was set up, was founded|was founded > was established|was given > was awarded
|was home to > housed|was in charge of > was responsible for|was most famous for > was best known for
|was not > wasn't|was one of the > was among the|was raised in > grew up in|was released > came out
|was responsible for > was in charge of|was selected > was chosen|was similar to > resembled
|was thought to > was believed to|was unable to > could not|wasn't > was not|wealthy > rich|weapons > arms
|well-known > famous|went back to > returned to|were able to > managed to|were awarded > were given
|were chosen > were selected|were established > were set up|were given > were awarded|were not > weren't
|were released > came out|were selected > were chosen|were some of the > were among the
|were unable to > could not|weren't > were not|while > whilst|while also > and also|whilst > while
|will not > won't|wish to > want to|wished to > wanted to|wishes to > wants to|with regard to > regarding
|with respect to > concerning|with the exception of > except for|won't > will not|woodland > forest
|woods > forests|workers > employees|worldwide > around the world|would not > wouldn't|wouldn't > would not
|writer > author|written by > authored by|written consent > consent in writing"""


def _table() -> dict[str, list[str]]:
    rows = (row.split(" > ") for row in _ROWS.replace("\n", "").split("|"))
    return {left: right.split(", ") for left, right in rows}


SUBSTITUTES: dict[str, list[str]] = _table()
"""A phrase in lower case (save for names) to the phrases that may stand in its place."""
