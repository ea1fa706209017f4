/**
 * Patterns that suggest whether a sentence asks something of its reader. They are written by hand for seven languages;
 * their weights are in intent-weights.ts. They are applied to the output of `plain`: lower case, straight quotes,
 * single spaces.
 */

export interface Cue {
  name: string;
  pattern: RegExp;
  /** A weight set by hand, for languages without labeled sentences. */
  weight?: number;
}

/** Matches the beginning of a sentence, with an optional salutation, name, bullet or polite word. */
const START =
  "^(?:[-*•>\\d.)(\\s\"']+)?(?:(?:hi|hey|hello|dear|good (?:morning|afternoon|evening)|thanks|thank you|ok|okay|also|and|so|but|then|otherwise|meanwhile|in the meantime|if (?:so|not|possible)|again|finally|first|next|just|now|ps|p\\.s\\.)[,!.:;\\s-]+)*(?:[\\p{L}.'/& -]{1,28}[,:]\\s+|[\\p{L}]{2,12} - )?";
/** Verbs whose imperative assigns work to people. */
const WORK =
  "(?:send|give|let|call|e-?mail|mail|tell|forward|fax|check|confirm|review|read|add|ask|remind|make|set|schedule|put|take|bring|get|find|look|see|note|advise|provide|include|copy|cc|print|sign|return|complete|fill|submit|update|change|fix|correct|remove|delete|keep|hold|wait|contact|phone|ring|text|reply|respond|answer|write|prepare|draft|finish|start|stop|begin|meet|join|come|plan|pick|choose|select|decide|book|order|buy|pay|approve|arrange|organi[sz]e|talk|speak|discuss|work|help|follow|proceed|go|pass|share|post|attach|consider|think|remember|don't forget|do not forget|be sure|make sure|ensure|verify|revise|edit|circulate|distribute|coordinate|cancel|move|reschedule|invite|handle|process|use|try|show|explain|describe|list|identify|let's|lets|inform|notify|drop|save|run|enter|open|visit|click|download|register|sign up|rsvp|feel free|do|have)";

const cue = (name: string, source: string, weight?: number): Cue => ({
  name,
  pattern: new RegExp(source, "u"),
  ...(weight === undefined ? {} : { weight }),
});

export const CUES: readonly Cue[] = [
  // Explicit requests.
  cue(
    "please at the start",
    `${START}(?:please|pls|plz|kindly|bitte|s'il (?:vous|te) pla[iî]t|merci de|por favor|per favore|alstublieft|graag)\\b`,
  ),
  cue(
    "please and a verb",
    `\\b(?:please|pls|plz|kindly|por favor|per favore)\\b(?:,? (?:also|just|do|then))? ${WORK}\\b`,
  ),
  cue(
    "please anywhere",
    "\\b(?:please|pls|plz|bitte|s'il (?:vous|te) pla[iî]t|svp|por favor|per favore|alstublieft)\\b",
  ),
  cue("imperative", `${START}${WORK}\\b(?! (?:it|that|this|they|he|she|we|i|you)(?:'s)? (?:is|was|are|were))`),
  cue("imperative after a condition", `^if .{3,140}, (?:then )?(?:please )?${WORK}\\b`),
  cue(
    "let me know",
    "\\b(?:let|leave) (?:me|us|him|her|them|\\p{L}+) (?:and \\p{L}+ )?know\\b|\\bkeep (?:me|us) (?:posted|informed|updated)\\b|\\b(?:sag|sagt|gib|geben|geben sie|lassen sie|lass) (?:mir|uns|mich)\\b.{0,40}(?:bescheid|wissen)|\\b(?:tenez|tiens)[- ](?:moi|nous) (?:au courant|inform)|\\bdites[- ]moi\\b|\\b(?:av[ií]s|d[ií])(?:a|e|ame|eme|game|anos)me\\b|\\bfammi sapere\\b|\\bmi faccia sapere\\b|\\blaat (?:het )?(?:me|mij|ons)\\b.{0,20}weten",
  ),
  cue(
    "can you",
    "\\b(?:can|could|would|will) (?:you|u|someone|somebody|anyone|one of you|you guys|y'all)\\b(?! be (?:interested|surprised|happy))",
  ),
  cue("can you, at the start", `${START}(?:can|could|would|will|won't) (?:you|u|someone|somebody|anyone)\\b`),
  cue(
    "can you, other languages",
    "\\b(?:k[oö]nn(?:en|ten|test|test) (?:sie|du|ihr)|kannst du|kannst|w[uü]rden sie|w[uü]rdest du|pouvez[- ]vous|pourriez[- ]vous|peux[- ]tu|pourrais[- ]tu|pouvez[- ]vous|puede(?:s)?|podr[ií]a(?:s|n)?|pu[oò]|potrebbe|potresti|puoi|pode(?:ria)?|poderia|kunt u|kun je|zou u|zou je|kunnen jullie)\\b",
    1.9,
  ),
  cue(
    "please, other languages",
    "\\b(?:bitte|s'il (?:vous|te) pla[iî]t|svp|merci de|por favor|per favore|per cortesia|alstublieft|s'il vous pla[iî]t)\\b|\\b(?:necesito|necesitamos|ho bisogno|avrei bisogno|abbiamo bisogno|preciso|precisamos|ich brauche|wir brauchen|j'ai besoin|nous avons besoin|ik heb .{0,20}nodig)\\b",
    1.6,
  ),
  cue(
    "question, other languages",
    "(?:^|[,¿] ?|\\b(?:und|et|y|e|en) )(?:hast|haben sie|habt|bist|sind sie|geht|passt|wann|wie|wo|wer|was|warum|welche[rsn]?|as[- ]tu|avez[- ]vous|est[- ]ce|quand|comment|o[uù]|qui|que|quel(?:le)?s?|pourquoi|combien|tienes?|puedes?|cu[aá]ndo|c[oó]mo|d[oó]nde|qui[eé]n|qu[eé]|por qu[eé]|cu[aá]nto|hai|avete|quando|come|dove|chi|che|perch[eé]|quanto|heb|heeft|hebben|wanneer|hoe|waar|wie|wat|waarom|tens|tem|onde|quem|qual)\\b.{0,200}\\?",
    1.2,
  ),
  cue("may I, can we", `${START}(?:may|can|could|shall|should|might) (?:i|we)\\b`),
  cue(
    "we need you to",
    "\\b(?:i|we|he|she|they)(?:'d|'ll| would| will)? (?:also |really |just |still )?(?:need|want|like|love|prefer|ask|expect|encourage|urge|require|request)s? (?:that )?you\\b",
  ),
  cue(
    "you need to",
    "\\byou(?:'ll| will| would| may| might| also| still|) (?:also |still |probably |really |just )?(?:need|have|ought|want|are required|are asked|are requested|are invited|are encouraged|are welcome|are free) to\\b|\\byou(?:'d| had) better\\b",
  ),
  cue("you should", "\\byou (?:should|must|shouldn't|mustn't|can either|could either)\\b"),
  cue(
    "I need",
    "\\b(?:i|we) (?:really |also |still |just |do |will |urgently )?(?:need|require|want|would like|'d like) (?:a|an|the|your|some|any|more|to (?:have|get|know|see|receive|hear|meet|talk|speak|discuss|schedule|set up|ask|invite|request|understand|confirm))\\b",
  ),
  cue(
    "I would like to",
    "\\b(?:i|we)(?:'d| would| should) (?:also |really |very much )?(?:like|love|appreciate|prefer|be grateful|be happy if you|be glad if you|welcome)\\b",
  ),
  cue(
    "appreciate",
    "\\b(?:would|will|i'd|we'd|i'll|much|greatly|really) (?:be )?(?:very |greatly |much |really |also )?(?:appreciated?|grateful)\\b|\\bthanks? (?:you )?(?:in advance|for (?:your help|sending|taking care|letting))\\b",
  ),
  cue(
    "helpful if",
    "\\b(?:helpful|great|nice|good|useful|wonderful|best|better|appreciate it|ideal) if (?:you|we|someone)\\b",
  ),
  cue(
    "would you mind",
    "\\b(?:do|would) you mind\\b|\\bany chance\\b|\\bis it possible\\b|\\bis there any way\\b|\\bis there a way\\b|\\bbe (?:so kind|able)\\b.{0,30}\\?",
  ),
  cue(
    "are you able",
    "\\bare you (?:able|available|free|willing|interested|going|coming|planning|around|up for|ok|okay|still|in|sure|there)\\b",
  ),
  cue("do you want", "\\b(?:do|did|does|don't|didn't|would|wouldn't) (?:you|u)(?: guys| all| both)?\\b"),
  cue(
    "do you have",
    "\\b(?:do|did|does|would) (?:you|u|we|anyone|anybody)(?: guys| all| both)? (?:still |already |ever |also )?(?:have|know|want|need|think|remember|like|get|plan|care|agree|see)\\b",
  ),
  cue("have you", "\\b(?:have|has|had|haven't|is|are|was|were) (?:you|your|u)\\b.{0,120}\\?"),
  cue(
    "what do you",
    "\\b(?:what|how|when|where|who|which|why)(?:'s|'re| is| are| do| does| did| would| will| can| could| should| about| much| many| long| soon)?(?: do| did| would| will| can| should| are)? (?:you|your|u|we|i|me)\\b.{0,120}\\?",
  ),
  cue(
    "what time",
    "\\b(?:what|which) (?:time|day|date|day s|number|address|price|name|size|kind|version|file)\\b.{0,100}\\?",
  ),
  cue(
    "how about",
    "\\b(?:how|what) about\\b|\\bwhy (?:don't|not)\\b|\\bwhat if\\b|\\bwie w[aä]re es\\b|\\bque dirais[- ]tu\\b|\\bqu[eé] tal\\b",
  ),
  cue("any news", `${START}(?:got any|any|is there any|are there any|anything)\\b.{0,80}\\?`),
  cue("asks what is", `${START}(?:what|when|where|who|which|how)\\b.{0,160}\\?`),
  cue(
    "asks is it",
    `${START}(?:is|are|was|were|do|does|did|has|have|should|shall|am) (?!you\\b|it possible\\b).{0,160}\\?`,
  ),
  cue("let's", "\\b(?:let's|lets|let us)\\b(?! you\\b)"),
  cue(
    "we should",
    "\\bwe (?:should|could|can|need to|have to|must|ought to) (?:also |probably |all |just |try to |maybe |then )?(?:meet|talk|discuss|get|set|have|schedule|plan|call|look|review|do|go|catch|make|try|sit|start|decide|consider|work|send|put|think|find)\\b",
  ),
  cue(
    "call me",
    "\\b(?:call|phone|ring|e-?mail|mail|text|page|contact|reach|see|meet|fax|write|ping|message) (?:me|us|him|her|them|\\p{L}+ (?:at|on|or|if|to))\\b",
  ),
  cue(
    "get back to",
    "\\b(?:get|come|write) back to (?:me|us)\\b|\\bhear(?:ing)? (?:back )?from you\\b|\\blook(?:ing)? forward to (?:your|hearing|seeing|meeting|discuss|talking|speaking|working|further)\\b|\\bI await\\b",
  ),
  cue(
    "questions, contact me",
    "\\b(?:further|any|other|more|additional) (?:questions?|problems?|comments?|concerns?|changes?|suggestions?|thoughts?|information|trouble)\\b",
  ),
  cue("do not hesitate", "\\b(?:do not|don't|not) hesitate\\b|\\bfeel free\\b"),
  cue(
    "your thoughts",
    "\\byour (?:thoughts|comments|feedback|input|help|assistance|advice|opinion|approval|response|reply|confirmation|attendance|participation|view|views|suggestions|availability|signature)\\b",
  ),
  cue("thoughts?", "^(?:and |so |or )?[^.?!]{1,40}\\?$"),
  cue("question mark", "\\?[\"')\\s]*$"),
  cue(
    "to your attention",
    "\\b(?:asap|as soon as possible|by (?:tomorrow|tonight|today|noon|close of business|cob|eod|end of (?:day|week|business)|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|at your (?:earliest )?convenience|no later than|deadline|urgent(?:ly)?|rsvp|so bald wie m[oö]glich|d[eè]s que possible|lo antes posible|quanto prima|zo snel mogelijk)\\b",
  ),
  cue(
    "meeting",
    "\\b(?:meeting|meet|lunch|dinner|coffee|drinks?|get together|conference call|appointment|schedule)\\b",
  ),
  cue("attached for you", "\\bfor your (?:review|approval|comments?|signature|information|consideration|records)\\b"),
  cue(
    "wondering",
    "\\b(?:i was|i am|i'm|just|was) (?:just )?wonder(?:ing|ed)\\b|\\bi wonder(?:ed)?\\b|\\bcurious (?:if|whether|about)\\b|\\bwanted to (?:know|ask|check|see|find out|confirm)\\b",
  ),
  cue(
    "proposes",
    "\\b(?:i|we) (?:would |'d |strongly |also )?(?:propose|suggest|recommend|advise)\\b|\\bmy suggestion\\b|\\bi think (?:you|we|it would be) (?:need|should|ought|best|better|good|appropriate)\\b",
  ),
  cue("make sure", "\\b(?:make|be|making) sure\\b|\\bensure\\b|\\bremember to\\b|\\b(?:don't|do not) forget\\b"),
  cue(
    "to do this, click",
    "\\b(?:click|go to|visit|follow|log ?in|download|fill (?:in|out)|sign up|register|see the|use the)\\b.{0,60}\\b(?:link|here|page|site|below|following|website|web|form|button|https?:|www\\.)",
  ),
  cue("here a link", "\\$link|https?:|www\\."),
  // Promises.
  cue(
    "I will",
    "\\b(?:i|we)(?:'ll| will| shall|'ll also| will also| am going to| are going to|'m going to|'re going to| will be| plan to| intend to| am planning to| promise to| can| could)\\b (?:also |then |just |try to |be able to |make sure |probably |definitely |certainly |get back|be )?(?:send|call|get|let|give|forward|make|check|look|try|follow|contact|talk|e-?mail|mail|bring|work|take|put|see|meet|have|provide|prepare|review|discuss|ask|find|set|keep|do|finish|complete|schedule|arrange|fax|write|draft|update|confirm|respond|reply|handle|add|include|pay|return|come|stop|pick|drop|fix|sending|calling|bringing|working|back|there|happy|glad|in touch)\\b",
  ),
  cue("I'll", "\\b(?:i|we)(?:'ll| will| shall)\\b"),
  cue(
    "will get back",
    "\\b(?:get|come|be) (?:right )?back (?:to|with) you\\b|\\b(?:i|we)(?:'ll| will) (?:be )?in touch\\b|\\bwill (?:let|send|give|call|keep|e-?mail|forward|get|notify|contact|provide) you\\b",
  ),
  cue(
    "I'm going to",
    "\\b(?:i|we)(?:'m|'re| am| are) (?:going to|gonna|about to|planning to|happy to|glad to|willing to|trying to|sending|forwarding|calling|working on|looking (?:into|at))\\b",
  ),
  cue(
    "I can",
    "\\b(?:i|we) can (?:also |then |certainly |probably )?(?:send|call|get|meet|give|help|do|make|bring|come|provide|talk|discuss|forward|be|have|take|set|work|review)\\b",
  ),
  cue(
    "I could",
    "\\b(?:i|we) (?:could|would be happy|would be glad|'d be happy|'d be glad|am happy|am able|would be able|may be able|might be able|should be able)\\b",
  ),
  cue("let me", `${START}(?:please )?(?:let me|lemme)\\b(?! know)`),
  cue("happy to", "\\b(?:happy|glad|pleased|delighted|more than happy|willing) to\\b"),
  cue(
    "promise",
    "\\b(?:i|we) (?:promise|commit|guarantee|agree to|undertake|owe you|plan to|intend to|hope to|expect to)\\b|\\bcount on me\\b|\\byou have my word\\b",
  ),
  cue("will do", "^(?:ok,? |sure,? |yes,? )?(?:will do|consider it done|on it|i'm on it|no problem|sure thing)\\b"),
  cue(
    "you will have it",
    "\\byou(?:'ll| will) (?:have|receive|get|hear)\\b.{0,60}\\b(?:by|tomorrow|today|next|from (?:me|us)|shortly|soon|this)\\b",
  ),
  cue(
    "I'll, other languages",
    "\\b(?:ich|wir) (?:werde|werden|schicke|schicken|sende|melde|melden|k[uü]mmere|k[uü]mmern|gebe|bringe|rufe|mache|liefere|pr[uü]fe|erledige|[uü]berweise|komme)\\b|\\b(?:je|nous) (?:vous|te|t'|lui|leur)? ?(?:enverrai|enverrons|ferai|ferons|rappellerai|tiendrai|donnerai|contacterai|reviens|m'en occupe|vais|allons|enverrais|confirmerai|apporterai|paierai)\\b|\\bje m'(?:en )?(?:occupe|engage)|\\b(?:te|le|les|os|se lo|lo|la) (?:enviar[eé]|mandar[eé]|env[ií]o|mando|llamar[eé]|llamo|confirmar[eé]|confirmo|avisar[eé]|aviso|dir[eé]|har[eé])\\b|\\b(?:voy|vamos) a \\p{L}+r\\b|\\b(?:ti|vi|le|glielo|te lo|ve lo) (?:mando|mander[oò]|invio|invier[oò]|chiamo|chiamer[oò]|far[oò] sapere|confermo|confermer[oò])\\b|\\b(?:vou|vamos|enviarei|farei|ligarei|mandarei|confirmarei)\\b|\\b(?:ik|wij|we) (?:zal|zullen|stuur|sturen|bel|bellen|regel|kom|laat)\\b",
    2.8,
  ),
  // Neither a request nor a promise.
  cue("about third persons", "^(?:he|she|they|it|the|there|this|that|these|those|his|her|their|its|our|my)\\b"),
  cue(
    "first person, past",
    "^(?:i|we) (?:was|were|had|did|have|have been|just|think|thought|know|knew|guess|am|'m|received|got|spoke|talked|went|saw|believe|don't|do not|didn't|hope)\\b",
  ),
  cue(
    "past tense",
    "\\b(?:was|were|had|did|said|told|asked|went|got|received|spoke|talked|called|sent|made|thought|came|took|wanted)\\b",
  ),
  cue("would have", "\\b(?:would|could|should|might|may) have\\b"),
  cue("cannot", "\\b(?:can't|cannot|can not|won't|will not|unable|not able|unfortunately|couldn't|wasn't)\\b"),
  cue("conditional alone", "^(?:if|when|because|since|although|though|while|unless|until|as)\\b[^,?]*$"),
  cue(
    "unsubscribe",
    "\\bunsubscribe\\b|\\bopt[- ]?out\\b|\\bremoved? from (?:our|this|the) (?:mailing )?list\\b|\\b(?:stop|no longer|not) (?:wish to )?receiv(?:e|ing)\\b|\\bif you (?:do not|don't|no longer|did not|didn't) (?:want|wish|choose|request|create|sign)\\b",
  ),
  cue(
    "sales talk",
    "\\b(?:free|offer|deal|save|discount|\\$\\d+|% off|subscribe|order now|limited|trial|earn|win|your account|customers?|click here|special|exclusive|premium|download|upgrade|newsletter|website)\\b",
  ),
  cue(
    "auxiliary please",
    "\\bplease (?:ignore|disregard|note|do not reply|see (?:below|attached)|accept (?:my|our))\\b",
  ),
  cue(
    "thanks",
    "^(?:many |best )?(?:thanks|thank you|thx|cheers|regards|merci|danke|gracias|grazie|bedankt|obrigad[oa])\\b",
  ),
  cue(
    "rhetorical",
    "\\b(?:isn't it|aren't they|right|huh|eh|no|who knows|who cares|guess what|what the|how (?:funny|cool|nice|great))\\?",
  ),
  cue(
    "question about third persons",
    "^(?:is|are|was|were|does|did|do|has|have|will|would|can|could) (?:he|she|they|it|the|that|this|there|his|her|their)\\b.{0,160}\\?",
  ),
  cue(
    "I think",
    "\\b(?:i think|i guess|i believe|i assume|i'm assuming|i hope|i suppose|i'm sure|i know|i understand|i feel)\\b",
  ),
  cue("very short", "^(?:\\S+\\s*){1,3}$"),
  cue("long", "^(?:\\S+\\s+){32,}"),
  cue("very long", "^(?:\\S+\\s+){50,}"),
  cue(
    "you",
    "\\b(?:you|your|u|sie|ihr|ihre|dir|dich|dein|vous|votre|vos|tu|te|usted|ustedes|tus?|lei|voi|vostro|voc[eê]|u|uw|jij|jullie)\\b",
  ),
  cue("I", "\\b(?:i|i'm|i've|we|we're|we've)\\b"),
  cue("exclamation", "!"),
  cue("numbers", "\\d[\\d.,/]*\\D+\\d"),
  cue("phone number", "\\b\\(?\\d{3}\\)?[ .-]\\d{3}[ .-]\\d{4}\\b|\\bx\\d{4,5}\\b"),
  cue("colon at the end", ":$"),
  cue("no full stop", "[\\p{L}\\d]$"),
  cue(
    "tomorrow",
    "\\b(?:today|tomorrow|tonight|(?:this|next) (?:week|month|morning|afternoon|evening|weekend)|(?:mon|tues|wednes|thurs|fri|satur|sun)day|morgen|demain|ma[ñn]ana|domani|amanh[aã])\\b",
  ),
  cue(
    "someone else shall",
    "\\b(?:someone|somebody|anyone|everyone|everybody|all of you|both of you|you guys|folks|team|all)\\b.{0,20}\\b(?:should|must|need|needs|please|has to|have to)\\b",
  ),
  cue(
    "invites",
    "\\b(?:invite|invited|inviting|invitation|join us|join me|come (?:over|by|along|see|visit|to)|stop by|drop by|welcome to (?:join|come|attend))\\b",
  ),
  cue(
    "subject to do",
    "\\b(?:to be (?:done|sent|signed|reviewed|completed)|needs? to be|has to be|must be|should be|have to be)\\b",
  ),
  cue(
    "would be good",
    "\\bwould be (?:good|great|nice|helpful|best|better|useful|appreciated|wonderful|fine|interesting)\\b",
  ),
  cue("assume you", "\\b(?:assum(?:e|ing)|trust|hop(?:e|ing)|expect(?:ing)?) (?:that )?you\\b"),
  cue("are to", "\\byou (?:can|may|could|might)\\b"),
];

/** Longer sentences are tables, lists without full stops, or attacks on the patterns. */
const LONGEST_CHARS = 600;

/** Normalizes a sentence for the patterns: lower case, straight quotes, single spaces, limited length. */
export function plain(sentence: string): string {
  return sentence
    .slice(0, LONGEST_CHARS)
    .replace(/[\u2018\u2019\u201b\u00b4`]/g, "'")
    .replace(/[\u201c\u201d]/g, '"')
    .replace(/\s+/g, " ")
    .trim()
    .toLowerCase();
}
