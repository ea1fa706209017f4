import { type Act, asked, bare, type Grammar, oneOf, pattern, type Reader } from "./act.ts";
import { withArticle } from "./articles.ts";
import { isFiniteVerb, mainClause, question, SUBJECT, toReader, youOf } from "./dutch-clauses.ts";

const NAME = "(?:mevrouw |meneer |de heer )?(?-i:\\p{Lu})[\\p{L}'’-]+";
const OBJ = `(?:hem|haar|hun|hen|ze|iedereen|${NAME})`;
const P = "^(?:(?:en|dan|ook|graag|verder|aub|alsjeblieft|beleefd|vriendelijk|nog|even) )*";
const act = (source: string) => pattern(P + source);
const END = "(?=\\s*$|\\s*[.,;:!–-])";
const WH =
  "(?:wanneer|waar|waarom|waarheen|hoe(?: laat| lang| vaak| duur)?|hoeveel|wat|wie|welke?|vanaf wanneer|tot wanneer|op welke|in welke|met wie|voor wanneer|voor hoeveel)";

const VERB = pattern(
  "\\b(?:ben|bent|is|zijn|was|waren|heb|hebben|heeft|had|word|wordt|worden|kan|kunnen|kon|moet|moeten|wil|willen|zal|zullen|zou|mag|ga|gaat|gaan|kom|komt|komen|doe|blijf|blijft|vind|vinden|denk|hoop|stuur|sturen|breng|brengen|neem|nemen|bel|bellen|betaal|betalen|kost|kosten|duurt|begint|past|schikt|lukt|klopt|staat|ligt|werkt|werk|wacht|weet|weten|zie|zien|laat|dank|maak|geef|krijg|krijgen|verhuizen|reis|reizen|zit|zitten|bevalt|sluit|vertrek|vertrekt)\\b|\\b(?:ik|we|wij) \\p{Ll}+",
);
const TIME = pattern(
  "\\b(?:maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag|januari|februari|maart|april|mei|juni|juli|augustus|september|oktober|november|december|morgen|vandaag|overmorgen|week|uur|ochtend|middag|avond|datum|afspraak)\\b",
);

function plain(text: string, reader: Reader): string | null {
  let said = bare(text);
  const short = pattern("^(?:ja|nee|ok|oké|prima|graag|akkoord|natuurlijk)\\b").exec(said)?.[0];
  if (short && said.length === short.length)
    return /^nee/iu.test(short) ? "Helaas lukt dat niet." : "Ja, dat komt goed uit.";
  const rest = short ? bare(said.slice(short.length)) : said;
  if (!VERB.test(rest)) {
    if (short && !/^nee/iu.test(short) && TIME.test(rest)) return `Ja, ${rest} komt goed uit.`;
    return null;
  }
  if (pattern("^(?:ben|heb|kan|moet|wil|zal|kom|ga)\\b(?! (?:ik|je|u|we|jullie|hij|ze))").test(said))
    said = `ik ${said}`;
  return `${toReader(short ? `${short}, ${rest}` : said, reader, "next")}${/\?\s*$/.test(text) ? "?" : "."}`;
}

const TE = pattern("\\bte (?=\\p{Ll}+en\\b|doen\\b|gaan\\b|zijn\\b)", "gu");
const SEND = pattern(
  `\\b${oneOf("kopie factuur bon lijst adres foto's foto dia's contract rapport verslag link bestand bestanden nummer offerte agenda versie documenten? bevestiging recept rooster planning plattegrond notulen formulier bewijs gegevens tickets kaartjes")}\\b`,
);

function render({ kind, text }: Act, reader: Reader): string | null {
  const said = bare(text);
  const could = reader.formal ? "Zou u" : reader.several ? "Zouden jullie" : "Zou je";
  const please = reader.formal ? "Kunt u" : reader.several ? "Kunnen jullie" : "Kun je";
  const { object } = youOf(reader);
  const sub = () => toReader(said, reader, "last");
  switch (kind) {
    case "tell":
      return /^dat\s/u.test(said) ? render({ kind: "that", text: said.slice(4) }, reader) : plain(text, reader);
    case "that": {
      const what = toReader(said, reader, "last").replace(/,? en dat /gu, " en dat ");
      const main = mainClause(what);
      if (main !== null) return `${main}.`;
      return VERB.test(what)
        ? `Ik wilde ${reader.formal ? "u" : reader.several ? "jullie" : "je"} laten weten dat ${what}.`
        : null;
    }
    case "complain":
      return /^dat\s/u.test(said) ? render({ kind: "that", text: `helaas ${said.slice(4)}` }, reader) : null;
    case "glad":
      return `Ik kan graag ${sub().replace(TE, "")}.`;
    case "may":
      return asked(`Zou ik ${sub().replace(TE, "")} kunnen`.replace(/ kunnen$/u, " mogen"));
    case "whether":
      return question(sub(), "", reader);
    case "which": {
      const match = pattern(`^(${WH})\\s+(.+)$`, "isu").exec(said);
      if (!match) return null;
      let [, word, rest] = match as unknown as [string, string, string];
      if (/^(?:(?:op |in )?welke?|hoeveel|voor hoeveel)$/iu.test(word)) {
        const noun = /^(\p{Ll}+)\s+(.+)$/su.exec(rest);
        if (noun && !SUBJECT.test(noun[1]!) && !isFiniteVerb(noun[1]) && !/^(?:de|het|een)$/u.test(noun[1]!))
          [word, rest] = [`${word} ${noun[1]}`, noun[2]!];
      }
      return question(toReader(rest, reader, "last"), word, reader);
    }
    case "do": {
      const what = sub()
        .replace(/^om (?!\d)/iu, "")
        .replace(TE, "");
      return asked(
        `${please} ${what}`.replace(pattern("^(\\p{L}+ \\p{L}+) ((?:me|mij|ons) )?"), (_, start, first = "") =>
          `${start} ${first}alsjeblieft `.replace("alsjeblieft", reader.formal ? "alstublieft" : "alsjeblieft"),
        ),
      );
    }
    case "have": {
      const what = withArticle(sub().replace(/^om /u, ""), "nl");
      return SEND.test(what)
        ? asked(`${could} ${/\bons\b/u.test(what) ? "ons" : "me"} ${what} kunnen sturen`)
        : asked(`Zou ik ${what} kunnen krijgen`);
    }
    case "about":
      return asked(
        `${reader.formal ? "Kunt u" : reader.several ? "Kunnen jullie" : "Kun je"} me meer vertellen over ${sub()}`,
      );
    case "thank":
      return said === ""
        ? "Hartelijk dank!"
        : `Bedankt ${sub()
            .replace(/^(?!voor|dat)/u, "voor ")
            .replace(/^dat /u, "dat ")}.`;
    case "accept": {
      const what = sub();
      if (what === "") return "Ja, dat komt goed uit.";
      if (/uitnodiging/u.test(what)) return `Bedankt voor ${what}, ik kom graag.`;
      if (TIME.test(what) && !/offerte|voorstel|aanbod/u.test(what))
        return `${what.replace(pattern("^(?:met|tegen|voor|op) "), "")} komt goed uit.`;
      return `Ik ga graag akkoord met ${what.replace(pattern("^(?:met|tegen) "), "")}.`;
    }
    case "decline": {
      const what = sub();
      if (what === "") return "Helaas moet ik deze keer afzeggen.";
      if (/^(?:omdat|want|aangezien)\b/u.test(what)) return `Helaas moet ik afzeggen, ${what}.`;
      if (/uitnodiging/u.test(what))
        return `Bedankt voor ${what.replace(/ (?:omdat|want) .*$/u, "")}. Helaas kan ik niet komen${/,? (?:omdat|want) .*$/u.exec(what)?.[0] ?? ""}.`;
      if (/offerte|aanbod|voorstel/u.test(what))
        return `Bedankt voor ${what.replace(/ (?:omdat|want) .*$/u, "")}. Helaas moet ik het afslaan${/,? (?:omdat|want) .*$/u.exec(what)?.[0] ?? ""}.`;
      return `Helaas moet ik ${what} afzeggen.`;
    }
    case "confirm":
      if (said === "") return "Dat bevestig ik graag.";
      if (/^dat\s/u.test(said)) return render({ kind: "that", text: said.slice(4) }, reader);
      return `Hierbij bevestig ik ${withArticle(sub(), "nl")}.`;
    case "propose": {
      const what = sub();
      if (what === "") return null;
      if (/^om \d/u.test(what)) return `Ik stel ${what.slice(3)} voor.`;
      if (/^om /u.test(what)) return `Ik stel voor ${what}.`;
      return `Ik stel ${what} voor.`.replace(/^Ik stel (.{60,}) voor\.$/u, "Mijn voorstel is $1.");
    }
    case "sorry":
      if (said === "") return "Mijn excuses.";
      return /^dat\s/u.test(said) ? `Sorry ${sub()}.` : `Mijn excuses ${sub().replace(/^(?!voor)/u, "voor ")}.`;
    case "sorryThat":
      return `Sorry dat ${sub()}.`;
    case "congratulate":
      return said === "" ? "Gefeliciteerd!" : `Gefeliciteerd ${sub().replace(/^voor/u, "met")}!`;
    case "wish":
      return `Ik wens ${object} ${sub()}.`;
    case "invite":
      return `Ik wil ${object} graag uitnodigen ${sub()}.`;
    case "will":
      return `Ik zal ${sub()}.`;
    case "manner":
      return "";
    case "vague":
      return null;
  }
}

const IMPERATIVES =
  "(?:zeg|vertel|schrijf|antwoord|vraag|bedank|laat|meld|accepteer|weiger|bevestig|stel|sla|wijs|bied|verontschuldig|feliciteer|wens|nodig|herinner|leg|informeer|ga akkoord|neem)";
const INFINITIVES =
  "(?:afzeggen|afslaan|weigeren|accepteren|aannemen|bevestigen|voorstellen|bedanken|vragen|toezeggen|excuses aanbieden|verontschuldigen|feliciteren|uitnodigen|akkoord gaan|melden|doorgeven|laten weten)";

/** Dutch instructions and sentences. */
export const dutch: Grammar = {
  words:
    "de het een en van ik niet dat je op te zijn met voor u aan om maar ook bij nog wordt deze naar uw zeg vraag bedank laat weten of haar hem hij ze ja we bevestig stel kan mijn is",
  again: pattern(`,? (?:en|of) (?:(?<whether>of)|(?<which>${WH})|dat) `),
  reader: pattern(
    "\\b(?:zeg|vertel|vraag|bedank|laat|antwoord|schrijf|wens|feliciteer|nodig|herinner|informeer|aan|stuur|bied) (?:(?<m>hem)|(?<f>haar)|(?<p>hun|hen|ze))\\b",
  ),
  split: pattern(
    `(?:\\s*[,;]\\s*(?:en |dan |maar |ook )*|\\s+(?:en|dan|maar)(?: dan| ook)?\\s+)(?=${IMPERATIVES}\\b(?! ik| we)|${INFINITIVES}(?:\\s*$|[,.;]| of\\b| voor\\b| om\\b)|(?<=[,;]\\s*)(?:(?!(?:ik|we|wij|het|hij|ze|dat|of|om)\\b)[\\p{L}\\d:'’-]+ ){1,6}${INFINITIVES}(?:\\s*$|[,.;])|(?:${OBJ} )?(?:zeggen|vragen|melden|laten weten)\\b)|(?<=\\b${INFINITIVES})(?:\\s*[,;]\\s*(?:en )?|\\s+en\\s+)(?!of\\b|dat\\b|${WH}\\b|omdat\\b)`,
  ),
  statement: pattern(
    "(?:\\s*[,;:–—]\\s*|\\s-\\s)(?:maar |en )?(?=(?:ik|we|wij|het|hij|zij|ze|dat|mijn|onze|helaas|ben|heb|er)\\b)",
  ),
  acts: [
    [
      act(
        "(?:houd het|hou het|wees|blijf|schrijf)\\s+(?:heel |erg )?(?:kort|beleefd|vriendelijk|formeel|bondig|zakelijk)(?:\\s.*)?$",
      ),
      "manner",
    ],
    [act("in het (?:nederlands|engels|duits|frans)$"), "manner"],
    [act(`(?:zeg|sla|wijs) (?<x>.*?)\\s*(?:beleefd |vriendelijk )?(?:af)${END}`), "decline"],
    [act(`(?:weiger|weigeren|bedank voor de eer)(?: (?:beleefd|vriendelijk))?(?: (?=\\S)|${END})`), "decline"],
    [
      act(
        `(?<x>(?:(?!\\b(?:dat|of|ik|we|wij|kan|kunnen|wil|willen|moet|moeten|zal|zullen|niet)\\b).)*?)\\s*(?:beleefd |vriendelijk )?(?:afzeggen|afslaan|afwijzen)${END}`,
      ),
      "decline",
    ],
    [act(`(?:afzeggen|afslaan|weigeren) (?=(?:want|omdat)\\b)`), "decline"],
    [act(`(?:zeg|antwoord)(?: ${OBJ})? nee${END}`), "decline"],
    [act(`(?:zeg|antwoord)(?: ${OBJ})? ja(?: (?:tegen|op|voor) (?=\\S)|${END})`), "accept"],
    [act(`(?:accepteer|accepteren|ga akkoord|akkoord gaan|zeg toe|toezeggen)(?: met)?(?: (?=\\S)|${END})`), "accept"],
    [act(`neem (?<x>.+?) (?:graag )?aan${END}`), "accept"],
    [act(`(?:leg|zeg|vertel|schrijf)(?: ${OBJ})? (?:uit )?(?:waarom|hoe|iets|over)\\b.*$`), "vague"],
    [
      act(
        `(?:zeg|vertel|schrijf|antwoord|meld|leg uit|beloof)(?: ${OBJ}| aan ${OBJ}| tegen ${OBJ})?(?: ook| graag| uit)?,? dat (?=\\S)`,
      ),
      "that",
    ],
    [act(`(?:laat|informeer)(?: ${OBJ})? (?:weten|dat)(?:,? dat)? (?=\\S)`), "that"],
    [act(`(?:leg(?: ${OBJ})? uit|herinner ${OBJ} eraan),? dat (?=\\S)`), "that"],
    [
      act(
        `(?:${OBJ} )?(?:ook )?(?:zeggen|vertellen|schrijven|melden|antwoorden|laten weten|uitleggen|doorgeven|vermelden|aangeven|meedelen|benadrukken|toevoegen),? dat (?=\\S)`,
      ),
      "that",
    ],
    [act(`(?:vraag|vragen)(?: aan)?(?: ${OBJ})?(?: ook| nog| even)?,? of (?=\\S)`), "whether"],
    [act(`(?:${OBJ} )?(?:vragen|informeren),? of (?=\\S)`), "whether"],
    [act(`(?:vraag|vragen|informeer)(?: aan)?(?: ${OBJ})?(?: ook| nog| even)?,? (?=${WH}\\b)`), "which"],
    [act(`(?:${OBJ} )(?:vragen),? (?=${WH}\\b)`), "which"],
    [
      act(
        `(?:vraag|vragen)(?: aan)?(?: ${OBJ})? (?:om |of ik )(?=.*\\b(?:te krijgen|te ontvangen|te mogen|mag \\p{Ll}+en))`,
      ),
      "may",
    ],
    [
      act(
        `(?:vraag|vragen|verzoek|herinner)(?: aan)?(?: ${OBJ})?(?: ook| nog| vriendelijk| eraan)? om (?=.*\\bte \\p{Ll}+)`,
      ),
      "do",
    ],
    [act(`(?:vraag|vragen)(?: aan)?(?: ${OBJ})?(?: ook| nog)? (?:om )(?=\\S)`), "have"],
    [act(`(?:om )(?<x>(?:(?! te ).)+?) vragen${END}`), "have"],
    [act(`(?:vraag|vragen|informeer)(?: ${OBJ})?(?: ook)? naar (?=\\S)`), "about"],
    [
      act(`(?:bedank|bedanken)(?: ${OBJ})?(?: hartelijk| vriendelijk| nogmaals)?(?: (?=voor\\b|dat\\b)|${END})`),
      "thank",
    ],
    [act(`(?:${OBJ} )?(?:hartelijk )?bedanken (?=voor)`), "thank"],
    [act(`(?<x>voor (?:(?!,).)+?) bedanken${END}`), "thank"],
    [
      act(`(?:bied|maak)(?: ${OBJ})? (?:mijn |onze )?(?:excuses|verontschuldigingen)(?: aan)?(?: (?=voor|dat)|${END})`),
      "sorry",
    ],
    [act(`(?:verontschuldig je|excuseer je|zeg sorry)(?: (?=voor|dat)|${END})`), "sorry"],
    [act(`(?:(?:mijn )?excuses aanbieden|me verontschuldigen|mij verontschuldigen)(?: (?=voor|dat)|${END})`), "sorry"],
    [act(`(?:bevestig|bevestigen)(?: (?=\\S)|${END})`), "confirm"],
    [
      act(`(?<x>(?:(?!\\b(?:of|ik|we|wij|kan|kunnen|wil|willen|moet|moeten|zal|zullen|niet)\\b).)+?) bevestigen${END}`),
      "confirm",
    ],
    [act(`stel (?:(?:hem|haar|hun) )?(?<x>.+?) voor${END}`), "propose"],
    [act(`stel (?:(?:hem|haar|hun) )?voor,? (?=om |dat )`), "propose"],
    [
      act(`(?<x>(?:(?!\\b(?:ik|we|wij|kan|kunnen|wil|willen|moet|moeten|zal|zullen|niet)\\b).)+?) voorstellen${END}`),
      "propose",
    ],
    [act(`(?:feliciteer|feliciteren)(?: ${OBJ})?(?: (?=\\S)|${END})`), "congratulate"],
    [act(`wens(?: ${OBJ}) (?=\\S)`), "wish"],
    [act(`nodig (?:${OBJ}) uit (?=\\S)`), "invite"],
    [act(`nodig (?:${OBJ}) (?<x>.+) uit${END}`), "invite"],
    [act(`(?:zeg|vertel|schrijf|antwoord)(?: ${OBJ})?[,:]? (?=\\S)`), "tell"],
  ],
  render,
  plain,
  address: (text, reader) => toReader(text, reader, "last").replace(TE, ""),
};
