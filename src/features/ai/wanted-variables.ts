import { contentWords } from "../../ml/extract/rank.ts";
import { lettersAndDigits } from "./obfuscation.ts";

/**
 * Selects the user's variables for the prompt of a draft: only those that the instructions or the conversation ask for. A
 * language model cannot disclose what it never received. If a question is not recognized, the draft leaves a blank.
 */
export interface Asked {
  instructions: string;
  /** The sentences in which the newest messages ask something of the user. */
  questions: readonly string[];
  /** The whole text of the conversation. */
  said: string;
}

/** Variables about how to write, as opposed to what. */
const STYLE = /(?:^|\.)(?:tone|formality|language|greeting|sign_off|signature)$/i;
/** Words of a key that do not identify its meaning. */
const GENERIC = new Set(
  "number numbers no nr num id value values code codes data info details max maximum min minimum limit default current main private business my our own client customer company text note notes amount type key list standard general per hour day expected".split(
    " ",
  ),
);
/** Phrases in which a word of a key means something else. */
const IDIOMS =
  /\b(?:at (?:this|any|that) rate|rates? of|address(?:e[ds]|ing)? (?:the|this|that|these|those|it|all)|in charge|on the phone|password policy|mobile (?:version|app)|birthday (?:cake|party))\b/gi;
const MIN_MATCHED_CHARS = 6;

/** One concept per entry, by its names in seven languages. A name matches all words that start with it; "=" ends a whole word. */
const CONCEPTS: readonly (readonly string[])[] = [
  "iban bic= swift= bank_account bank_details account_number account_details sort_code routing_number kontonummer kontodaten bankverbindung bankdaten coordonnées_bancaires compte_bancaire rib= cuenta_bancaria número_de_cuenta conto_corrente coordinate_bancarie conta_bancária dados_bancários bankrekening rekeningnummer transfer_the which_account pay_into überweisen welches_konto quel_compte virement qué_cuenta transferencia quale_conto bonifico que_conta transferência welke_rekening overmaken",
  "rate= rates= hourly_rate daily_rate price pricing fee= fees= charge cost= costs= how_much_is how_much_do_you_charge how_much_would how_much_does preis kosten= stundensatz tagessatz honorar wie_viel_kostet was_kostet prix tarif taux_horaire taux_journalier combien_coûte combien_prenez precio tarifa cuánto_cobra cuánto_cuesta prezzo tariffa quanto_costa quanto_chied preço quanto_custa quanto_cobra prijs tarief uurtarief hoeveel_kost",
  "discount rebate reduction price_cut rabatt nachlass skonto remise réduction descuento rebaja sconto desconto korting",
  "salary salaries wage remuneration compensation gehalt lohn= vergütung salaire rémunération sueldo salario stipendio retribuzione salário ordenado salaris loon=",
  "budget etat= presupuesto orçamento bilancio begroting",
  "phone telephone mobile cell_number whatsapp telefon handynummer rufnummer mobilnummer téléphone portable= teléfono móvil telefono cellulare telefone telemóvel celular telefoon mobiel call_you",
  "address street postcode zip_code adresse anschrift postleitzahl dirección código_postal indirizzo morada endereço adres= postcode you_live send_the_parcel das_paket_schicken",
  "vat= tax_id tax_number ust steuernummer umsatzsteuer tva= siret nif= cif= iva= partita_iva btw",
  "password passphrase passwort kennwort mot_de_passe contraseña senha= palavra-passe wachtwoord",
  "pin= pincode pin_code",
  "door= door_code entry_code tür haustür porte= puerta porta= deur",
  "wifi wi-fi wlan",
  "birthday birth_date date_of_birth born= geburtstag geburtsdatum geboren anniversaire date_de_naissance cumpleaños fecha_de_nacimiento compleanno data_di_nascita aniversário data_de_nascimento verjaardag geboortedatum sei_nato sei_nata fazes_anos fazem_anos jarig",
  "passport id_card identity_card reisepass personalausweis passeport carte_d'identité pasaporte passaporto paspoort identiteitskaart",
  "diet dietary ernährung régime dieta= dieet vegetarian vegan",
  "allerg allergies intoleran unverträglich alergi",
  "deadline due_date frist= abgabetermin délai= échéance plazo= fecha_límite scadenza prazo= uiterste_datum",
  "order= order_number bestellnummer auftragsnummer numéro_de_commande número_de_pedido numero_d'ordine número_da_encomenda bestelnummer",
  "invoice rechnung facture= factura= fattura fatura= factuur",
  "contract= vertrag contrat= contrato contratto",
  "insurance versicherung assurance seguro= assicurazione verzekering",
  "website homepage web_page webseite site_web página_web sito_web site= websites",
  "payment_terms payment_term zahlungsziel zahlungsbedingungen conditions_de_paiement condiciones_de_pago condizioni_di_pagamento condições_de_pagamento betalingstermijn",
].map((names) => names.split(" ").map((name) => name.replaceAll("_", " ")));

/** Returns the variables to send, in the given order, without those of the writing style, which the prompt has already. */
export function wantedVariables(
  variables: Readonly<Record<string, string>>,
  { instructions, questions, said }: Asked,
): Record<string, string> {
  const isNamed = namedBy(instructions);
  const asked = questions.map((question) => wordsOf(question.replace(IDIOMS, " ")));
  const textLetters = lettersAndDigits(said);
  const isWanted = (key: string, value: string): boolean => {
    if (key.startsWith("voice.")) return false;
    if (STYLE.test(key)) return true;
    const letters = lettersAndDigits(value);
    if (letters.length >= MIN_MATCHED_CHARS && textLetters.includes(letters)) return true;
    // The user's instructions may name a thing loosely; a stranger has to ask for exactly this thing.
    if (isNamed(key)) return true;
    const meant = concept(segmentsOf(key));
    return meant.length > 0 && asked.some((question) => meant.some((word) => isNamedIn(word, question)));
  };
  return Object.fromEntries(Object.entries(variables).filter(([key, value]) => isWanted(key, value)));
}

/** Returns a test for whether the user's instructions name a variable, by a word of its key or by a synonym. */
export function namedBy(instructions: string): (key: string) => boolean {
  const instructed = wordsOf(instructions);
  return (key) =>
    segmentsOf(key)
      .flat()
      .some((word) => !GENERIC.has(word) && isNamedIn(word, instructed));
}

/** Splits a key into the words of its parts: "phone.mobile", "rate_per_hour", "dailyRate". */
const segmentsOf = (key: string): string[][] =>
  key
    .replace(/(\p{Ll})(?=\p{Lu})/gu, "$1_")
    .toLowerCase()
    .split(".")
    .map(segmentWords);

const segmentWords = (segment: string): string[] => segment.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");

/**
 * Returns the words of a key that identify its meaning: those of its last part ("iban" of "bank.iban"), and those of the
 * part before it if the last one is no known concept ("door" of "door.code", "rate" and "hourly" of "rate.hourly").
 */
function concept(segments: readonly string[][]): string[] {
  const meant: string[] = [];
  for (const words of segments.toReversed()) {
    const specific = words.filter((word) => !GENERIC.has(word));
    meant.push(...specific);
    if (specific.some((word) => CONCEPTS.some((names) => names.some((name) => isName(word, name))))) break;
  }
  return meant;
}

interface Words {
  /** The words on one line, with single spaces between them and one at each end. */
  line: string;
  words: readonly string[];
}

function wordsOf(text: string): Words {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+(?:[-'’][\p{L}\p{N}]+)*/gu) ?? [];
  return { line: ` ${words.join(" ")} `, words: contentWords(text) };
}

/** Whether a text names what a word of a key means: by the word, by another form of it, or in another language. */
function isNamedIn(word: string, text: Words): boolean {
  if (text.words.some((other) => isSameWord(word, other))) return true;
  return CONCEPTS.some((names) => names.some((name) => isName(word, name)) && names.some((name) => isIn(name, text)));
}

const isName = (word: string, name: string): boolean =>
  name.endsWith("=") ? word === name.slice(0, -1) : word.startsWith(name);
const isIn = (name: string, { line }: Words): boolean =>
  line.includes(name.endsWith("=") ? ` ${name.slice(0, -1)} ` : ` ${name}`);

const SHORTEST_STEM_CHARS = 4;
const LONGEST_ENDING_CHARS = 3;

/** Whether two words differ only by an ending: "discount" and "discounts", "allergy" and "allergies". */
function isSameWord(a: string, b: string): boolean {
  if (a === b) return true;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  const stem = short.replace(/[aeiouy]$/, "");
  return (
    stem.length >= SHORTEST_STEM_CHARS && long.startsWith(stem) && long.length - stem.length <= LONGEST_ENDING_CHARS
  );
}
