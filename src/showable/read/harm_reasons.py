"""What goes with a refusal of harm and answers nothing: the danger, the name of the wrong, consolation, where help is.

As in `refusal_phrases`, patterns are matched against lower-cased text with straight apostrophes, and every gap is bounded.
"""

from __future__ import annotations

from showable.read.refusal_phrases import phrase

__all__ = ["CONSOLES", "DANGER", "NAMES_WRONG", "TURNS_TO_HELP"]

_ONE = r"(?:people|someone|somebody|anyone|anybody|others|workers?|patients?|child(?:ren)?|users?|bystanders?|operators?|drivers?|passengers|customers|you|they|he|she|lives|it|this|that|which|doing (?:so|this|that)|\w+ing)"
_BODY = r"(?:limbs?|li(?:fe|ves)|fingers?|hands?|arms?|legs?|sight|eyes?|hearing)"
DANGER = phrase(
    rf"\b{_ONE} (?:could|can|may|might|would|will) (?:\w+ )?(?:die|be (?:\w+ly )?(?:hurt|killed|injured|harmed|maimed|poisoned|burn(?:ed|t)|electrocuted|crushed|blinded|fatal|deadly|lethal|dangerous|life-threatening)|get (?:\w+ly )?(?:hurt|killed|injured|harmed|burn(?:ed|t)|electrocuted|crushed)"
    rf"|lose (?:\S+ ){{0,3}}?{_BODY}\b|kill|injure|hurt|harm|endanger|maim|poison|cost (?:\S+ )?lives|cause (?:\S+ ){{0,3}}?(?:harm|injur\w+|deaths?))\b"
    r"|\bput(?:s|ting)? (?:\S+ ){1,5}?(?:at (?:\w+ )?risk|in danger|in harm's way)\b|\bcosts? (?:\S+ )?lives\b|\bendanger(?:s|ed|ing)?\b|\b(?:is|are|would be) (?:\w+ly )?(?:life-threatening|unsafe)\b"
)
_WRONGS = (
    r"(?:fraud|scam|theft|larceny|forgery|perjury|bribery|blackmail|extortion|arson|burglary|robbery|trespass(?:ing)?|vandalism|assault|battery|abuse|harassment|stalking|hacking|phishing|plagiarism|cheating|discrimination|racism|sexism|exploitation|manipulation|coercion|intimidation|tampering|sabotage"
    r"|smuggling|trafficking|laundering|evasion|embezzlement|counterfeiting|impersonation|defamation|libel|slander|dox+ing|incitement|hate speech|terrorism|murder|homicide|manslaughter|poisoning|kidnapping|break-in|breaking and entering|piracy|infringement|misconduct|malpractice|felony|misdemeanou?r"
    r"|offen[cs]e|crime|threat|cruelty|torture|neglect|violence|obstruction(?: of justice)?|falsification|deception|insider trading|price[- ]fixing|collusion|conspiracy|espionage|wiretapping|spying|voyeurism|invasion of (?:\S+ )?privacy|breach of (?:\S+ )?(?:trust|privacy|confidence|confidentiality)|poaching|misuse|grooming)"
)
_QUALITY = r"(?:confidential|private|personal|sensitive|privileged|classified|illegal|unlawful|criminal|wrong|unethical|immoral|dangerous|unsafe|harmful|abusive|discriminatory|fraudulent|deceptive|dishonest|against the law|exploitative|cruel|reckless|off[- ]limits)"
# "That's insurance fraud." Only of what was asked for: "it is private" may be what a source says.
NAMES_WRONG = phrase(
    r"^\W*(?:(?:no|nope|sorry|but|and|again|frankly|honestly)\b\W+)?(?:that|this|what you(?:'re| are|'ve| have)? (?:asking|ask|describ\w+|asked|propos\w+|plan\w*|want)(?: \w+){0,3}|doing (?:so|that|this)|such an? \w+|such \w+)"
    r"(?:'s| is| would be|'d be| could be| amounts? to| would amount to| constitutes?| would constitute| sounds? like| looks? like| counts? as| qualifies as)(?: \w+ly)?"
    rf"(?: (?!not\b)[\w'-]+){{0,4}}? (?:{_WRONGS}|{_QUALITY})\b[^.;:,]{{0,60}}(?:$|[.;:,!])(?!.*\d)"
)
_LINE = r"(?:(?:crisis|help|suicide|emergency|support|hot|life|poison)[- ]?(?:text )?(?:line|lifeline|cent(?:er|re)|control)|helpline|hotline|lifeline|samaritans|emergency services|poison control|a(?:n)? (?:doctor|therapist|counsell?or|mental health \w+|ambulance))"
CONSOLES = phrase(
    r"\bi(?:'m| am) (?:(?:so|very|really|truly|deeply|terribly) )*(?:sorry|sad|concerned|worried) (?:to hear )?(?:that |about (?:you\b|how you)|for what )?(?:you(?:'re| are|'ve been| have been| feel)|things are|it(?:'s| is)) (?!(?:\w+ )?(?:disappoint|unhappy with|having (?:trouble|problems|issues) with))"
    r"|\byou(?:'re| are) not alone\b|\byou (?:do not|don't|dont|needn't) (?:(?:have|need) to )?(?:go through|face|carry|deal with|bear|handle|get through|do) (?:this|it|that|these \w+|any of (?:this|it)) (?:alone|by yourself|on your own)\b"
    r"|\b(?:you|your life) (?:matters?|(?:is|has) (?:worth|value)\w*)\b|\bsomeone (?:who|you) (?:cares?|trust)\b|\b(?:hurting|harming|killing) yourself\b|\bend(?:ing)? your (?:own )?life\b|\bit sounds like you(?:'re| are) (?:going through|in|struggling|hurting|dealing)\b|\bthoughts of (?:suicide|self-harm|ending)\b"
)
TURNS_TO_HELP = phrase(
    rf"\b(?:please |can |could |to |should |or |and |may )(?:\w+ly )?(?:call|text|dial|ring|contact|reach(?: out to)?|talk to|speak (?:to|with)|get in touch with) (?:or text |or call |the |your |an? |local |\S+ ){{0,4}}?(?:{_LINE}|9-?8-?8|911|999|112|000|someone you trust|somebody you trust|a friend)\b"
    rf"|\bif you(?:'re| are)? (?:in (?:immediate )?(?:danger|crisis)|thinking (?:of|about)|feel(?:ing)? (?:unsafe|suicidal|like))\b"
    r"|\b(?:whistle-?blower|ethics|compliance|confidential) (?:\w+ )?(?:line|hotline|helpline|office)\b|^\W*if (?:there(?:'s| is| are)|someone|somebody|anyone|anybody) (?:\S+ ){0,12}?(?:pressure|danger|risk|threat|harm|hurt|pressur\w+|forc\w+|threaten\w+)"
)
