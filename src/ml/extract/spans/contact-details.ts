import { spanOf, type TypedSpan, withoutOverlaps } from "./typed-span.ts";

const EMAIL = /[\p{L}\d._%+-]{1,64}@[\p{L}\d-]+(?:\.[\p{L}\d-]+)+/gu;
const LINK = /\bhttps?:\/\/[^\s<>"”)]{2,300}|\bwww\.[^\s<>"”)]{2,200}/gu;
/** A country code, or a leading zero, or a label before it; 7 to 15 digits in groups. */
const PHONE = /(?<![\d.,/-])(?:\+\d{1,3}|\(?0\d{1,5}\)?)(?:[ ()./-]{0,3}\d{2,}){1,6}(?![\d]|[.,]\d)/gu;
const LABELED_PHONE =
  /(?<=(?:tel|phone|telephone|telefon|téléphone|teléfono|telefone|telefono|mobile|mobil|handy|móvil|telemóvel|cellulare|mobiel|nummer|number|call|ring|電話|携帯)[.:)]{0,2}\s{0,2})\d{2,5}(?:[ -]\d{2,5}){1,4}/giu;
const MIN_PHONE_DIGITS = 7;
const MAX_PHONE_DIGITS = 15;

const STREET_BEFORE =
  /\b\d{1,4}[a-z]?,? (?:rue|avenue|av\.|boulevard|bd|place|chemin|impasse|quai|allée|route|calle|via|viale|piazza)(?: [\p{L}'’-]+){1,5}/giu;
const STREET_AFTER =
  /\b\d{1,4}[a-z]?,? (?:\p{Lu}[\p{L}'’-]+ ){1,3}(?:street|st\.?|road|rd\.?|lane|avenue|ave\.?|drive|close|row|walk|court|crescent|place|square|terrace|way|hill|gardens?|grove|mews|yard|park|green|quay|wharf)\b/giu;
const STREET_GERMAN =
  /\b\p{Lu}[\p{L}.-]*(?:straße|strasse|str\.|weg|platz|allee|gasse|ring|ufer|damm|straat|laan|plein|gracht|kade|weg)(?: ?\d{1,4}[a-z]?)(?![\d])|\b(?:\p{Lu}[\p{L}-]+ ){1,2}(?:Straße|Strasse|Str\.|Weg|Platz|Allee|Gasse|Ring) \d{1,4}[a-z]?/gu;
const STREET_ROMANCE =
  /\b(?:Rua|R\.|Avenida|Av\.|Travessa|Largo|Praça|Calle|C\/|Plaza|Paseo|Via|Viale|Piazza|Corso|Vicolo)(?: (?:de|da|do|das|dos|del|della|di|la|los|las|\p{Lu}[\p{L}'’.-]*)){1,6},? ?(?:n\.?º ?)?\d{1,4}[a-z]?/gu;
const STREET_JAPANESE = /[\p{sc=Han}]{2,4}[都道府県][^\s、。]{3,40}/gu;

/** Returns phone numbers, addresses of mail, links and street addresses in a text. */
export function contactDetailsOf(text: string): TypedSpan[] {
  const found: TypedSpan[] = [];
  for (const match of text.matchAll(EMAIL)) found.push(spanOf("email", match[0], match.index, match[0].toLowerCase()));
  for (const match of text.matchAll(LINK)) {
    const bare = match[0].replace(/[.,;:!?]+$/, "");
    found.push(spanOf("link", bare, match.index, bare.toLowerCase()));
  }
  for (const pattern of [PHONE, LABELED_PHONE]) {
    for (const match of text.matchAll(pattern)) {
      const digits = match[0].replace(/\D/g, "");
      if (digits.length < MIN_PHONE_DIGITS || digits.length > MAX_PHONE_DIGITS || isDate(match[0])) continue;
      found.push(spanOf("phone", match[0].trim(), match.index, digits.replace(/^0+/, "")));
    }
  }
  for (const pattern of [STREET_GERMAN, STREET_ROMANCE, STREET_BEFORE, STREET_AFTER, STREET_JAPANESE]) {
    for (const match of text.matchAll(pattern)) {
      found.push(spanOf("address", match[0].trim(), match.index, match[0].trim().toLowerCase()));
    }
  }
  return withoutOverlaps(found);
}

const isDate = (text: string): boolean => /^\d{1,2}[./-]\d{1,2}[./-](?:19|20)?\d\d$/.test(text);
