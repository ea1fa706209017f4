/** How a person addresses another in one language, as their mail shows. */

type Words = readonly [formal: RegExp, informal: RegExp];

const word = (source: string): RegExp => new RegExp(`(?<![\\p{L}'’])(?:${source})(?![\\p{L}])`, "giu");

const REGISTERS: Record<string, Words> = {
  de: [
    /(?<=[\p{L},] )(?:Sie|Ihnen|Ihre?[nmrs]?)(?!\p{L})|Sehr geehrte/gu,
    /(?<!\p{L})(?:[Dd]u|[Dd]ich|[Dd]ir|[Dd]eine?[nmrs]?|euch|euer|eure[nmrs]?|kommst|hast|kannst|bist|willst)(?!\p{L})/gu,
  ],
  fr: [word("vous|votre|vos|madame|monsieur|veuillez"), word("tu|te|toi|ton|ta|tes|t['’]\\p{L}+|salut|bises")],
  es: [
    word(
      "usted|ustedes|estimad[oa]s?|le (?:env[ií]o|agradezco|ruego|saludo?|viene|adjunto|escribo)|les|atentamente|sr\\.?|sra\\.?|disculpe",
    ),
    word("tú|te|ti|contigo|tus?|puedes|tienes|quieres|estás|eres|vienes|os|vosotros|sigues|un abrazo|besos?"),
  ],
  it: [
    word(
      "gentile|egregio|cordiali saluti|distinti saluti|La ringrazio|Lei|Suo|Sua|Suoi|Le (?:invio|scrivo|allego|mando)|sig\\.?(?:ra)?|dott\\.?",
    ),
    word("tu|ti|te|tuo|tua|tuoi|tue|puoi|hai|sei|vieni|ciao|un abbraccio|un bacio|baci|vieni|venite"),
  ],
  pt: [
    word("senhora?|sr\\.?|sra\\.?|exm[oa]|prezad[oa]|atenciosamente|com os melhores cumprimentos|v\\. ?ex"),
    word("tu|te|ti|teus?|tuas?|podes|tens|queres|estás|contigo|você|vc|beijinhos|beijos|um abraço"),
  ],
  nl: [word("u|uw|geachte"), word("je|jij|jou|jouw|jullie|hoi|hee|liefs|groetjes")],
  en: [
    /^(?:dear (?:mr|mrs|ms|dr|prof|sir|madam))|\b(?:yours (?:sincerely|faithfully))\b/gimu,
    /^(?:hi|hey|hiya)\b|\b(?:cheers|love|xx?|thx)\b/gimu,
  ],
};
const TU = word("tu|te|ti|teus?|tuas?|podes|tens|queres|estás|contigo|vens|beijinhos");

/** Returns how formal a text addresses its reader: above 0 for formal, below 0 for informal, 0 if it does not show. */
export function registerOf(text: string, language: string): number {
  const words = REGISTERS[language];
  if (!words) return 0;
  const [formal, informal] = words.map((form) => text.match(form)?.length ?? 0) as [number, number];
  return Math.sign(formal - informal);
}

/** Returns whether a Portuguese text says "tu" rather than "você". */
export const saysTu = (text: string): boolean => text.match(TU) !== null;

const ORGANIZATION =
  /\b(?:service|services|team|support|info|office|gmbh|ag|ltd|llc|inc|sa|sarl|srl|bv|kg|e\.?v|club|verein|school|schule|praxis|clinic|hotel|shop|store|bank|versicherung|assurance|clients?|clientes|kundenservice|kundendienst|sekretariat|hausverwaltung|condominio|amministrazione|ayuntamiento|mairie|gemeente|câmara|rathaus|stadt|amt|registro|huisartsenpraktijk|praktijk|notaria|restaurant|ristorante|verwaltung|newsletter|accounts?|billing|buchhaltung|sales|hr|admin|studio|agentur|agency|museum|university|universität)\b/iu;

/** Returns the name of a person as a greeting can use it in full; null for organizations and single words. */
export function fullName(name: string): string | null {
  const bare = name.includes(",") ? name.split(",").reverse().join(" ").trim() : name.trim();
  const isPerson = /^\p{Lu}[\p{L}'’.-]+(?: (?:de|van|von|der|den|da|di|la|le|el))*(?: \p{Lu}[\p{L}'’.-]+)+$/u.test(
    bare,
  );
  return isPerson && !ORGANIZATION.test(bare) ? bare : null;
}

/** Whether a display name is that of an organization, which is not greeted by its first word. */
export const isOrganization = (name: string): boolean => ORGANIZATION.test(name);

/** Whether an address is that of an office rather than of a person. */
export const isRole = (email: string): boolean =>
  /^(?:info|team|office|support|sales|contact|contacto|contato|kontakt|hello|hallo|mail|post|admin|service|no-?reply|billing|news|buchhaltung|rechnung|verwaltung|amministrazione|segreteria|registro|secretaria|administracion|accueil|bureau|balie|praxis|sekretariat|accounts?|invoices?|orders?|bestellung|reservations?|booking|hr|jobs|press|shop|help|enquiries)(?:[.+_-][^@]*)?@/iu.test(
    email,
  );
