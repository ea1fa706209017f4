import { pattern } from "./act.ts";
import { PLACES } from "./intents.ts";

/** A part of a phrase about time. */
type Atom =
  | { is: "weekday" | "month"; n: number }
  | { is: "date"; day: number; month: number | null }
  | { is: "clock"; hour: number; minute: number }
  | { is: "word"; key: string }
  | { is: "link"; key: LinkKey };

type LinkKey = "or" | "and" | "by" | "from" | "until" | "before" | "after" | "in" | "on" | "at";

const LANGUAGES = ["en", "de", "fr", "es", "it", "pt", "nl"];
const split = (text: string) => text.trim().split(/\s*\|\s*/);

const WEEKDAYS: Record<string, string[]> = {
  en: split("Monday | Tuesday | Wednesday | Thursday | Friday | Saturday | Sunday"),
  de: split("Montag | Dienstag | Mittwoch | Donnerstag | Freitag | Samstag | Sonntag"),
  fr: split("lundi | mardi | mercredi | jeudi | vendredi | samedi | dimanche"),
  es: split("lunes | martes | miércoles | jueves | viernes | sábado | domingo"),
  it: split("lunedì | martedì | mercoledì | giovedì | venerdì | sabato | domenica"),
  pt: split("segunda-feira | terça-feira | quarta-feira | quinta-feira | sexta-feira | sábado | domingo"),
  nl: split("maandag | dinsdag | woensdag | donderdag | vrijdag | zaterdag | zondag"),
};
const MONTHS: Record<string, string[]> = {
  en: split(
    "January | February | March | April | May | June | July | August | September | October | November | December",
  ),
  de: split("Januar | Februar | März | April | Mai | Juni | Juli | August | September | Oktober | November | Dezember"),
  fr: split(
    "janvier | février | mars | avril | mai | juin | juillet | août | septembre | octobre | novembre | décembre",
  ),
  es: split(
    "enero | febrero | marzo | abril | mayo | junio | julio | agosto | septiembre | octubre | noviembre | diciembre",
  ),
  it: split(
    "gennaio | febbraio | marzo | aprile | maggio | giugno | luglio | agosto | settembre | ottobre | novembre | dicembre",
  ),
  pt: split(
    "janeiro | fevereiro | março | abril | maio | junho | julho | agosto | setembro | outubro | novembro | dezembro",
  ),
  nl: split(
    "januari | februari | maart | april | mei | juni | juli | augustus | september | oktober | november | december",
  ),
};
/** Words and phrases of time that stand alone, in the order of the languages. Variants follow a slash. */
const WORDS = `
today | heute | aujourd'hui | hoy | oggi | hoje | vandaag
tomorrow morning | morgen früh/morgen Vormittag | demain matin | mañana por la mañana | domani mattina/domattina | amanhã de manhã | morgenochtend
tomorrow afternoon | morgen Nachmittag | demain après-midi | mañana por la tarde | domani pomeriggio | amanhã à tarde | morgenmiddag
tomorrow | morgen | demain | mañana | domani | amanhã | morgen
tonight/this evening | heute Abend | ce soir | esta noche | stasera | hoje à noite | vanavond
this afternoon | heute Nachmittag | cet après-midi | esta tarde | questo pomeriggio | esta tarde/hoje à tarde | vanmiddag
this morning | heute Vormittag/heute früh | ce matin | esta mañana | stamattina | esta manhã | vanochtend
this week | diese Woche | cette semaine | esta semana | questa settimana | esta semana | deze week
next week | nächste Woche | la semaine prochaine | la próxima semana/la semana que viene | la prossima settimana/la settimana prossima | na próxima semana/para a semana | volgende week
that week | in dieser Woche | cette semaine-là | esa semana | quella settimana | nessa semana | die week
the week after | in der Woche danach | la semaine suivante | la semana siguiente | la settimana dopo | na semana seguinte | de week erna
this weekend/at the weekend | am Wochenende | ce week-end | este fin de semana | questo fine settimana | este fim de semana | dit weekend
next month | nächsten Monat | le mois prochain | el próximo mes/el mes que viene | il prossimo mese/il mese prossimo | no próximo mês | volgende maand
this month | diesen Monat | ce mois-ci | este mes | questo mese | este mês | deze maand
the end of the week | Ende der Woche | la fin de la semaine | el fin de semana | la fine della settimana | o fim da semana | het einde van de week
the end of the month | Ende des Monats/Monatsende | la fin du mois | el fin de mes | la fine del mese | o fim do mês | het einde van de maand
that day | an diesem Tag | ce jour-là | ese día | quel giorno | nesse dia | die dag
in the morning | vormittags/am Vormittag/am Morgen | le matin/au matin | por la mañana | di mattina/al mattino/la mattina | de manhã | in de ochtend
in the afternoon | nachmittags/am Nachmittag | l'après-midi/dans l'après-midi | por la tarde | di pomeriggio/nel pomeriggio | à tarde/de tarde | in de middag
in the evening | abends/am Abend | le soir | por la noche | la sera/di sera | à noite | in de avond
morning | vormittags/Vormittag | matin | por la mañana | mattina | de manhã | ochtend
afternoon | nachmittags/Nachmittag | après-midi | por la tarde | pomeriggio | à tarde | middag
evening | abends/Abend | soir | por la noche | sera | à noite | avond
noon | mittags/zwölf Uhr | midi | mediodía | mezzogiorno | meio-dia | twaalf uur
now | jetzt | maintenant | ahora | adesso/ora | agora | nu
soon | bald | bientôt | pronto | presto | em breve | binnenkort
later | später | plus tard | más tarde | più tardi | mais tarde | later
${PLACES.trim()}
any time | jederzeit | à tout moment | en cualquier momento | in qualsiasi momento | a qualquer hora | altijd`
  .trim()
  .split("\n")
  .map((row) => split(row).map((cell) => cell.split("/")));

/** Links, in the order of the languages. The first variant is written. */
const LINKS: readonly [LinkKey, string[][]][] = (
  [
    ["or", "or | oder | ou | o | o/oppure | ou | of"],
    ["and", "and | und | et | y | e | e | en"],
    ["by", "by | bis | avant/d'ici | antes de/para | entro | até | voor/vóór"],
    ["until", "until/till | bis | jusqu'à | hasta | fino a | até | tot"],
    ["from", "from/from about | ab | à partir de | a partir de/desde | da/a partire da | a partir de | vanaf"],
    ["before", "before | vor | avant | antes de | prima di | antes de | voor"],
    ["after", "after | nach | après | después de | dopo | depois de | na"],
    ["in", "in | im/in | en | en | a/in | em | in"],
    ["at", "at | um | à | a | alle | às | om"],
    ["on", "on/for | am/den/an | le | el | il | na/no/em | op"],
  ] as const
).map(([key, row]) => [key, split(row).map((cell) => cell.split("/"))]);

const code = (language: string) => LANGUAGES.indexOf(language);

/** Reads a phrase about time; null if any word of it is something else. */
export function readTime(text: string, language: string): Atom[] | null {
  const at = code(language);
  if (at < 0) return null;
  let rest = text.trim().replace(/,/g, " ");
  if (language === "en")
    rest = rest.replace(/\b(until|till|by|before|after|from) (?=\d{1,2}(?:$| (?!\p{Lu})))/gu, "$1 at ");
  const atoms: Atom[] = [];
  const take = (source: string): RegExpExecArray | null => {
    const match = pattern(`^(?:${source})(?![\\p{L}\\d])\\s*`).exec(rest);
    if (match) rest = rest.slice(match[0].length);
    return match;
  };
  const months = MONTHS[language]!.map((name) => name).join("|");
  const day = "(\\d{1,2})(?:st|nd|rd|th|\\.|er|º)?";
  outer: while (rest !== "" && atoms.length < 12) {
    for (const row of WORDS) {
      if (take(row[at]!.map((one) => one.replaceAll("'", "['’]")).join("|"))) {
        atoms.push({ is: "word", key: row[0]![0]! });
        continue outer;
      }
    }
    const clock =
      take(
        "(?:at |um |à |à partir de |a las? |alle |às? |om )?(\\d{1,2})(?:[:.h]| h )(\\d\\d)(?: ?(am|pm|uhr|uur|h|horas))?",
      ) ??
      take("(?:at |um |à |a las? |alle |às? |om )?(\\d{1,2})()(?: ?(am|pm|uhr|uur|h|heures|horas|ore|o['’]clock))") ??
      take("(?:at |um |à |a las? |alle |às? |om )(\\d{1,2})()()");
    if (clock) {
      const hour = Number(clock[1]) + (clock[3]?.toLowerCase() === "pm" && Number(clock[1]) < 12 ? 12 : 0);
      if (hour > 24) return null;
      atoms.push({ is: "clock", hour, minute: Number(clock[2] || 0) });
      continue;
    }
    const date =
      take(`(?:the |den |der |dem |le |el |il |o |de |dia )?${day}(?: of| de)? (${months})`) ??
      take(`(${months}) ${day}`);
    if (date) {
      const isFirst = /^\d/.test(date[1]!);
      const name = (isFirst ? date[2] : date[1])!.toLowerCase();
      atoms.push({
        is: "date",
        day: Number(isFirst ? date[1] : date[2]),
        month: MONTHS[language]!.findIndex((one) => one.toLowerCase() === name),
      });
      continue;
    }
    const bareDay =
      take(`(?:the |den |der |dem |le |el |il |o |de |dia )${day}`) ?? take("(\\d{1,2})(?:st|nd|rd|th|\\.)");
    if (bareDay) {
      atoms.push({ is: "date", day: Number(bareDay[1]), month: null });
      continue;
    }
    const month = MONTHS[language]!.findIndex((name) => take(name));
    if (month >= 0) {
      atoms.push({ is: "month", n: month });
      continue;
    }
    const weekday = WEEKDAYS[language]!.findIndex((name) =>
      take(`(?:on |am |den |le |el |il |na |no |à |a |op )?${name.replace("-feira", "(?:-feira)?")}s?`),
    );
    if (weekday >= 0) {
      atoms.push({ is: "weekday", n: weekday });
      continue;
    }
    for (const [key, cells] of LINKS) {
      if (take(cells[at]!.join("|").replaceAll("'", "['’]"))) {
        if (key !== "on" && key !== "at") atoms.push({ is: "link", key });
        continue outer;
      }
    }
    return null;
  }
  return atoms.some(({ is }) => is !== "link") && atoms.at(-1)?.is !== "link" ? atoms : null;
}

/** Writes a phrase about time. @param role "when" after a verb ("on Tuesday"); "what" as a subject ("Tuesday") */
export function writeTime(atoms: readonly Atom[], language: string, role: "when" | "what"): string {
  const at = code(language);
  const words: string[] = [];
  let linked = false;
  atoms.forEach((atom, i) => {
    const follows = i > 0 && ["weekday", "date"].includes(atoms[i - 1]!.is);
    const free = role === "when" && !linked && !follows;
    if (atom.is === "link") {
      const next = atoms[i + 1];
      if (atom.key === "in" && language === "de") words.push("im");
      else words.push(LINKS.find(([key]) => key === atom.key)![1][at]![0]!);
      linked = !["or", "and"].includes(atom.key);
      void next;
      return;
    }
    words.push(written(atom, language, free, linked ? words.pop()! : ""));
    linked = false;
  });
  return words
    .filter(Boolean)
    .join(" ")
    .replace(/\bde el\b/g, "del")
    .replace(/\ba el\b/g, "al");
}

const ON_WEEKDAY: Record<string, (name: string) => string> = {
  en: (name) => `on ${name}`,
  de: (name) => `am ${name}`,
  fr: (name) => name,
  es: (name) => `el ${name}`,
  it: (name) => name,
  pt: (name) => (/feira/.test(name) ? `na ${name}` : `no ${name}`),
  nl: (name) => name,
};

function written(atom: Atom, language: string, free: boolean, link: string): string {
  const before = (text: string) => (link ? `${link} ${text}` : text);
  switch (atom.is) {
    case "weekday": {
      const name = WEEKDAYS[language]![atom.n]!;
      if (link) return before(language === "es" ? `el ${name}` : name);
      return free || language === "es" ? ON_WEEKDAY[language]!(name) : name;
    }
    case "month":
      return before(MONTHS[language]![atom.n]!);
    case "date": {
      const month = atom.month === null ? "" : MONTHS[language]![atom.month]!;
      const { day } = atom;
      const text = {
        en: `${month ? "" : "the "}${day}${month ? "" : "th"} ${month}`,
        de: `${day}. ${month}`,
        fr: `le ${day === 1 ? "1er" : day} ${month}`,
        es: `el ${day} ${month && `de ${month}`}`,
        it: `il ${day} ${month}`,
        pt: `${free ? "no " : ""}dia ${day} ${month && `de ${month}`}`,
        nl: `${day} ${month}`,
      }[language]!.trim();
      if (link)
        return before(language === "de" && link !== "ab" ? `zum ${text}` : language === "de" ? `dem ${text}` : text);
      return free
        ? ({ en: `on ${text}`, de: `am ${text}`, nl: `op ${text}` }[language] ?? text)
        : language === "de"
          ? `den ${text}`
          : text;
    }
    case "clock": {
      const { hour, minute } = atom;
      const mm = minute ? String(minute).padStart(2, "0") : "";
      const [noun, alone] = {
        en: [hour > 12 ? `${hour - 12}${mm && `:${mm}`} pm` : `${hour}${mm && `:${mm}`}`, "at "],
        de: [`${hour}${mm && `:${mm}`} Uhr`, "um "],
        fr: [`${hour} h${mm && ` ${mm}`}`, "à "],
        es: [`${hour === 1 ? "la" : "las"} ${hour}${mm && `:${mm}`}`, "a "],
        it: [`${hour === 1 ? "l'" : "le "}${hour}${mm && `.${mm}`}`, ""],
        pt: [`${hour === 1 ? "a" : "as"} ${hour}${mm ? `h${mm}` : "h"}`, ""],
        nl: [`${hour}${mm && `:${mm}`} uur`, "om "],
      }[language]! as [string, string];
      if (!link)
        return language === "it"
          ? noun.replace(/^le /, "alle ").replace(/^l'/, "all'")
          : language === "pt"
            ? noun.replace(/^as /, "às ").replace(/^a /, "à ")
            : alone + noun;
      if (language === "it" && link === "da") return noun.replace(/^le /, "dalle ").replace(/^l'/, "dall'");
      if (language === "pt" && /de$/.test(link)) return before(noun).replace(/de (as?) /, "d$1 ");
      return before(noun);
    }
    case "word":
      return before(WORDS.find((row) => row[0]![0] === atom.key)![code(language)]![0]!);
    case "link":
      return "";
  }
}
