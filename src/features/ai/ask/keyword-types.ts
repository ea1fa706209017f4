import { isStopWord } from "../../../mailbox/search/stop-words.ts";
import { isLight } from "./light-words.ts";
import type { QuestionType } from "./question-words.ts";
import type { Word } from "./words.ts";

const b = (words: string) => new RegExp(`(?<![\\p{L}\\p{N}])(?:${words})(?![\\p{L}\\p{N}])`, "iu");

/** Nouns that tell what is asked for in a question without a word that asks: "consent slip deadline", "Termin Zahnarzt". */
const NOUNS: readonly [QuestionType, RegExp][] = [
  [
    "how much",
    b(
      "prices?|costs?|rates?|fees?|charges?|fines?|amount|\\p{L}*preis|\\p{L}*kosten|\\p{L}*gebühr(?:en)?|prix|tarif|coût|montant|precio|importe|tarifa|coste|preço|valor|custo|prezzo|costo|importo|tariffa|prijs|bedrag|tarief",
    ),
  ],
  [
    "deadline",
    b(
      "deadlines?|due dates?|cut-?off|expiry(?: date)?|last day|\\p{L}*frist|anmeldeschluss|abgabetermin|stichtag|ablaufdatum|date limite|échéance|fecha límite|plazo|vencimiento|prazo|data limite|validade|scadenza|termine ultimo|uiterste datum|vervaldatum|deadline",
    ),
  ],
  [
    "how long",
    b(
      "duration|how long|warranty|guarantee|notice period|opening hours|\\p{L}*dauer|garantie|gewährleistung|kündigungsfrist|durée|duración|garantía|duração|garantia|durata|garanzia|duur|looptijd|opzegtermijn",
    ),
  ],
  [
    "time",
    b(
      "times?|uhrzeit|abfahrtszeit|ankunftszeit|abflugzeit|heures?|horas?|horario|horário|orario|ore|tijd|tijdstip|vertrektijd",
    ),
  ],
  [
    "when",
    b(
      "dates?|days?|appointments?|\\p{L}*termine?|datum|tag|rendez-vous|rdv|dates?|jours?|cita|fechas?|consulta|marcação|datas?|dia|appuntamento|giorno|afspraak|dag|birthday|geburtstag|anniversaire|cumpleaños|aniversário|compleanno|verjaardag",
    ),
  ],
  [
    "code",
    b(
      "\\p{L}*nummer|\\p{L}*code|numbers?|no|ref|reference|pin|seat|platform|gate|room|cabin|sitzplatz|platz|gleis|zimmer|raum|siège|voie|quai|asiento|andén|localizador|lugar|cais|posto|binario|stoel|spoor|kenmerk",
    ),
  ],
  [
    "where",
    b(
      "address|location|venue|meeting (?:point|place)|adresse|anschrift|ort|treffpunkt|lieu|endroit|dirección|lugar|morada|endereço|local|sítio|indirizzo|luogo|posto|adres|plaats|locatie",
    ),
  ],
  ["why", b("reasons?|grund|raison|motivo|razón|motivazione|reden")],
  ["who", b("contact|contact person|name|ansprechpartner(?:in)?|contactpersoon|nom|nombre|nome|naam")],
];
/** Question types in which the place of the noun decides: "Sitzplatz nach Berlin", "ferry booking number". */
const AT_AN_END = new Set<QuestionType>(["code", "when", "time", "where", "who", "why"]);
const ENGLISH_AUXILIARY =
  /^(?:is|isn't|are|aren't|was|were|am|do|does|did|don't|doesn't|didn't|can|could|will|would|should|shall|must|may|might|has|have|had|hasn't|haven't|won't|can't)(?!\p{L})/iu;

/**
 * Returns the type of a question that has no word that asks; null where nothing tells. A question that begins with a verb
 * is not answered by a value.
 */
export function typeByNoun(text: string, words: readonly Word[], language: string | null): QuestionType | null {
  const [first] = words;
  if (!first || beginsWithVerb(text, first, language)) return null;
  for (const [type, pattern] of NOUNS) {
    const match = pattern.exec(text);
    if (!match) continue;
    const end = match.index + match[0].length;
    const before = words.filter((word) => word.end <= match.index && !isStopWord(word.form)).length;
    const after = words.filter((word) => word.start >= end && !isStopWord(word.form)).length;
    if (!AT_AN_END.has(type) || before === 0 || after === 0 || match[0].length > 5) return type;
  }
  return null;
}

function beginsWithVerb(text: string, { form, capital }: Word, language: string | null): boolean {
  const plain = text.trimStart().replace(/’/g, "'");
  if (ENGLISH_AUXILIARY.test(plain)) return true;
  if (language === "en") return false;
  // In the other languages, a question that ends in a question mark may begin with any verb.
  if (!/[?？]\s*$/u.test(text)) return isLight(form, language) && !capital;
  return (
    isLight(form, language) || !(isStopWord(form) || NOUNS.some(([, pattern]) => pattern.test(plain.slice(0, 30))))
  );
}
