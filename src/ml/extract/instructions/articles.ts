import { LANGUAGES, type Language, NOUNS } from "./lexicon.ts";

/** Nouns of instructions that are not in the lexicon, by gender. German and Dutch have a third. */
const MORE: Partial<Record<Language, string>> = {
  de: "m:Termin|Auftrag|Empfang|Erhalt|Besuch|Liefertermin|Eingang|Parkplatz|Anruf|Tisch|Umzug|Ausflug|Rückruf f:Uhrzeit|Teilnahme|Abholung|Frist|Party|Feier n:Treffen|Gespräch|Meeting|Essen|Konzert|Wochenende|Datum|Interview|Zeugnis|Formular|Gutachten|Probetraining",
  fr: "m:rendez-vous|retard|déjeuner|prix|délai|montant|code|numéro|cours|tarif f:réunion|date|livraison|visite|commande|réservation|présence|réception|salle|fête|soirée|venue",
  es: "m:plazo|horario|almuerzo|precio|código|envío f:cita|reunión|fecha|entrega|visita|reserva|asistencia|recepción|fiesta|hora",
  it: "m:appuntamento|pranzo|prezzo|codice|ritiro|incontro f:riunione|data|consegna|visita|prenotazione|presenza|ricezione|festa|partecipazione",
  pt: "m:prazo|horário|almoço|preço|código|envio f:reunião|data|entrega|visita|reserva|presença|receção|festa|consulta|marcação",
  nl: "c:afspraak|vergadering|datum|levering|reservering|ontvangst|komst|lunch|borrel|bespreking|prijs n:bezoek|feest|gesprek|tijdstip|etentje|overleg|geld|schoolreisje",
};

/** Nouns, by their English word, that notes name without an article: "ask for a discount". */
const UNCOUNTED =
  /^(?:discount|breakfast|lunch|bread|coffee|money|news|support|understanding|drinks|questions|children|goods|samples)\b/u;

const GENDERS = new Map<string, string>();
for (const row of NOUNS) {
  if (UNCOUNTED.test(row[0]!)) continue;
  for (const [i, language] of LANGUAGES.entries()) {
    const cell = row[i]!;
    const gender = cell.slice(cell.lastIndexOf(" ") + 1);
    for (const word of cell.slice(0, cell.lastIndexOf(" ")).split("/"))
      GENDERS.set(`${language} ${word.toLowerCase()}`, gender);
  }
}
for (const [language, groups] of Object.entries(MORE)) {
  for (const group of groups.split(" ")) {
    const [gender, words] = group.split(":") as [string, string];
    for (const word of words.split("|")) GENDERS.set(`${language} ${word.toLowerCase()}`, gender);
  }
}

const DETERMINED =
  /^(?:the|this|that|these|those|a|an|my|our|your|his|her|their|some|any|no|all|both|two|three|\d|en|every|each)(?!\p{L})/iu;

function genderOf(word: string, language: string): string | undefined {
  const known = GENDERS.get(`${language} ${word.toLowerCase()}`);
  if (known !== undefined || language !== "de" || !/^\p{Lu}/u.test(word)) return known;
  if (/(?:ung|tion|heit|keit|schaft|anfrage|zeit|nummer|adresse|liste)$/u.test(word)) return "f";
  if (/(?:termin|plan|vertrag|vorschlag|bericht|tag|abend)$/u.test(word)) return "m";
  return /(?:angebot|treffen|gespräch|essen|formular|paket|foto)$/u.test(word) ? "n" : undefined;
}

/** Returns a thing of an instruction with the definite article that notes leave out: "confirm appointment". */
export function withArticle(text: string, language: string): string {
  if (language === "en") return text === "" || DETERMINED.test(text) || /^\p{Lu}/u.test(text) ? text : `the ${text}`;
  const first = /^[\p{L}-]+/u.exec(text)?.[0];
  const gender = first === undefined ? undefined : genderOf(first, language);
  if (gender === undefined) return text;
  const many = gender.startsWith("p");
  const female = gender.endsWith("f");
  switch (language) {
    case "de":
      return `${many || female ? "die" : gender === "m" ? "den" : "das"} ${text}`;
    case "nl":
      return `${gender === "n" ? "het" : "de"} ${text}`;
    case "fr":
      return many ? `les ${text}` : /^[aeiouéèêh]/iu.test(text) ? `l'${text}` : `${female ? "la" : "le"} ${text}`;
    case "es":
      return `${many ? (female ? "las" : "los") : female ? "la" : "el"} ${text}`;
    case "pt":
      return `${female ? "a" : "o"}${many ? "s" : ""} ${text}`;
    case "it":
      if (/^[aeiou]/iu.test(text) && !many) return `l'${text}`;
      return `${many ? (female ? "le" : "i") : female ? "la" : "il"} ${text}`;
    default:
      return text;
  }
}
