import { type Act, asked, bare, type Grammar, oneOf, pattern, type Reader, table } from "./act.ts";
import { withArticle } from "./articles.ts";

const NAME = "(?:(?:al?|alla|il|la) )?(?:Sig\\.?(?:ra)? |signora? |Dott\\.?(?:ssa)? )?(?-i:\\p{Lu})[\\p{L}'’-]+";
const P = "^(?:(?:e|poi|anche|inoltre|per favore|gentilmente|cortesemente) )*";
const act = (source: string) => pattern(P + source);
const END = "(?=\\s*$|\\s*[.,;:!–-])";
const TO = `(?: (?:a (?:lui|lei|loro)|a ${NAME}|ad ${NAME}|${NAME}|loro))?`;
const WH =
  "(?:quando|dove|come|perché|che|cosa|che cosa|chi|qual[ei]?|quant[oaie]|a che|in che|fino a quando|da quando|con chi|per quando|quello che|a quale|di quale|quale)";

const TU = table(
  "è:sei ha:hai va:vai può:puoi vuole:vuoi deve:devi fa:fai viene:vieni dice:dici sa:sai dà:dai sta:stai esce:esci sceglie:scegli conosce:conosci preferisce:preferisci capisce:capisci finisce:finisci tiene:tieni rimane:rimani parte:parti arriva:arrivi porta:porti manda:mandi invia:invii chiama:chiami mangia:mangi lavora:lavori abita:abiti pensa:pensi crede:credi prende:prendi mette:metti legge:leggi scrive:scrivi riceve:ricevi vede:vedi torna:torni trova:trovi cerca:cerchi paga:paghi compra:compri conferma:confermi accetta:accetti firma:firmi cucina:cucini usa:usi aiuta:aiuti passa:passi dorme:dormi sente:senti potrebbe:potresti vorrebbe:vorresti dovrebbe:dovresti avrebbe:avresti sarebbe:saresti potrà:potrai verrà:verrai sarà:sarai avrà:avrai farà:farai possa:possa voglia:voglia abbia:abbia venga:venga sia:sia era:eri aveva:avevi poteva:potevi guida:guidi partecipa:partecipi bisogno:bisogno organizza:organizzi consiglia:consigli desidera:desideri",
);
const HUMAN =
  "(?:chiam|invit|aspett|aiut|contatt|ringrazi|incontr|accompagn|avvis|rivedr|vedr|richiam|raggiung|inform|ricord)";
const KIN = pattern(
  "\\b(?:mia|mio|miei|nostr[oaie]|sua|suo|il|la|lo|un|una|un['’]) ?(?:\\p{Ll}+ )?(?:madre|mamma|padre|papà|moglie|marito|figli[oa]|fratello|sorella|capo|collega|amic[oa]|vicin[oa]|medico|bambin[oa]|cliente|nonn[oa]|zi[oa]|cane|gatto|soci[oa]|avvocato|compagn[oa])\\b",
);
const CLITICS = "(?:(?:non|già|ancora|anche|mi|ci|lo|la|li|le|gli|si|ti|ne|me lo|me la|ce lo) )*";
const ABLE = /^(?:può|potrebbe|potrà|deve|dovrebbe|vuole|vorrebbe|preferisce|ha bisogno|riceverà|avrà)$/u;

/** Returns text about the reader as text addressed to the reader. @param subject see the Spanish function */
function toReader(text: string, reader: Reader, subject: "always" | "able"): string {
  if (KIN.test(text)) return text;
  const { formal, several } = reader;
  const [dative, alone] = several ? ["vi", "voi"] : formal ? ["Le", "Lei"] : ["ti", "te"];
  const possessive = (end: string) =>
    several
      ? `vostr${end}`
      : (formal ? { o: "Suo", a: "Sua", oi: "Suoi", e: "Sue" } : { o: "tuo", a: "tua", oi: "tuoi", e: "tue" })[
          end === "i" ? "oi" : (end as "o" | "a" | "e")
        ]!;
  let used = text
    .replace(pattern("\\b(a|per|con|da|di|su) (?:lui|lei|loro)\\b", "giu"), (_, word) => `${word} ${alone}`)
    .replace(
      pattern(
        "\\b(?:gli|le) (?=(?:ho|mando|mandiamo|invio|inviamo|porto|dico|scrivo|do|faccio|spiego|va|piace|serve|interessa|sta|andrebbe|può|posso|possiamo|devo|serv|rispond|mander|invier|scriver|dar|far|racconter|presto|restitu|consegn|allego|faremo)\\p{L}*)",
        "giu",
      ),
      `${dative} `,
    )
    .replace(pattern("\\bglie(l[oaie]|ne)\\b", "giu"), (_, rest) =>
      several ? `ve ${rest === "ne" ? "ne" : rest}` : formal ? `Glie${rest}` : `te ${rest}`,
    )
    .replace(
      pattern("(\\p{L}{2,}[aei]r)(?:gli|le)\\b", "giu"),
      (_, verb) => `${verb}${several ? "vi" : formal ? "Le" : "ti"}`,
    )
    .replace(
      pattern(
        `\\b(?:lo|la) (?=${HUMAN}\\p{L}*(?:o|iamo|rò|remo)(?!\\p{L})|(?:passo|vengo|passiamo|veniamo|verrò|passerò|vado) a prendere)`,
        "giu",
      ),
      several ? "vi " : formal ? "La " : "ti ",
    )
    .replace(pattern("\\b(a trovar)(?:lo|la)(?!\\p{L})", "giu"), `$1${several ? "vi" : formal ? "La" : "ti"}`)
    .replace(pattern("\\bsu(?:o(i)?|a|e)(?= \\p{L}|$)", "giu"), (word) =>
      possessive(/oi$/u.test(word) ? "i" : word.at(-1)!.toLowerCase()),
    );
  if (formal || several) return used.replace(pattern(`\\b(?:lui|lei|loro) (?=${CLITICS}\\p{L}+)`, "gu"), "");
  const become = (verb: string) => TU.get(verb.toLowerCase()) ?? verb;
  const first = pattern(
    `^((?:${WH} (?:(?!(?:vuole|può|ha|deve|preferisce|pensa|va|viene) )\\p{Ll}+ )?)?)((?:lui|lei) )?(${CLITICS})(\\p{L}+)`,
  ).exec(used);
  const after = first ? used.slice(first[0].length) : "";
  if (first && (first[2] !== undefined || subject === "always" || ABLE.test(first[4]!))) {
    const noun =
      pattern("^\\s+(?:il|lo|la|i|gli|le|un|una|l['’]|mio|mia|tutto)\\b").test(after) &&
      pattern("^(?:è|arriva|parte|va|viene|finisce|torna|passa|sta|sarà|era)$").test(first[4]!);
    const impersonal =
      pattern("\\bti $").test(first[3]!) ||
      (pattern("\\bsi $").test(first[3]!) && pattern("^(?:può|deve|paga|fa)$").test(first[4]!)) ||
      (pattern("^(?:quando|dove|quanto|cosa|che cosa) ?$").test(first[1]!.trim()) &&
        pattern("^(?:è|va|costa|dura)$").test(first[4]!));
    if (TU.has(first[4]!.toLowerCase()) && !noun && !impersonal)
      used = first[1]! + first[3]!.replace(pattern("\\bsi\\b"), "ti") + become(first[4]!) + after;
  }
  return used.replace(
    pattern(`\\b((?:se|che|quando|e|o) )(${CLITICS})(\\p{L}+)`, "giu"),
    (whole, link: string, clitics: string, verb: string, at: number) =>
      at > 0 && ABLE.test(verb) && TU.has(verb) ? link + clitics + become(verb) : whole,
  );
}

const VERB = pattern(
  "^\\p{L}{3,}o io(?!\\p{L})|\\b(?:allego|segue|seguono|sono|è|sei|siamo|ho|ha|hai|abbiamo|hanno|avevo|avevamo|c['’]è|ci|posso|può|possiamo|possono|potrò|voglio|vorrei|vogliamo|vuole|devo|deve|dobbiamo|vado|va|andiamo|vanno|vengo|viene|veniamo|vengono|verrò|faccio|fa|facciamo|mando|mandiamo|invio|inviamo|porto|portiamo|arrivo|arriva|arriviamo|arrivano|arriverò|arriverà|pago|paghiamo|accetto|accettiamo|preferisco|preferiamo|credo|penso|spero|speriamo|costa|costano|inizia|comincia|finisce|resta|restano|sembra|piace|piacerebbe|interessa|serve|manca|funziona|sarà|sarò|saranno|sto|sta|stiamo|comprende|include|dura|parto|parte|partiamo|apre|chiude|abito|lavoro|conosco|so|dispiace|ringrazio|capisco|confermo|confermiamo|era|ero|prendo|prendiamo|firmo|firmerò|compro|torno|torniamo|chiamo|chiamerò|passo|passerò|trovo|allego|rimane|aspetto|aspettiamo|mi)\\b|\\p{L}+(?:erò|irò|eremo|iremo)\\b",
);
const TIME = pattern(
  "\\b(?:lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica|gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|novembre|dicembre|domani|oggi|settimana|mattina|pomeriggio|sera|mezzogiorno|alle \\d{1,2}|ore|data|appuntamento)(?![\\p{L}])",
);

function plain(text: string, reader: Reader): string | null {
  const said = bare(text);
  const short = pattern("^(?:sì|si|no|ok|va bene|certo|perfetto|volentieri)(?![\\p{L}])").exec(said)?.[0];
  if (short && said.length === short.length) return /^no/iu.test(short) ? "Purtroppo non è possibile." : "Sì, va bene.";
  const rest = short ? bare(said.slice(short.length)) : said;
  if (!VERB.test(rest)) return short && !/^no/iu.test(short) && TIME.test(rest) ? `Sì, ${rest} va bene.` : null;
  const start = short ? `${short.replace(/^si$/iu, "sì")}${/^che /u.test(rest) ? "" : ","} ` : "";
  return `${start}${toReader(rest, reader, "able")}${/\?\s*$/.test(text) ? "?" : "."}`;
}

/** "Portarsi un maglione" is what the reader does. */
const reflexive = (text: string, reader: Reader): string =>
  text.replace(
    pattern("^((?:non )?\\p{L}+[aei]r)si(?!\\p{L})"),
    (_, verb: string) => verb + you(reader, "si", "ti", "vi"),
  );

const you = (reader: Reader, lei: string, tu: string, voi: string): string =>
  reader.several ? voi : reader.formal ? lei : tu;
const SEND = pattern(
  `\\b${oneOf("copia fattura ricevuta lista elenco indirizzo foto immagini slide contratto rapporto relazione link file numero preventivo agenda versione documenti documento conferma menù menu ricetta programma orario mappa certificato modulo verbale offerta dettagli dati biglietti ordine_del_giorno bozza")}\\b`,
);

function have(what: string, could: string): string {
  if (SEND.test(what)) return asked(`${could} mandarmi ${what}`);
  return pattern("^(?:un['’]|uno?|una|dei|delle|altr[oaie]|più|\\d+)(?![\\p{L}])").test(what)
    ? asked(`Sarebbe possibile avere ${what}`)
    : asked(`${could} indicarmi ${what}`);
}

function render({ kind, text }: Act, reader: Reader): string | null {
  const said = bare(text);
  const could = you(reader, "Potrebbe", "Potresti", "Potreste");
  switch (kind) {
    case "tell":
    case "that": {
      const what = said.replace(pattern("^che "), "").replace(pattern("(,? (?:e|ma|però|o)|,) che ", "gu"), "$1 ");
      return pattern("^(?:sì|si|no)$").test(what) || !(VERB.test(what) || /^che /iu.test(said))
        ? plain(what, reader)
        : `${toReader(what, reader, "able")}.`;
    }
    case "complain":
      return `Purtroppo ${toReader(said.replace(pattern("^che "), ""), reader, "able")}.`;
    case "glad":
      return `Posso volentieri ${toReader(said, reader, "able")}.`;
    case "may":
      return asked(`Potrei ${toReader(said, reader, "able")}`);
    case "whether":
      return asked(toReader(said, reader, "always").replace(pattern(" e se ", "gu"), " e "));
    case "which":
      return asked(toReader(said.replace(pattern("^quello che "), "che cosa "), reader, "always"));
    case "do":
      if (pattern("^(?:di )?non ").test(said))
        return `${you(reader, "La", "Ti", "Vi")} prego di ${reflexive(toReader(said.replace(pattern("^di "), ""), reader, "able"), reader)}.`;
      return asked(
        `${could} ${reflexive(toReader(said.replace(pattern("^(?:di |d['’])"), ""), reader, "able"), reader).replace(pattern(" e (?:di |d['’])", "gu"), " e ")}`,
      );
    case "have":
      return have(withArticle(toReader(said, reader, "able"), "it"), could);
    case "about":
      return asked(
        `${could} dirmi qualcosa di più su ${toReader(said, reader, "able")}`.replace(
          pattern(" su (il|lo|la|i|gli|le) ", "gu"),
          (_, word: string) =>
            ` ${{ il: "sul", lo: "sullo", la: "sulla", i: "sui", gli: "sugli", le: "sulle" }[word.toLowerCase()]} `,
        ),
      );
    case "thank": {
      const what = toReader(said, reader, "able");
      return what === "" ? "Grazie mille." : `Grazie ${what.replace(pattern("^(?!per|di|d['’]|del)"), "per ")}.`;
    }
    case "accept": {
      const what = toReader(said, reader, "able");
      if (what === "") return "Sì, va bene.";
      if (/invito/u.test(what)) return `Grazie per ${what}, vengo volentieri.`;
      if (TIME.test(what) && !/preventivo|offerta|proposta|prezzo/u.test(what))
        return `${what.replace(pattern("^(?:per|a) "), "")} va bene per me.`;
      return `Accetto volentieri ${what}.`;
    }
    case "decline": {
      const what = toReader(said, reader, "able");
      const because = pattern("\\b(?:perché|poiché|dato che|siccome)(?![\\p{L}]).*$", "isu").exec(what)?.[0] ?? "";
      const thing = bare(what.replace(because, ""));
      if (thing === "") return `Purtroppo questa volta devo rinunciare${because ? ` ${because}` : ""}.`;
      if (/invito|offerta|proposta/u.test(thing))
        return `Grazie per ${thing}. Purtroppo questa volta devo rinunciare${because ? ` ${because}` : ""}.`;
      return TIME.test(thing)
        ? `Purtroppo ${thing} non mi va bene${because ? ` ${because}` : ""}.`
        : `Purtroppo devo rifiutare ${thing}${because ? ` ${because}` : ""}.`;
    }
    case "confirm":
      return said === "" ? "Confermo." : `Confermo ${withArticle(toReader(said, reader, "able"), "it")}.`;
    case "propose": {
      const what = toReader(said, reader, "able");
      if (what === "") return null;
      if (pattern("^(?:di |d['’]|che )").test(what)) return `Propongo ${what}.`;
      return asked(`${you(reader, "Le", "Ti", "Vi")} andrebbe bene ${what}`);
    }
    case "sorry": {
      if (said === "") return you(reader, "Mi scusi.", "Scusami.", "Scusatemi.");
      const what = toReader(said, reader, "able");
      return `${you(reader, "Mi scusi", "Scusami", "Scusatemi")} ${what.replace(pattern("^(?!per|di|d['’]|se|del)"), "per ")}.`;
    }
    case "sorryThat":
      return `Mi dispiace che ${toReader(said, reader, "able")}.`;
    case "congratulate":
      return said === ""
        ? "Congratulazioni!"
        : `Congratulazioni ${toReader(said, reader, "able").replace(pattern("^(?!per)"), "per ")}!`;
    case "wish":
      return pattern("compleanno").test(said)
        ? "Buon compleanno!"
        : `${you(reader, "Le", "Ti", "Vi")} auguro ${toReader(said, reader, "able")}.`;
    case "invite":
      return `${you(reader, "Vorrei invitarLa", "Vorrei invitarti", "Vorrei invitarvi")} ${toReader(said, reader, "able")}.`;
    case "will":
      return null;
    case "manner":
      return "";
    case "vague":
      return null;
  }
}

const TELL = `(?:(?:dil|digl|dì|di['’]|dic[ai]|dire|dir)(?:le|li|i)?|dirgli|dirle|avvisarlo|avvisarla|avvertirlo|avvertirla|avvertire|far presente|fare presente|segnalare|far notare|sottolineare|di(?= (?:alla|al|ai|agli) )|informarlo|informarla|precisare|spiegargli|spiegarle|ricordargli|ricordarle|rispondi|rispondigli|rispondile|rispondere|rispondergli|risponderle|scrivi|scrivigli|scrivile|scrivere|spiega|spiegagli|spiegale|spiegare|avvisa|avvisalo|avvisala|avvisare|comunica|comunicagli|comunicare|informa|informalo|informala|informare|ricorda|ricordagli|ricordale|ricordare|aggiungi|fagli sapere|falle sapere|far sapere|rassicuralo|rassicurala|dille|digli|di' loro|promettigli|promettile)`;
const VERBS = `(?:${TELL}|chiedi|chiedigli|chiedile|chieda|chiedere|chiedergli|chiederle|domanda|domandagli|domandale|ringrazia|ringrazialo|ringraziala|ringraziali|ringraziare|ringraziarlo|ringraziarla|accetta|accettare|rifiuta|rifiutare|declina|declinare|conferma|confermagli|confermale|confermare|proponi|proponigli|proponile|proporre|suggerisci|suggerire|scusati|scusarsi|scusarmi|congratulati|augura|auguragli|augurale|invita|invitalo|invitala|offri|offrigli|offrile)`;

/** Italian instructions and sentences. */
export const italian: Grammar = {
  words:
    "il che di e gli una per non sono con della si questo ho anche ci del nel più alla grazie come vi suo dille digli chiedi chiedile chiedigli se ringrazia ringraziala ringrazialo accetta rifiuta conferma proponi scusati è la lo un",
  again: pattern(
    `,? (?:e|o) (?:(?<do>di )(?=\\p{L}+r(?:e|mi|ci|lo|la|gli|le)(?![\\p{L}]))|(?<whether>se)|(?<which>${WH})) `,
  ),
  reader: pattern(
    "(?:\\b(?:(?<m>digli|chiedigli|ringrazialo|avvisalo|informalo|invitalo|rispondigli|scrivigli|ricordagli|proponigli|congratulati con lui)|(?<f>dille|chiedile|ringraziala|avvisala|informala|invitala|rispondile|scrivile|ricordale|proponile)|(?<p>ringraziali|di' loro|chiedi loro)))(?![\\p{L}])",
  ),
  split: pattern(
    `(?:\\s*[,;]\\s*(?:e |poi |ma |anche )*|\\s+(?:e|poi|ma)\\s+)(?:anche |poi |inoltre )?(?=${VERBS}(?![\\p{L}'’])|di['’] che)`,
  ),
  statement: pattern(
    "(?:\\s*[,;:–—]\\s*|\\s-\\s)(?:ma |e )?(?=(?:io|noi|non|sono|siamo|ho|abbiamo|è|c['’]è|mi|ci|il mio|la mia|devo|dobbiamo|posso|possiamo|lavoro|quella|quel|vado|parto)(?![\\p{L}])|VERB)".replace(
      "VERB",
      `(?:non )?(?:${VERB.source})`,
    ),
  ),
  acts: [
    [
      act(
        "(?:sii|sia|resta|essere|con tono)\\s+(?:molto )?(?:breve|cortese|gentile|formale|informale|cordiale|conciso)(?:\\s.*)?$",
      ),
      "manner",
    ],
    [act("in (?:italiano|inglese|tedesco|francese)$"), "manner"],
    [
      act(`(?:rifiuta|rifiutare|declina|declinare)(?: (?:gentilmente|cortesemente|educatamente))?(?: (?=\\S)|${END})`),
      "decline",
    ],
    [act(`(?:${TELL})${TO} (?:di|che) no${END}`), "decline"],
    [act(`(?:accetta|accettare)(?: (?=\\S)|${END})`), "accept"],
    [act(`(?:${TELL})${TO} (?:di|che) sì(?: (?:a|per) (?=\\S)|${END})`), "accept"],
    [
      act(
        `${TELL}${TO} (?:perché|qualcosa|del|della|dello|dei|sul|sulla|(?:il|la|lo|i|le|gli) (?:nostr[oaie] |mi[oa] )?\\p{L}+$|l['’]\\p{L}+$).*$`,
      ),
      "vague",
    ],
    [act(`${TELL}${TO} (?=che(?![\\p{L}]))`), "tell"],
    [act(`(?:chied|domand)\\p{L}+${TO} se (?=\\S)`), "whether"],
    [act(`(?:chied|domand)\\p{L}+${TO} (?=${WH}(?![\\p{L}]))`), "which"],
    [act(`chied\\p{L}+${TO} di (?=(?:ricevere|avere|poter|vedere|parlare|incontrare)\\b)`), "may"],
    [
      act(
        `(?:chied\\p{L}+|ricord\\p{L}+|digli|dille|dirgli|dirle|di['’] loro)${TO} (?:di |(?=d['’]))(?=(?:non )?\\p{L}+r(?:e|mi|ci|lo|la|ne|melo|mela|si|gli|le)?(?![\\p{L}]))`,
      ),
      "do",
    ],
    [act(`(?:chied|domand)\\p{L}+${TO} (?:informazioni su|del|della|dei|delle) (?=\\S)`), "vague"],
    [act(`chied\\p{L}+ scusa${TO}(?: (?=per|di|del|se)|${END})`), "sorry"],
    [act(`(?:chied|domand)\\p{L}+${TO} (?=\\S)`), "have"],
    [
      act(`ringrazia\\p{L}*${TO}(?: (?:molto|tanto|ancora))?(?: (?=per(?![\\p{L}])|di(?![\\p{L}])|del|d['’])|${END})`),
      "thank",
    ],
    [
      act(`(?:scusati|scusarsi|scusarmi|scusarci|si scusi|chiedi scusa)(?: con \\p{L}+)?(?: (?=per|di|del|se)|${END})`),
      "sorry",
    ],
    [act(`conferma(?:re|gli|le|rgli|rle)?${TO}(?: (?=\\S)|${END})`), "confirm"],
    [act(`(?:propon\\p{L}*|proporre|sugger\\p{L}+|offri(?:gli|le)?)${TO} (?=\\S)`), "propose"],
    [act(`congratula\\p{L}+(?: con (?:lui|lei|loro|${NAME}))?(?: (?=\\S)|${END})`), "congratulate"],
    [act(`augura\\p{L}*${TO} (?=\\S)`), "wish"],
    [act(`invita\\p{L}*${TO} (?=a|al|alla|per)`), "invite"],
    [act(`${TELL}${TO}:? (?=\\S)`), "tell"],
  ],
  render,
  plain,
  address: (text, reader) => toReader(text, reader, "always"),
};
