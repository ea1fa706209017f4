/** A noun in the forms that mails and queries have. */
export interface Noun {
  singular: string;
  plural: string;
  /** A word inside it; where the language does not join words, its plural. */
  part: string;
}

export interface Language {
  nouns: Noun[];
  persons: string[];
  places: string[];
  months: string[];
  closings: string[];
  /** Ways to write a sum, given in cents, other than the mails'. */
  amount: ((cents: number) => string)[];
  mail: (
    slots: { noun: Noun; other: Noun; person: string; place: string; day: number; amount: number },
    month: string,
    closing: string,
  ) => { subject: string; text: string };
}

/** Lines of "singular plural part". */
const nouns = (lines: string): Noun[] =>
  lines
    .trim()
    .split("\n")
    .map((line) => {
      const [singular, plural, part] = line.trim().split(" ") as [string, string, string];
      return { singular, plural, part };
    });
const list = (text: string) => text.split(", ");
const whole = (cents: number) => String(Math.floor(cents / 100));
const hundredths = (cents: number) => String(cents % 100).padStart(2, "0");
const grouped = (cents: number, mark: string) =>
  `${whole(cents).replace(/\B(?=(\d{3})+$)/g, mark)},${hundredths(cents)}`;
const plain = (cents: number, mark: string) => `${whole(cents)}${mark}${hundredths(cents)}`;

export const GERMAN: Language = {
  nouns: nouns(`
    Wasserrechnung Wasserrechnungen Rechnung
    Telefonrechnung Telefonrechnungen Rechnung
    Mietvertrag Mietverträge Vertrag
    Arbeitsvertrag Arbeitsverträge Vertrag
    Gartenhaus Gartenhäuser Haus
    Ferienwohnung Ferienwohnungen Wohnung
    Fahrradschloss Fahrradschlösser Fahrrad
    Kinderbuch Kinderbücher Buch
    Zahnarzttermin Zahnarzttermine Termin
    Steuerbescheid Steuerbescheide Steuer
    Reisegutschein Reisegutscheine Gutschein
    Küchenstuhl Küchenstühle Stuhl
    Vereinsbeitrag Vereinsbeiträge Beitrag
    Werkstattauftrag Werkstattaufträge Auftrag
    Hochzeitsgeschenk Hochzeitsgeschenke Geschenk
    Zugfahrkarte Zugfahrkarten Fahrkarte
  `),
  persons: list(
    "Bernd Achterberg, Ilse Mohnhaupt, Yusuf Karadag, Greta Lindqvist, Paul Niemeyer, Vera Sobczak, Horst Eberle, Annika Thoma, Rolf Stadler, Mina Farrokhi",
  ),
  places: list("Augsburg, Bremen, Chemnitz, Dresden, Erfurt, Kassel, Lübeck, Mainz, Passau, Ulm"),
  months: list("Januar, Februar, März, April, Mai, Juni, Juli, August, September, Oktober, November, Dezember"),
  closings: [
    "Viele Grüße aus dem Büro.",
    "Melden Sie sich gern bei Fragen.",
    "Ich rufe morgen noch einmal an.",
    "Danke für die Geduld.",
    "Bis bald!",
  ],
  amount: [
    (cents) => `${plain(cents, ",")} €`,
    (cents) => `${plain(cents, ".")} EUR`,
    (cents) => `€${grouped(cents, ".")}`,
    (cents) => `${plain(cents, ",")} Euro`,
  ],
  mail: ({ noun, other, place, day, amount }, month, closing) => ({
    subject: `${noun.singular} in ${place}`,
    text: `Hallo,\n\nam ${day}. ${month} ging es in ${place} um Ihre Anfrage. Der Betrag von ${grouped(amount, ".")} € ist noch offen, und auch das mit dem Stichwort ${other.singular} müssen wir klären. ${closing}`,
  }),
};

export const FRENCH: Language = {
  nouns: nouns(`
    facture factures factures
    contrat contrats contrats
    cheval chevaux chevaux
    journal journaux journaux
    bijou bijoux bijoux
    réparation réparations réparations
    réservation réservations réservations
    livraison livraisons livraisons
    inscription inscriptions inscriptions
    traduction traductions traductions
    abonnement abonnements abonnements
    déménagement déménagements déménagements
    remboursement remboursements remboursements
    rendez-vous rendez-vous rendez-vous
    appartement appartements appartements
    vélo vélos vélos
  `),
  persons: list(
    "Solange Mercier, Thibault Lagarde, Amina Benhaddou, Rémi Chauvet, Odile Pascal, Hugo Vasseur, Clémence Royer, Noé Delmas, Judith Carpentier, Malik Sarr",
  ),
  places: list("Annecy, Bayonne, Colmar, Dijon, Grenoble, Limoges, Nantes, Rennes, Toulouse, Valence"),
  months: list("janvier, février, mars, avril, mai, juin, juillet, août, septembre, octobre, novembre, décembre"),
  closings: [
    "Bien à vous.",
    "Je vous rappelle demain.",
    "Merci de votre patience.",
    "N'hésitez pas à m'écrire.",
    "À très bientôt !",
  ],
  amount: [
    (cents) => `${plain(cents, ",")} €`,
    (cents) => `${plain(cents, ".")} EUR`,
    (cents) => `€${grouped(cents, ".")}`,
    (cents) => `${plain(cents, ",")} euros`,
  ],
  mail: ({ noun, other, place, day, amount }, month, closing) => ({
    subject: `À propos : ${noun.singular}, ${place}`,
    text: `Bonjour,\n\nle ${day} ${month}, on m'a parlé de votre demande à ${place}. La somme de ${grouped(amount, " ")} € reste due, et il nous faut aussi régler la question suivante : ${other.singular}. ${closing}`,
  }),
};
