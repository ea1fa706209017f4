import { type Act, asked, bare, type Grammar, oneOf, pattern, type Reader } from "./act.ts";
import { withArticle } from "./articles.ts";
import { toReader } from "./german-address.ts";
import { isFiniteVerb, mainClause, mayBeVerb, separated, TAIL, wordsOf } from "./german-clauses.ts";

const NAME = "(?:Frau |Herrn? |Familie )?(?-i:\\p{Lu})[\\p{L}'-]+";
const OBJ = `(?:ihm|ihr|ihnen|ihn|sie|dem Team|allen|${NAME})`;
const P = "^(?:(?:bitte|dann|auch|und|noch|kurz|außerdem|höflich|freundlich) )*";
const act = (source: string) => pattern(P + source);
const WH =
  "(?:wann|wo|wohin|woher|wie|was|wer|wen|wem|welche[rsnm]?|warum|wieso|weshalb|wie ?viele?|womit|wofür|ab wann|bis wann|um wie ?viel|in welche[mr]|an welche[mr]|zu welche[mr]|seit wann|mit wem|für wann|für wen)";
const END = "(?=\\s*$|\\s*[.,;:!–-])";

const SEND = pattern(
  `\\b${oneOf("\\p{L}*Kopien? \\p{L}*Rechnung(?:en)? \\p{L}*Liste Quittung Beleg \\p{L}*[Aa]dresse Fotos? Bilder Folien Vertrag \\p{L}*[Bb]ericht Link Datei(?:en)? \\p{L}*[Nn]ummer \\p{L}*[Aa]ngebot Kostenvoranschlag Agenda Tagesordnung Entwurf Version Unterlagen \\p{L}*[Bb]estätigung Rezept \\p{L}*[Pp]lan Protokoll Dokumente? Bescheinigung Formular Zeugnis \\p{L}*[Gg]utachten Zahlen Daten Tickets? Schlüssel")}\\b`,
);
const WORK_TIME = pattern(
  "\\b(?:(?:Mon|Diens|Donners|Frei|Sams|Sonn)tags?|Mittwochs?|Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember|Uhr|morgen|übermorgen|heute|Woche|Termin|Vormittag|Nachmittag|Abend|\\d{1,2}\\.(?:\\d{1,2}\\.)?)",
);
const VERB = pattern(
  "\\b(?:holt|hole|holen|heißt|heiße|heißen|bringt|nimmt|ruft|schickt|zahlt|zahle|fährt|braucht|meldet|wohnt|arbeitet|spielt|macht|mache|machen|sagt|findet|wartet|bekommt|bekomme|bekommen|hilft|helfe|helfen|sieht|bin|bist|ist|sind|war|waren|habe|hab|hat|haben|hatte|hatten|werde|wird|werden|wurde|kann|können|konnte|könnte|muss|müssen|musste|will|wollen|wollte|soll|sollen|sollte|darf|mag|möchte|würde|hätte|wäre|passt|geht|gilt|kommt|komme|kommen|bringe|bringen|freue|freuen|schicke|schicken|nehme|nehmen|brauche|brauchen|melde|melden|kostet|kosten|steht|liegt|gibt|finde|finden|klappt|reicht|bleibt|bleiben|fahre|fahren|rufe|rufen|warte|warten|weiß|wissen|danke|gefällt|gefallen|fehlt|fehlen|dauert|beginnt|endet|läuft|funktioniert|enthält|zahle|zahlen|lassen|denke|denken|hoffe|hoffen|glaube|arbeite|arbeiten|wohne|trifft|treffen|holt|hole|holen|stimmt|stimme|stimmen|sehe|sehen|gehe|gehen|gehört|wünsche|wünschen|halte|halten|lege|stelle|mache|machen|schaffe|schaffen|folgt|folgen|lasse|bestätige|nenne|erreiche|erreichen)\\b|\\b(?:ich|wir) \\p{Ll}+|\\p{Ll}+(?:e|en) (?:ich|wir)\\b",
);

function plain(text: string, reader: Reader): string | null {
  // A pronoun at the start can mean the reader.
  let said = bare(text).replace(/^(?:Er|Sie|Ihr|Ihm|Ihn)(?= )/u, (word) => word.toLowerCase());
  const short = pattern("^(?:ja|nein|ok|okay|klar|gerne?|passt|einverstanden|perfekt|super)\\b").exec(said)?.[0];
  if (short && said.length === short.length)
    return /^nein/iu.test(short) ? "leider geht das nicht." : "ja, das passt mir gut.";
  const rest = short ? bare(said.slice(short.length)) : said;
  if (!VERB.test(said)) {
    if (short && WORK_TIME.test(rest)) return /^nein/iu.test(short) ? null : `ja, ${rest} passt mir gut.`;
    if (/^(?:bin|war|habe|kann|muss)\b/iu.test(said)) said = `ich ${said}`;
    else return null;
  } else if (
    pattern("^(?:bin|war|habe|kann|muss|komme|bringe|schicke|melde|brauche|werde|möchte|freue)\\b").test(said) &&
    !pattern("\\b(?:ich|wir|du|sie|er|es)\\b").test(said.slice(0, 20))
  ) {
    said = `ich ${said.charAt(0).toLowerCase()}${said.slice(1)}`;
  }
  return `${toReader(said, reader, "next")}${/\?\s*$/.test(text) ? "?" : "."}`;
}

const you = (reader: Reader, formal: string, du: string, ihr: string): string =>
  reader.formal ? formal : reader.several ? ihr : du;

function question(sub: string, word: string, reader: Reader): string {
  const cut = TAIL.exec(sub)?.index ?? sub.length;
  const [head, tail] = [sub.slice(0, cut), sub.slice(cut)];
  const words = wordsOf(head);
  const last = words.at(-1);
  const several = head.split(/\s+und\s+/u);
  const joined = several.length > 1 && several.slice(0, -1).some((part) => mayBeVerb(wordsOf(part).at(-1)));
  if (mayBeVerb(last) && !head.includes(",") && !joined) {
    const [verb, prefix] = isFiniteVerb(last) ? [last, ""] : (separated(last) ?? [last, ""]);
    return asked(`${word ? `${word} ` : ""}${[verb, ...words.slice(0, -1), prefix].filter(Boolean).join(" ")}${tail}`);
  }
  return asked(
    `${you(reader, "können Sie mir sagen", "kannst du mir sagen", "könnt ihr mir sagen")}, ${word || "ob"} ${sub}`,
  );
}

const withoutZu = (text: string): string =>
  text
    .replace(pattern("\\bzu (\\p{Ll}+(?:en|ern|eln|tun))\\b", "gu"), "$1")
    .replace(
      pattern(
        "\\b((?:ab|an|auf|aus|bei|ein|fest|her|hin|los|mit|nach|vor|weg|zurück|zusammen|weiter|vorbei|um|zu|bereit|teil|durch|über|frei|bekannt)?)zu(\\p{Ll}+(?:en|ern|eln))\\b",
        "gu",
      ),
      (whole, prefix, verb) => (prefix ? prefix + verb : whole),
    );

function render({ kind, text }: Act, reader: Reader): string | null {
  const said = bare(text);
  switch (kind) {
    case "tell":
      return /^dass\b/u.test(said)
        ? render({ kind: "that", text: said.replace(/^dass\s+/u, "") }, reader)
        : plain(text, reader);
    case "that": {
      const sub = toReader(said.replace(/,? und dass /gu, " und dass "), reader, "last");
      const main = mainClause(sub);
      if (main !== null) return `${main.replace(/^das /u, "das ")}.`;
      return mayBeVerb(wordsOf(sub.slice(0, TAIL.exec(sub)?.index)).at(-1)) || sub.includes(",")
        ? `ich möchte ${you(reader, "Ihnen", "dir", "euch")} sagen, dass ${sub}.`
        : plain(said, reader);
    }
    case "complain":
      return /^dass\b/u.test(said)
        ? `leider muss ich mich beschweren: ${render({ kind: "that", text: said.slice(5) }, reader)}`
        : `leider muss ich mich ${toReader(said, reader, "last")} beschweren.`;
    case "glad":
      return `ich kann gerne ${withoutZu(toReader(said, reader, "last"))}.`;
    case "may":
      return asked(`könnte ich bitte ${withoutZu(toReader(said, reader, "last"))}`);
    case "whether":
      return question(toReader(said, reader, "last"), "", reader);
    case "which": {
      const match = pattern(`^(${WH}(?: (?:lange|oft|teuer|viele?|weit|groß|hoch|spät|genau))?)\\s+(.+)$`, "isu").exec(
        said,
      );
      if (!match) return null;
      let [, word, rest] = match as unknown as [string, string, string];
      if (/^(?:welche|wie ?viele?$|was für)/iu.test(word)) {
        const noun = /^((?:\p{Ll}+ )?\p{Lu}[\p{L}-]*)\s+(.+)$/su.exec(rest);
        if (noun) [word, rest] = [`${word} ${noun[1]}`, noun[2]!];
      }
      return question(
        toReader(rest, reader, "last"),
        word.toLowerCase() === word ? word : word.charAt(0).toLowerCase() + word.slice(1),
        reader,
      );
    }
    case "do": {
      const what = withoutZu(toReader(said, reader, "last")).replace(
        pattern("^sich (?=(\\p{Ll}*))"),
        (_, next: string) =>
          reader.formal
            ? "sich "
            : reader.several
              ? "euch "
              : /^(?:die|das|den|eine?n?|keine?n?|etwas)$/u.test(next)
                ? "dir "
                : "dich ",
      );
      const first = pattern("^(?:(?:mir|uns|mich|es|ihn|sie|sich|dich|dir|euch|das)\\b\\s*)+").exec(what)?.[0] ?? "";
      return asked(
        `${you(reader, "könnten Sie", "könntest du", "könntet ihr")} ${first.trim()} bitte ${what.slice(first.length)}`.replace(
          /\s+/g,
          " ",
        ),
      );
    }
    case "have": {
      const what = withIndefinite(withArticle(toReader(said, reader, "last"), "de"));
      if (SEND.test(what) && !what.includes(","))
        return asked(
          `${you(reader, "könnten Sie", "könntest du", "könntet ihr")} ${/\b(?:uns|wir)\b/u.test(what) ? "uns" : "mir"} bitte ${what} schicken`,
        );
      const [thing, ...why] = what.split(/(?=,)/u);
      return `ich möchte ${you(reader, "Sie", "dich", "euch")} um ${thing} bitten${why.join("")}.`;
    }
    case "about":
      return asked(`wie sieht es mit ${dativeOf(withArticle(toReader(said, reader, "last"), "de"))} aus`);
    case "thank": {
      if (said === "") return "vielen Dank!";
      const what = toReader(said.replace(/^für\s+/iu, ""), reader, "last");
      return /^dass\b/u.test(what) ? `vielen Dank, ${what}.` : `vielen Dank für ${what}.`;
    }
    case "accept": {
      const what = toReader(said, reader, "last");
      if (what === "") return "ja, das passt mir gut.";
      if (/Einladung/u.test(what)) return `vielen Dank für ${what}, ich komme gerne.`;
      if (WORK_TIME.test(what) && !/Angebot|Vorschlag|Preis/u.test(what))
        return `${what.replace(/^(?:den|zum|zu|für) (?=\p{L}+tag|\p{L}+woch|Termin)/iu, "der ")} passt mir gut.`;
      return `${/Angebot|Vorschlag|Preis|Vertrag|Bedingung/u.test(what) ? "" : "ja, "}ich nehme ${what} gerne an.`;
    }
    case "decline": {
      const what = withArticle(toReader(said, reader, "last"), "de");
      if (what === "") return "leider muss ich diesmal absagen.";
      if (pattern("^(?:weil|da|denn)\\b").test(what)) return `leider muss ich absagen, ${what}.`;
      if (/Einladung/u.test(what)) return `vielen Dank für ${what}. Leider kann ich nicht kommen.`;
      if (/Angebot/u.test(what)) return `vielen Dank für ${what}. Leider muss ich es ablehnen.`;
      return pattern("^(?:für|am|zu|zum|den|das|die|diesen?)\\b").test(what)
        ? `leider muss ich ${what} absagen.`
        : `leider muss ich absagen, ${what}.`;
    }
    case "confirm": {
      if (said === "") return "das bestätige ich gerne.";
      if (/^dass\b/u.test(said)) return render({ kind: "that", text: said.slice(5) }, reader);
      const what = withArticle(toReader(said, reader, "last"), "de");
      return `hiermit bestätige ich ${pattern("^(?:(?:Mon|Diens|Donners|Frei|Sams|Sonn)tag|Mittwoch)").test(what) ? "den " : ""}${what}.`;
    }
    case "propose": {
      const what = bare(toReader(said.replace(/^(?:ihm|ihr|ihnen)\s+/iu, ""), reader, "last"));
      if (what === "") return null;
      if (/^dass\b/u.test(what)) return `ich schlage vor, ${what}.`;
      if (pattern("\\bzu \\p{Ll}+en\\b|zu\\p{Ll}{3,}en$").test(what))
        return `ich schlage vor, ${what.replace(/^,\s*/u, "")}.`;
      return asked(
        `wie wäre es ${/^(?:am|um|im|in|ab|mit|nächste|diese|zwischen|gegen|vor|nach|bei)\b/iu.test(what) ? what : `mit ${dativeDay(what)}`}`,
      );
    }
    case "sorry": {
      if (said === "") return "es tut mir leid.";
      if (/^dass\b/u.test(said))
        return `bitte entschuldige${you(reader, "n Sie", "", "t")}, ${toReader(said, reader, "last")}.`;
      const what = toReader(said.replace(/^(?:für|wegen)\s+/iu, ""), reader, "last");
      return `bitte entschuldige${you(reader, "n Sie", "", "t")} ${what}.`;
    }
    case "sorryThat":
      return `bitte entschuldige${you(reader, "n Sie", "", "t")}, dass ${toReader(said, reader, "last")}.`;
    case "congratulate":
      return said === "" ? "herzlichen Glückwunsch!" : `herzlichen Glückwunsch ${toReader(said, reader, "last")}!`;
    case "wish":
      return `ich wünsche ${you(reader, "Ihnen", "dir", "euch")} ${toReader(said, reader, "last")}.`;
    case "invite":
      return `ich möchte ${you(reader, "Sie", "dich", "euch")} gerne ${toReader(said, reader, "last")} einladen.`;
    case "will":
      return `ich werde ${toReader(said, reader, "last")}.`;
    case "manner":
      return "";
    case "vague":
      return null;
  }
}

/** "Kurze Bestätigung": an adjective shows that the article is missing. */
const withIndefinite = (what: string): string =>
  what
    .replace(
      /^(?=\p{Ll}{3,}e \p{Lu}\p{L}+(?:ung|tion|frage|nummer)$)(?!(?:die|eine|meine|deine|ihre|seine|alle) )/iu,
      "eine ",
    )
    .replace(/^(?=\p{Ll}{3,}en \p{Lu}\p{L}+$)(?!(?:den|einen|meinen|deinen|seinen|ihren|unseren|allen) )/iu, "einen ");

const dativeOf = (what: string): string =>
  what
    .replace(/^(?:den|das) (?=\p{Lu}\p{L}+$)/u, "dem ")
    .replace(/^die (?=\p{Lu}\p{L}+(?:ung|tion|heit|keit|zeit|nummer|adresse|liste|frist)$)/u, "der ");
const dativeDay = (what: string): string =>
  what
    .replace(/^den (?=\d|\p{Lu})/u, "dem ")
    .replace(/^(?:die|eine) /u, (a) => (a === "die " ? "der " : "einer "))
    .replace(/^einen /u, "einem ")
    .replace(/ oder den (?=\d|\p{Lu})/u, " oder dem ");

const IMPERATIVES =
  "(?:sag|schreib|frag|bitt|dank|bedank|entschuldig|bestätig|lehn|schlag|nimm|akzeptier|teil|lass|gib|informier|erklär|antwort|gratulier|wünsch|lad|erinner|erwähn|mach)e?";
const INFINITIVES =
  "(?:absagen|zusagen|ablehnen|annehmen|akzeptieren|vorschlagen|bedanken|danken|bitten|bestätigen|entschuldigen|gratulieren|einladen|nachfragen|fragen)";
const TO_START = `(?:nach|um|für|sich für|mich für|auch|noch|höflich) (?:(?!,| und ).)+ (?:fragen|bitten|danken|bedanken|entschuldigen)\\b`;

/** German instructions and sentences. */
export const german: Grammar = {
  words:
    "der die und das ist nicht ich zu den mit sich auf für dem ein eine wir sie von auch wird noch haben über bei dass ob sag sage frag frage bitte danke dich ihm ihr ihn mir wann zusagen absagen vorschlagen fragen sagen schreib oder kann um am",
  again: pattern(`,? (?:und|oder) (?:(?<whether>ob)|(?<which>${WH})|dass) `),
  reader: pattern(
    "\\b(?:sage?|schreibe?|frage?|bitte|danke|teile?|lass|gib|antworte|informiere|erkläre?|bei|wünsche?|gratuliere?|lade?|erinnere|mit|^) (?:(?<m>ihm|ihn)|(?<f>ihr|sie)|(?<p>ihnen))\\b|^(?:(?<m2>ihm|ihn)|(?<f2>ihr|sie)|(?<p2>ihnen))\\b|\\bfrage?,? ob (?:(?<m3>er)|(?<f3>sie)) (?=[^,;]*\\b(?:hat|kann|will|möchte|weiß|braucht|kommt|mitkommt)\\b)",
  ),
  split: pattern(
    `(?:\\s*[,;]\\s*(?:und |dann |aber |auch )*|\\s+(?:und|dann|aber)(?: dann| auch| bitte)?\\s+)(?=${IMPERATIVES}\\b(?! ich| wir)|${INFINITIVES}(?:\\s*$|[,.;]| und\\b)|(?<=[,;]\\s*)(?:(?!(?:ich|wir|es|er|sie|dass|ob|zu)\\b)[\\p{L}\\d.:-]+ ){1,6}${INFINITIVES}(?:\\s*$|[,.;])|(?:${OBJ} )?(?:sagen|mitteilen|schreiben|fragen|nachfragen)(?:,| (?=(?:ob|dass|${WH})\\b))|${TO_START})|(?<=\\b${INFINITIVES})(?:\\s*[,;]\\s*(?:und )?|\\s+und\\s+)(?!\\s*(?:ob|dass|${WH}|weil|da)\\b)`,
  ),
  statement: pattern(
    "(?:\\s*[,;:–—]\\s*|\\s-\\s)(?:aber |und )?(?=(?:ich|wir|es|er|sie|das|leider|am|an|mein|meine|unser|unsere|da|dafür|bin|habe|kann|der|die)\\b)",
  ),
  acts: [
    [
      act(
        "(?:halte dich|mach es|fass dich|schreib|bleib)?\\s*(?:sehr |ganz )?(?:kurz|höflich|freundlich|förmlich|knapp|sachlich|locker|nett)(?: halten| bleiben| und \\p{L}+| schreiben)?$",
      ),
      "manner",
    ],
    [act("(?:auf|in) (?:deutsch|englisch|französisch)$"), "manner"],
    [act(`(?:sag|sage)(?: ${OBJ})? (?<x>.*?)\\s*(?:höflich |leider )?ab${END}`), "decline"],
    [act(`lehn(?:e)? (?<x>.*?)\\s*(?:höflich |dankend |leider )?ab${END}`), "decline"],
    [
      act(
        `(?<x>(?:(?!\\b(?:dass|ob|ich|wir|kann|können|möchten?|will|wollen|muss|müssen|werden?|nicht)\\b).)*?)\\s*(?:höflich |dankend |leider )?(?:absagen|ablehnen)${END}`,
      ),
      "decline",
    ],
    [act(`(?:sag|sage)(?: ${OBJ})? nein${END}`), "decline"],
    [act(`(?:sag|sage)(?: ${OBJ})?(?<x>.{0,40}?)\\s+zu${END}`), "accept"],
    [act(`(?:sag|sage)(?: ${OBJ})? ja(?: (?=zu)|${END})`), "accept"],
    [act(`(?:nimm|nehme) (?<x>.*?)\\s*(?:gerne? )?an${END}`), "accept"],
    [act(`(?:akzeptiere?) (?<x>\\S.*)$`), "accept"],
    [
      act(
        `(?<x>(?:(?!\\b(?:dass|ob|ich|wir|kann|können|möchten?|will|wollen|muss|müssen|werden?|nicht)\\b).)*?)\\s*(?:gerne? )?(?:zusagen|annehmen|akzeptieren|zustimmen)${END}`,
      ),
      "accept",
    ],
    [
      act(
        `(?:erklär|erkläre|sag|sage|schreib|schreibe|erzähl|erzähle)(?: ${OBJ})?,? (?:warum|wieso|weshalb|wie es|etwas|was|von|über)\\b.*$`,
      ),
      "vague",
    ],
    [
      act(
        `(?:erklär|erkläre|erwähn|erwähne|beschreib|beschreibe)(?: ${OBJ})? (?:den|die|das|unsere?n?|meine?n?) \\p{Lu}\\p{L}+$`,
      ),
      "vague",
    ],
    [
      act(
        `(?:sag|sage|schreib|schreibe|antwort|antworte|erklär|erkläre|erwähn|erwähne|versprich)(?: bitte)?(?: ${OBJ})?(?: bitte| auch| noch)?,? dass (?=\\S)`,
      ),
      "that",
    ],
    [act(`teil(?:e)?(?: ${OBJ})?(?: bitte)? mit,? dass (?=\\S)`), "that"],
    [
      act(
        `(?:(?:darauf )?hinweisen|weise?(?: ${OBJ})? darauf hin|betonen?|betone|klarstellen|stelle? klar|ergänzen?|ergänze|füge? hinzu|hinzufügen|ankündigen|richte?(?: ${OBJ})? aus),? dass (?=\\S)`,
      ),
      "that",
    ],
    [
      act(`(?:${OBJ} )?(?:darauf |noch |auch )*(?:hinweisen|betonen|klarstellen|ergänzen|ankündigen),? dass (?=\\S)`),
      "that",
    ],
    [act(`(?:${OBJ} )?anbieten,? (?=.*(?:\\bzu \\p{Ll}+|zu\\p{Ll}+en))`), "glad"],
    [act(`biete?(?: ${OBJ})? an,? (?=.*(?:\\bzu \\p{Ll}+|zu\\p{Ll}+en))`), "glad"],
    [
      act(
        `(?:lass(?:e)? ${OBJ} wissen|gib ${OBJ} Bescheid|informier(?:e)? ${OBJ}|sag ${OBJ} Bescheid|erinner(?:e)? ${OBJ} daran),? dass (?=\\S)`,
      ),
      "that",
    ],
    [
      act(
        `(?:${OBJ} )?(?:auch )?(?:sagen|schreiben|mitteilen|antworten|ausrichten|erklären|erwähnen|Bescheid geben|Bescheid sagen|informieren|wissen lassen|daran erinnern),? dass (?=\\S)`,
      ),
      "that",
    ],
    [act(`(?:frag|frage)(?: bitte)?(?: ${OBJ}| nach)?(?: bitte| auch| noch)?,? ob (?=\\S)`), "whether"],
    [act(`(?:${OBJ} )?(?:auch )?(?:fragen|nachfragen|erkundigen|wissen),? ob (?=\\S)`), "whether"],
    [act(`(?:erkundig(?:e)? dich)(?: bei ${OBJ})?,? ob (?=\\S)`), "whether"],
    [
      act(`(?:frag|frage|erkundige dich)(?: bitte)?(?: bei)?(?: ${OBJ}| nach)?(?: bitte| auch| noch)?,? (?=${WH}\\b)`),
      "which",
    ],
    [act(`(?:${OBJ} )?(?:auch )?(?:fragen|nachfragen|erkundigen),? (?=${WH}\\b)`), "which"],
    [act(`(?:frag|frage|erkundige dich)(?: bitte)?(?: ${OBJ})?(?: bitte| auch| noch)? nach (?=\\S)`), "about"],
    [act(`(?:${OBJ} )?nach (?<x>(?:(?! ob ).)+?) (?:fragen|erkundigen)${END}`), "about"],
    [act(`bitte(?: ${OBJ})(?: bitte| auch)?,? (?:um )(?=\\S)(?!.*\\bzu \\p{Ll}+en\\b)`), "have"],
    [act(`(?:bitte|um) (?:um )?(?<x>(?:(?!,).)+?)(?: bitten)${END}`), "have"],
    [act(`(?:${OBJ} )?um (?<x>(?:(?!,).)+?) bitten${END}`), "have"],
    [act(`(?:bitte|bitt) (?:${OBJ} )?um (?=\\S)(?!.*\\bzu \\p{Ll}+en\\b)`), "have"],
    [
      act(`(?:bitte|bitt|erinnere)(?: ${OBJ})(?: auch| noch| daran| darum)?,? (?=.*(?:\\bzu \\p{Ll}+|zu\\p{Ll}+en))`),
      "do",
    ],
    [pattern(`^bitte(?: ${OBJ})(?: auch| noch| darum)?,? (?=.*(?:\\bzu \\p{Ll}+|\\p{Ll}zu\\p{Ll}+en))`), "do"],
    [pattern(`^bitte(?: ${OBJ}) um (?=\\S)`), "have"],
    [pattern("^bitte um (?=\\S)"), "have"],
    [act(`(?:${OBJ} )bitten,? (?=.*(?:\\bzu \\p{Ll}+|zu\\p{Ll}+en))`), "do"],
    [
      act(
        `(?:bedanke? dich|danke?)(?: ${OBJ}| bei ${OBJ})?(?: herzlich| sehr| noch(?: einmal)?| auch)?(?: (?=für\\b)|,? (?=dass\\b)|${END})`,
      ),
      "thank",
    ],
    [
      act(
        `(?:${OBJ} |sich |mich )?(?:bei ${OBJ} )?(?:herzlich |sehr )?(?<x>für (?:(?!,).)+?) (?:danken|bedanken)${END}`,
      ),
      "thank",
    ],
    [act(`(?:sich |mich )?(?:bedanken|danken)(?: (?=für)|,? (?=dass\\b)|${END})`), "thank"],
    [act(`entschuldige? dich(?: bei ${OBJ})?(?: vielmals| sehr)?,? (?=(?:für|wegen|dass)\\b)`), "sorry"],
    [act(`entschuldige? dich(?: bei ${OBJ})?${END}`), "sorry"],
    [act(`(?:sich |mich )?(?:bei ${OBJ} )?(?<x>(?:für|wegen) (?:(?!,).)+?) entschuldigen${END}`), "sorry"],
    [act(`(?:sich |mich )?entschuldigen(?:,? (?=(?:für|wegen|dass)\\b)|${END})`), "sorry"],
    [act(`bestätige? (?=\\S)`), "confirm"],
    [act("bestätigen,? (?=dass\\b)"), "confirm"],
    [
      act(`(?<x>(?:(?!\\b(?:ob|ich|wir|kann|können|möchten?|will|muss|werden?|nicht)\\b).)*?)\\s*bestätigen${END}`),
      "confirm",
    ],
    [act(`schlag(?:e)? (?:(?:ihm|ihr|ihnen) )?(?<x>.+?)\\s+vor(?=$|[,;.])`), "propose"],
    [act(`schlag(?:e)? (?:(?:ihm|ihr|ihnen) )?vor,? (?=\\S)`), "propose"],
    [
      act(
        `(?<x>(?:(?!\\b(?:ich|wir|kann|können|möchten?|will|wollen|muss|würden?|nicht)\\b).)+?) (?:vorschlagen|anbieten)${END}`,
      ),
      "propose",
    ],
    [act(`vorschlagen,? (?=\\S)`), "propose"],
    [act(`gratulier(?:e)?(?: ${OBJ})?(?= |$)`), "congratulate"],
    [act(`(?:${OBJ} )?(?<x>zu[mr]? .+) gratulieren${END}`), "congratulate"],
    [act(`wünsch(?:e)?(?: ${OBJ}) (?=\\S)`), "wish"],
    [act(`(?:${OBJ} )(?<x>.+) wünschen${END}`), "wish"],
    [act(`(?:lad|lade) (?:${OBJ}) (?<x>.+) ein${END}`), "invite"],
    [act(`(?:${OBJ}) (?<x>zu.+) einladen${END}`), "invite"],
    [act(`(?:sag|sage|schreib|schreibe|antwort|antworte)(?: ${OBJ})?(?:,|:)? (?=\\S)`), "tell"],
  ],
  render,
  plain,
  address: (text, reader) => withoutZu(toReader(text, reader, "last")),
  small: pattern(
    "^(?:ich|wir|es|das|der|die|ein|eine|mein|meine|unser|unsere|leider|ja|nein|vielen|herzlichen|am|im|in|um|ab|bis|mit|zu|wie|wann|wo|was|wer|welche[rs]?|können|könnten|kannst|könntest|könnt|könntet|bitte|danke|hiermit|dein|deine|euer|eure|du|ihr|hast|haben|hat|ist|sind|bist|gilt|geht|klar|gerne?|natürlich|für|auf|an|bei|wenn|da|dann|heute|morgen|nächste|diese|kommst|kommen|brauchst|brauchen|passt|wird|werden|soll|sollen|muss|darf|warum|auch|noch|aber|alle|alles|beide|nach|vor|seit|von|zum|zur|dafür|darf)\\b",
    "u",
  ),
};
