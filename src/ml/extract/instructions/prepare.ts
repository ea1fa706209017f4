import { oneOf, pattern, table } from "./act.ts";

/** What people write or dictate around instructions, in one language. */
interface Habits {
  /** Words of speech that mean nothing. */
  fillers: string;
  /** Requests to the program, before what the draft says: each with what stays of it. */
  preambles: readonly (readonly [RegExp, string])[];
  /** Short and misspelled words, as "from:to". */
  words: string;
  /** Verbs of instructions, to recognize them misspelled. */
  verbs: string;
  /** Words between two instructions. */
  and: string;
}

const HABITS: Readonly<Record<string, Habits>> = {
  en: {
    fillers:
      "hey|hi|yeah so|yeah well|yep so|right so|and uh|and um|um|uh|erm|hmm|okay so|ok so|oh and|oh|well|so|you know|right",
    preambles: [
      [
        /^(?:(?:can|could|would|will) you (?:please |just |maybe )*|please |just |i(?:'d| would) like you to |i want you to |i need you to )(?=(?:tell|ask|say|write|reply|answer|thank|let|confirm|decline|accept|apologi[sz]e|congratulate|remind|inform)\b)/iu,
        "",
      ],
      [
        /^(?:write|reply|answer|respond|email|message|text)(?: back)?(?: to)?(?: (?:him|her|them|\p{Lu}\p{L}+))?(?: back)?,? (?:and |to )?(?:say(?:ing)?|tell(?:ing)? (?:him|her|them))(?: that)? /iu,
        "say that ",
      ],
      [/^(?:write|reply|answer|respond)(?: back)? that /iu, "say that "],
      [
        /^(?:write|reply|answer)(?: back)?(?: to)? (him|her|them) (?:a (?:short |quick |nice )?(?:mail|email|note|reply|message) )?(?:saying |that says )?that /iu,
        "tell $1 that ",
      ],
      [/^say (?:that )?(?=(?:congrat|thanks\b|thank\b|sorry\b|happy birthday))/iu, ""],
    ],
    words:
      "pls:please plz:please thx:thanks thanx:thanks ty:thanks u:you ur:your wether:whether wheter:whether teh:the adn:and taht:that becuase:because recieve:receive recieved:received tommorow:tomorrow tomorow:tomorrow tmrw:tomorrow invoce:invoice dont:don't cant:can't wont:won't didnt:didn't isnt:isn't doesnt:doesn't wouldnt:wouldn't couldnt:couldn't im:I'm ive:I've i'm:I'm i've:I've i'll:I'll i'd:I'd i:I mon:Monday tue:Tuesday tues:Tuesday weds:Wednesday thu:Thursday thur:Thursday thurs:Thursday fri:Friday monday:Monday tuesday:Tuesday wednesday:Wednesday thursday:Thursday thursay:Thursday friday:Friday saturday:Saturday sunday:Sunday january:January february:February april:April june:June july:July august:August september:September october:October november:November december:December appt:appointment mins:minutes congrats:congratulations apologies:sorry",
    verbs:
      "recommend tell ask say thank confirm apologise apologize decline accept suggest propose mention explain request remind invite congratulate offer please inform",
    and: "and|then|but|also",
  },
  de: {
    fillers: "ähm?|äh|hm|also|naja|na ja|okay also|ach ja|ach und|und ja|so",
    preambles: [
      [
        /^(?:(?:kannst|könntest|würdest) du |bitte )(?=(?:(?:bitte |mal )*(?:ihm|ihr|ihnen|(?-i:\p{Lu})\p{L}+|der|dem) ).{0,30}?(?:sagen|schreiben|mitteilen|ausrichten|antworten|fragen)\b)/iu,
        "",
      ],
      [/^ich (?:möchte|will) (?=(?:ihm|ihr|ihnen) (?:sagen|mitteilen|schreiben),? dass)/iu, ""],
      [
        /^(?:schreibe?|antworte?)( (?:ihm|ihr|ihnen))?(?: bitte| doch| mal| kurz)*(?: (?:zurück|eine (?:kurze )?(?:mail|antwort|nachricht)))?,? dass /iu,
        "sag$1, dass ",
      ],
      [/^sage?(?: (?:ihm|ihr|ihnen))? (?=(?:danke|vielen dank|sorry)\b)/iu, ""],
    ],
    words:
      "montag:Montag dienstag:Dienstag mittwoch:Mittwoch donnerstag:Donnerstag freitag:Freitag samstag:Samstag sonntag:Sonntag januar:Januar februar:Februar märz:März april:April juni:Juni juli:Juli august:August september:September oktober:Oktober november:November dezember:Dezember uhr:Uhr nix:nichts mfg:MfG vllt:vielleicht evtl:eventuell daß:dass fuer:für koennen:können koennte:könnte moechte:möchte waere:wäre haette:hätte naechste:nächste naechsten:nächsten rechnung:Rechnung termin:Termin angebot:Angebot rabatt:Rabatt preis:Preis woche:Woche urlaub:Urlaub bestätigung:Bestätigung vertrag:Vertrag adresse:Adresse treffen:treffen einladung:Einladung",
    verbs:
      "schreib schreibe bedanken bestätigen bestätige entschuldigen vorschlagen absagen zusagen ablehnen annehmen fragen gratulieren antworte bitten teile",
    and: "und|dann|aber|auch",
  },
  fr: {
    fillers: "euh|alors|ben|bon|donc|bah|ah oui|ah et|oui alors|voilà",
    preambles: [
      [
        /^(?:(?:peux|pourrais)-?\s?tu |tu peux |tu pourrais |(?:pouvez|pourriez)-vous )(?=(?:(?:lui|leur|la|le|les) )?(?:dire|demander|répondre|écrire|remercier|confirmer|féliciter|préciser|expliquer)\b)/iu,
        "",
      ],
      [
        /^(?:je (?:veux|voudrais|souhaite) (?:que tu (?:lui|leur) dises|(?:lui|leur) dire)|(?:réponds|écris|répondre|écrire)(?:[- ](?:lui|leur))?(?: un (?:petit )?(?:mot|mail))?(?: pour dire)?) (?=que |qu['’])/iu,
        "dire ",
      ],
      [/^(?:dis|dire)(?:-(?:lui|leur))? (?=(?:merci|désolée?|bravo|félicitations)\b)/iu, ""],
    ],
    words:
      "stp:s'il_te_plaît svp:s'il_vous_plaît rdv:rendez-vous qqch:quelque_chose qqn:quelqu'un pb:problème bcp:beaucoup tjs:toujours ds:dans pr:pour apres:après etre:être tres:très deja:déjà desole:désolé desolee:désolée merçi:merci we:week-end",
    verbs:
      "demande demander remercie remercier confirme confirmer accepte accepter refuse refuser propose proposer précise préciser explique expliquer répondre féliciter décliner",
    and: "et|puis|mais|aussi",
  },
  es: {
    fillers: "eh|pues|bueno|a ver|oye|este|mira|ah y|ah",
    preambles: [
      [
        /^(?:(?:puedes|podrías|puede|podría|quiero) )(?=(?:decir|preguntar|contestar|responder|escribir|pedir|agradecer|confirmar|avisar)(?:le|les)?\b)/iu,
        "",
      ],
      [/^(?:escribe|escríbe|responde|respónde|contesta|contésta)(?:le|les)? diciendo (?=que\b)/iu, "di "],
      [/^(?:di|dí|dile|diles|decir|decirle) (?=(?:gracias|perdón|enhorabuena)\b)/iu, ""],
      [/^(?:q|que) s[ií](?=$|[,.;!])/iu, "di que sí"],
      [/^(?:que no)(?=$|[,.;!])/iu, "di que no"],
    ],
    words:
      "q:que xq:porque pq:porque tb:también tmb:también xfa:por_favor porfa:por_favor sabado:sábado miercoles:miércoles manana:mañana tambien:también perdon:perdón dia:día dias:días aqui:aquí proximo:próximo proxima:próxima podria:podría envio:envío numero:número reunion:reunión confirmacion:confirmación direccion:dirección telefono:teléfono informacion:información despues:después mas:más estare:estaré llegare:llegaré ire:iré",
    verbs:
      "pregunta preguntar pregúntale preguntale agradece agradecer confirma confirmar acepta aceptar rechaza rechazar proponer disculparse responde contesta decir dile",
    and: "y|luego|pero|también",
  },
  it: {
    fillers: "ehm|eh|allora|dunque|beh|ah e|ah|senti|cioè",
    preambles: [
      [
        /^(?:(?:puoi|potresti|può|potrebbe|vorrei) )(?=(?:dir|chieder|risponder|scriver|ringraziar|confermar|avvisar)(?:gli|le|e|lo|la)\b)/iu,
        "",
      ],
      [/^(?:scrivi|scrivigli|scrivile|rispondi|rispondigli|rispondile) dicendo (?=che\b)/iu, "di' "],
      [/^(?:digli|dille|di['’]|dire) (?=(?:grazie|scusa|complimenti|congratulazioni)\b)/iu, ""],
    ],
    words:
      "nn:non cmq:comunque xké:perché xke:perché perche:perché più:più piu:più puo:può lunedi:lunedì martedi:martedì mercoledi:mercoledì giovedi:giovedì venerdi:venerdì sara:sarà verra:verrà pero:però gia:già cosi:così qlcs:qualcosa tt:tutto x:per",
    verbs:
      "chiedi chiedere chiedile chiedigli ringrazia ringraziare conferma confermare accetta accettare rifiuta rifiutare proporre proponi rispondi scusarmi scusarsi",
    and: "e|poi|ma|anche",
  },
  pt: {
    fillers: "hum|ah|olha|então|bem|pronto|ah e|tipo",
    preambles: [
      [
        /^(?:(?:podes|podias|pode|poderia|quero) )(?=(?:dizer|perguntar|responder|escrever|agradecer|confirmar|pedir|avisar)(?:-lhes?)?(?!\p{L}))/iu,
        "",
      ],
      [/^(?:escreve|responde)(?:-lhes?)? a dizer (?=que )/iu, "diz "],
      [/^(?:diz|diga|dizer)(?:-lhes?)? (?=(?:obrigad[oa]|desculpa|parabéns)(?!\p{L}))/iu, ""],
      [/^que sim(?=$|[,.;!])/iu, "diz que sim"],
      [/^que não(?=$|[,.;!])/iu, "diz que não"],
    ],
    words:
      "q:que pq:porque tb:também tbm:também vc:você nao:não amanha:amanhã sabado:sábado terca:terça tambem:também voce:você ate:até possivel:possível reuniao:reunião informacao:informação confirmacao:confirmação proxima:próxima proximo:próximo",
    verbs:
      "pergunta perguntar agradece agradecer confirma confirmar aceita aceitar recusa recusar propor pedir dizer sugerir",
    and: "e|depois|mas|também",
  },
  nl: {
    fillers: "eh|uhm?|nou|dus|oké dus|oh en|o ja|nou ja|even kijken",
    preambles: [
      [
        /^(?:(?:kun|kan|wil|zou) je )(?=(?:(?:hem|haar|hun|hen|(?-i:\p{Lu})\p{L}+) ).{0,30}?(?:zeggen|vragen|schrijven|laten weten|melden|vertellen|antwoorden|bedanken)\b)/iu,
        "",
      ],
      [/^(?:schrijf|antwoord|mail)( (?:hem|haar|hun))?(?: even| maar| terug| kort)*,? dat /iu, "zeg$1 dat "],
      [/^(?:zeg|zeggen)(?: (?:hem|haar|hun|maar))? (?=(?:bedankt|sorry|gefeliciteerd)\b)/iu, ""],
    ],
    words:
      "aub:alstublieft ajb:alsjeblieft ma:maandag di:dinsdag wo:woensdag do:donderdag vr:vrijdag za:zaterdag zo:zondag mss:misschien ivm:in_verband_met evt:eventueel volgnde:volgende",
    verbs:
      "bedank bedanken vragen bevestig bevestigen accepteer accepteren voorstellen afzeggen feliciteer feliciteren zeggen schrijf weiger",
    and: "en|dan|maar|ook",
  },
};

/** Words that have another meaning inside a sentence, so that they are only read where a clause may start or alone. */
const RISKY = new Set("mon fri thu wo do di zo ma za vr we este more".split(" "));

const tables = new Map(Object.entries(HABITS).map(([code, { words }]) => [code, table(words)]));

/** German nouns that notes begin with a small letter, and that are no other words. */
const NOUN = new Set(
  "schlüssel nachbarin nachbar spaß stress urlaub kuchen geschenk rechnungen unterlagen bahnhof parkplatz handwerker wohnung auto fahrrad kinder eltern mutter vater arzt zeit geld uhrzeit büro projekt besprechung feier geburtstag wochenende abend vormittag nachmittag mittag monat jahr freunde grüße glück erfolg besserung tisch zimmer haus garten schule zug flug hotel tickets karten foto fotos datei vorschlag antwort hilfe problem fehler lieferung bestellung zahlung konto nummer karte hunger durst rezept preis".split(
    " ",
  ),
);
/** Parts of names that are also other words. */
const PARTICLE = /^(?:van|von|vom|der|den|del|della|dos|das|les|mac|the)$/u;
const capitalOf = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Returns how far two words are apart, as typing errors: 1 for one letter too many, too few, other or swapped; 2 for more. */
function typing(typed: string, word: string): number {
  if (typed === word) return 0;
  if (Math.abs(typed.length - word.length) > 1) return 2;
  let at = 0;
  while (at < typed.length && typed[at] === word[at]) at++;
  const [a, b] = [typed.slice(at), word.slice(at)];
  if (a.slice(1) === b || a === b.slice(1)) return 1;
  if (a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2)) return 1;
  return a.slice(1) === b.slice(1) && word.length >= 6 ? 1 : 2;
}

/** Returns the verb of instructions that a word at the start of a clause misspells, or the word. */
function spelled(word: string, verbs: readonly string[]): string {
  const low = word.toLowerCase();
  if (low.length < 3 || verbs.includes(low)) return word;
  const likely = verbs.filter(
    (verb) => verb[0] === low[0] && !verb.startsWith(low) && !low.startsWith(verb) && typing(low, verb) === 1,
  );
  return likely.length === 1 && !(low.slice(0, -1) === likely[0]!.slice(0, -1)) ? likely[0]! : word;
}

/** Verbs that need whom, or that would be read otherwise without it. */
const WITHOUT_WHOM = new Map([
  ["en tell", "say"],
  ["en inform", "say"],
  ["it di", "dire"],
]);
/** Whom an instruction names by a noun: "tell the landlord that". The verb stays. */
const TO_WHOM: Readonly<Record<string, RegExp>> = {
  en: /\b(tell|ask|inform) (?:the|my|our) \p{Ll}+(?= (?:that|if|whether|when|how|what|where)\b)/giu,
  de: /\b(sage?|schreibe?|antworte?|frage?|sagen|schreiben|fragen) (?:dem|der|den|die|meine[mrn]?|unsere[mrn]?) \p{L}+(?=,? (?:dass|ob|wann|wie|wo|was)\b)/giu,
  fr: /(?<!\p{L})(dis|dire|demande|demander|écris|écrire|réponds|répondre|rappelle|rappeler) (?:au|à (?:la|ma|mon|notre)|à l['’]) ?\p{Ll}+(?= (?:que |qu['’]|si |s['’]il|de |d['’]))/giu,
  es: /(?<!\p{L})(di|dile|decir|decirle|pregunta|pregúntale|preguntar|preguntarle|avisa|avisar|pide|pídele|pedir) (?:al|a (?:la|mi|nuestr[oa])) \p{Ll}+(?= (?:que|si|cuándo|dónde|cómo|qué)(?!\p{L}))/giu,
  it: /(?<!\p{L})(di['’]?|dire|chiedi|chiedere|scrivi|scrivere|rispondi|ricorda) (?:alla mia|al mio|alla|allo|al|ai|alle) \p{Ll}+(?= (?:che|se|di|quando|dove|come)(?!\p{L}))/giu,
  pt: /(?<!\p{L})(diz|dizer|pergunta|perguntar|pede|pedir|avisa|avisar) (?:ao meu|à minha|ao|à) \p{Ll}+(?= (?:que|se|para|quando|onde|como)(?!\p{L}))/giu,
  nl: /\b(zeg|vertel|schrijf|vraag|zeggen|vragen|schrijven)(?: tegen| aan)? (?:de|mijn|onze) \p{Ll}+(?= (?:dat|of|om|wanneer|hoe|waar)\b)/giu,
};

/**
 * Returns one sentence of instructions without words of speech, requests to the program, abbreviations and typing
 * errors. @param names of the reader, which can begin with a small letter in the instructions
 */
export function prepared(sentence: string, language: string, names: readonly string[]): string {
  const habits = HABITS[language];
  if (!habits) return sentence;
  const known = tables.get(language)!;
  const verbs = habits.verbs.split(" ");
  let text = sentence.trim().replace(/\s+/gu, " ");
  const filler = pattern(`^(?:(?:${habits.fillers})(?:\\b,?\\s+|(?=[,;])[,;]\\s*))+`);
  const strip = (clause: string) => clause.replace(filler, "");
  text = strip(text)
    .replace(pattern(`,? ?\\b(?:${language === "en" ? "um|uh|erm" : "ähm|öhm|euh|ehm|uhm"})\\b,?(?= |$)`, "giu"), "")
    .replace(pattern(`(?<=[,;] |\\b(?:${habits.and}) )(?:(?:${habits.fillers}),? )+(?=\\p{L})`, "giu"), "");
  // A comma that is often left out shows where a German clause begins.
  if (language === "de")
    text = text.replace(/(?<![,;]|und|oder|aber) (?=(?:weil|obwohl|sobald|falls|damit|sodass|wenn) \p{L})/gu, ", ");
  text = text.replace(/(?<![\p{L}\p{N}'’@./-])\p{L}[\p{L}'’]*(?![\p{L}\p{N}@]|\.\p{L})/gu, (word, at: number) => {
    const low = word.toLowerCase().replaceAll("’", "'");
    const to = known.get(low);
    if (to === undefined || (word !== low && word.length > 1 && /^\p{Lu}/u.test(to))) return word;
    if (RISKY.has(low)) {
      const next = text.slice(at + word.length);
      if (!/^(?:$|[.,;!?]| (?:\d|ochtend|middag|avond|om|at|or|and|en|of))/u.test(next)) return word;
      if (language === "nl" && !/(?:^|op |voor |, )$/u.test(text.slice(0, at))) return word;
    }
    return to.replaceAll("_", " ");
  });
  text = text.replace(pattern(`(?<=^|[,;.] |\\b(?:${habits.and}|please) )\\p{L}{3,}`, "giu"), (word) =>
    spelled(word, verbs),
  );
  text = text.replace(/\biban\b/gu, "IBAN");
  if (language === "de")
    text = text.replace(
      /\b(frage?|sage?|schreibe?|bitte|erinnere?)((?: (?:ihn|ihm|sie|ihr|ihnen|(?-i:\p{Lu})\p{L}+))?)(?: (?:mal|doch|noch|kurz|auch|bitte|gleich))+(?=,? (?:ob|dass|wann|wo|wie|was|wer)\b)/giu,
      "$1$2",
    );
  // "Wednesday fine but 7.30 better" are two notes.
  text = text.replace(
    /(?<=\b(?:ok|okay|fine|good|possible|works|passt|prima|vale|bien|bene|goed|lukt)) (?:but|aber|mais|pero|ma|mas|maar) (?=(?:\d|not |only |erst |nur |nicht |pas |seulement |solo |niet |alleen |lieber |better |plutôt |mejor |meglio |liever |nicht ))/giu,
    ", ",
  );
  if (language === "de")
    text = text
      .replace(/\b(?:um )?Entschuldigung bitten(?=$|,? (?:für|wegen|weil|dass)|[,;.])/u, "entschuldige dich")
      .replace(/(?<=\bentschuldige dich), weil /u, ", dass ");
  if (language === "en")
    text = text.replace(
      /\b(accept (?:[^,.;]+?)) (?:with (?:many |my )?(?:thanks|pleasure|gratitude)|gratefully|gladly)(?=$|[,.;])/u,
      "$1",
    );
  // "Bringe den Wagen, brauche einen anderen": the second note has the same subject.
  if (language === "de")
    text = text.replace(
      /(?<=[,;] )(?=(?:brauche|habe|komme|bin|muss|nehme|schicke|bringe|melde|warte|zahle) (?!ich\b|wir\b|er\b|sie\b|es\b)\p{L}[^,]*(?:$|[,;]))/gu,
      (_, at: number) => (/\b(?:weil|dass|wenn|ob|da|und)\b[^,;]*[,;] $/u.test(text.slice(0, at)) ? "" : "ich "),
    );
  if (language === "fr")
    text = text.replace(
      /(?<=^|[^,;]{4}), (?=qu['’](?:il|elle|ils|elles) (?!faut|y a|est|a )\p{L}+e(?:nt)? )/gu,
      ", dis-lui ",
    );
  if (language === "de")
    text = text.replace(/^((?:mit|zu) [^,;]+?) einverstanden(?=$|[,;.])/iu, "ich bin $1 einverstanden");
  if (language === "de")
    text = text.replace(/\bsage? (ihm|ihr|ihnen) (?:\p{L}+en |tausend )?Dank (?=für\b)/giu, "danke $1 ");
  if (language === "nl") text = text.replace(/\b(stel [^,.;]+?) voor ((?:bij|op|in|om|aan) [^,.;]+)/u, "$1 $2 voor");
  if (language === "de")
    text = text.replace(/\b(schlag [^,.;]+?) vor ((?:am|im|bei|beim|um|in|auf) [^,.;]+)/u, "$1 $2 vor");
  if (language === "en")
    text = text.replace(
      /(?:^|,? )(?:(?:but|and|just|only) )*(?:one|two|three|a few|a couple of|some) (?:more |small |minor |little )?(?:things?|changes?|corrections?|points?): (?=\p{Ll}+ )/u,
      ", ask him to ",
    );
  if (language === "en")
    text = text.replace(/,? (?:but |and )?you (?:can|could|may) (?:also )?(?=(?:say|tell|ask|mention)\b)/giu, ", ");
  if (language === "en")
    text = text.replace(/\b(ask(?: \p{L}+)?) weather (?=(?:I|we|he|she|they|it|there|you)\b)/giu, "$1 whether ");
  if (language === "de")
    text = text.replace(/(?<![\p{L}-])\p{Ll}{4,}(?![\p{L}-])/gu, (word) =>
      NOUN.has(word) || /^\p{L}{3,}(?:ung|ungen|heit|keit|schaft|tion)$/u.test(word) ? capitalOf(word) : word,
    );
  for (const name of names) {
    if (name.length > 2 && !PARTICLE.test(name))
      text = text.replace(pattern(`(?<=\\p{L} )${oneOf(name)}(?=$|[^\\p{L}])`, "gu"), (word) =>
        /^\p{Ll}/u.test(word) ? word.charAt(0).toUpperCase() + word.slice(1) : word,
      );
  }
  const whom = TO_WHOM[language];
  if (whom)
    text = text.replace(whom, (_, verb: string) => WITHOUT_WHOM.get(`${language} ${verb.toLowerCase()}`) ?? verb);
  for (const [form, rest] of habits.preambles) text = text.replace(form, rest);
  return strip(text);
}
