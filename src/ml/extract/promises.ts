/**
 * The forms of promises in seven languages: the first person, the future, and a verb of doing something for someone.
 * Sentences are read in the form of `plain` (cues.ts).
 */

const DO =
  "(?:send|call|get|let|give|forward|make|check|look|try|follow|contact|talk|e-?mail|mail|message|text|ping|bring|work|take|put|meet|provide|prepare|review|discuss|ask|find|set|do|finish|complete|keep (?:you|everyone|everybody|all of you|an eye)|schedule|arrange|organi[sz]e|fax|write|draft|update|confirm|respond|reply|answer|handle|add|include|pay|transfer|refund|return|come|pick|drop|fix|deliver|ship|submit|share|post|upload|book|order|buy|sign|file|circulate|report|revise|correct|change|remove|cancel|reschedule|join|help|speak|start|push|raise|chase|sort|read|print|reserve|move|pass|swing|show|introduce|ensure|see to|see what|see if|have (?:it|this|that|them|the|a|an|my|our|something|someone|somebody)|be (?:back|there|in touch|sending|calling|bringing|working|getting|forwarding|reviewing|following|making|joining|looking into|happy to))";
const ADVERB =
  "(?:also|then|just|definitely|certainly|gladly|probably|quickly|personally|be sure to|make sure to|try to|be able to)";

const pattern = (source: string): RegExp => new RegExp(source, "u");

export const PROMISES: readonly RegExp[] = [
  pattern(
    `\\b(?:i|we)(?:'ll| will| shall|'m going to|'re going to| am going to| are going to|'m gonna| promise to| commit to| undertake to| plan to| intend to) (?:${ADVERB} )*${DO}\\b`,
  ),
  pattern(
    "\\b(?:i|we) (?:owe you|promise (?:you|that|it)|guarantee)\\b|\\byou (?:have|got) my word\\b|\\bcount on (?:me|us)\\b",
  ),
  pattern(
    "^(?:(?:ok|okay|sure|yes|yep|great|perfect|fine|got it)[,.!]? )?(?:will do|consider it done|on it|i'm on it|i am on it|leave it (?:to|with) me)\\b",
  ),
  pattern(
    "\\byou(?:'ll| will| should) (?:have|receive|get) (?:it|them|this|that|the|my|our|a|an)\\b.{0,60}\\b(?:by|tomorrow|today|tonight|on|next|this|before|until|in (?:a|an|one|two|three|\\d))\\b",
  ),
  pattern("\\bexpect (?:it|them|the|my|our)\\b.{0,40}\\b(?:by|tomorrow|today|tonight|next week|on \\p{L}+day)\\b"),
  // German: the present tense with a verb of giving serves as the future.
  pattern(
    "\\b(?:ich|wir) (?:(?:werde|werden)\\b.{1,120}\\b\\p{L}+en|(?:schicke|schicken|sende|senden|melde|melden|k[uü]mmere|k[uü]mmern|gebe|geben|bringe|bringen|rufe|rufen|liefere|liefern|pr[uü]fe|pr[uü]fen|erledige|erledigen|[uü]berweise|[uü]berweisen|reiche|reichen|leite|leiten|kl[aä]re|kl[aä]ren|buche|buchen|bereite|bereiten) (?:\\p{L}|das|es))",
  ),
  pattern(
    "\\b(?:schicke|sende|melde|gebe|bringe|rufe|pr[uü]fe|erledige|[uü]berweise|kl[aä]re) ich (?:dir|ihnen|euch|mich|das|es|die|den)\\b",
  ),
  pattern(
    "\\b(?:je|nous) (?:(?:vous|te|t'|lui|leur|l'|la|le|les) ?){0,2}(?:enverrai|enverrons|envoie|envoyons|ferai|ferons|rappellerai|rappelle|tiendrai|tiendrons|donnerai|contacterai|reviens vers|reviendrai|apporterai|paierai|confirmerai|transmettrai|transmets|appellerai)|\\bje m'(?:en )?(?:occupe|engage)|\\b(?:je vais|nous allons) (?:vous |te |le |la |les )*(?:envoyer|faire|appeler|rappeler|v[eé]rifier|confirmer|pr[eé]parer|donner|transmettre|payer)\\b",
  ),
  pattern(
    "\\b(?:te|le|les|os|se) (?:lo |la |los |las )?(?:enviar[eé]|mandar[eé]|env[ií]o|mando|llamar[eé]|llamo|confirmar[eé]|confirmo|avisar[eé]|aviso|dir[eé]|har[eé]|paso|pasar[eé]|contesto|contestar[eé])(?![\\p{L}])|\\b(?:voy|vamos) a (?:enviar|mandar|llamar|hacer|preparar|revisar|confirmar|pagar|mirar|hablar)\\p{L}*",
  ),
  pattern(
    "\\b(?:ti|vi|le|glielo|te lo|ve lo|gliela) (?:mando|mander[oò]|invio|invier[oò]|chiamo|chiamer[oò]|faccio sapere|far[oò] sapere|confermo|confermer[oò]|porto|porter[oò])(?![\\p{L}])",
  ),
  pattern(
    "\\b(?:enviarei|farei|ligarei|mandarei|confirmarei)(?![\\p{L}])|\\b(?:vou|vamos) (?:enviar|mandar|fazer|ligar|confirmar|verificar|preparar|pagar)\\b|\\b(?:envio|mando)-(?:lhe|te)\\b",
  ),
  pattern(
    "\\b(?:ik|wij|we) (?:(?:zal|zullen|ga|gaan)\\b.{1,100}\\b\\p{L}+en\\b|(?:stuur|sturen|bel|bellen|regel|regelen|laat|maak) (?:je|u|jullie|het|de|even))\\b",
  ),
];
