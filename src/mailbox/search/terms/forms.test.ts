import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { dictionaryOf, MemoryDictionary } from "../../../../test/support/memory-dictionary.ts";
import { fold } from "../fold.ts";
import { formsOf, MAX_FORMS, MAX_VISITED } from "./forms.ts";

/** Function words that indicate that a mailbox has mail in the language. */
const MAIL_IN: Record<string, string> = {
  English: "",
  German: "und nicht ist oder wird",
  French: "les vous pour dans",
  Spanish: "los para una usted",
  Italian: "della che sono gli",
  Portuguese: "nao uma voce obrigado",
  Dutch: "het een niet voor",
  Swedish: "och att inte som",
  Danish: "og ikke jeg til",
  Polish: "nie sie jest dla",
  Hungarian: "nem hogy egy vagy",
  Turkish: "bir icin ile degil",
  Finnish: "ja etta olen myos",
  Russian: "",
  Greek: "",
  Korean: "",
};

/**
 * Words that are forms of each other, in groups: the first one finds each of the others, and each of them finds the
 * first.
 */
const JOINED: Record<string, string> = {
  English: `invoice invoices invoiced invoicing, happy happiness happily, city cities, box boxes, bus buses, run running runs,
    plan planning planned, buy bought buying, pay paid payment payments, send sent sending, child children, woman women, meet met meeting,
    organise organize organised organizing, colour color colours, centre center, cancel cancelled canceled cancellation,
    deliver delivery delivered, apply application, subscribe subscription, flight flights, car cars, day days, quickly quick,
    ship shipment shipping, register registration, analysis analyses, possible possibility, travel travelled, book booked booking`,
  German: `Rechnung Rechnungen, Haus Häuser Hauses Häusern, Termin Termine Terminen Termins, Bestellung bestellen bestellt Bestellungen,
    buchen gebucht Buchung buchte, liefern geliefert Lieferung liefert, zahlen gezahlt Zahlung Zahlungen, Kunde Kunden, Kundin Kundinnen,
    Buch Bücher Büchern, Kind Kinder Kindern, Tag Tage Tagen, Konto Konten Kontos, Firma Firmen, Ergebnis Ergebnisse, Datum Daten,
    wichtig wichtige wichtiger wichtigen wichtiges, schreiben schrieb geschrieben schreibt, einladen eingeladen,
    fliegen geflogen flog, abbuchen abgebucht Abbuchung, kündigen gekündigt Kündigung, Vertrag Verträge Vertrags, Müller Mueller,
    Straße Straßen, Versicherung Versicherungen, Wohnung Wohnungen, Reise Reisen, anrufen angerufen, überweisen überwiesen Überweisung,
    Arzt Ärzte, Anhang Anhänge, Krankheit Krankheiten, Bild Bilder`,
  French: `facture factures facturé facturer, client clients cliente clientes, cheval chevaux, travail travaux, journal journaux,
    réservation réservations réserver réservé, commande commandes commandé commander, bureau bureaux, directeur directrice directeurs,
    premier première premiers, actif active actives, livraison livrer livré livraisons, heureux heureuse, annuler annulé annulation,
    prochain prochaine prochains, finir finissent fini, changement changer changements, confirmation confirmer confirmé, grand grande`,
  Spanish: `factura facturas, reserva reservas reservar reservado, reservación reservaciones, pagar pagado pago, confirmar confirmación confirmado,
    reunión reuniones, nuevo nueva nuevos nuevas, capaz capaces, envío envíos enviar enviado, cliente clientes, vez veces`,
  Italian: `fattura fatture, prenotazione prenotazioni prenotare prenotato, pagamento pagamenti pagare pagato, documento documenti,
    amico amici, conferma confermare confermato, ufficio uffici, antica antiche, riunione riunioni, spedire spedito spedizione`,
  Portuguese: `fatura faturas, reunião reuniões, confirmação confirmar confirmado confirmações, viagem viagens, pagamento pagamentos,
    animal animais, papel papéis, reservar reserva reservado`,
  Dutch: `rekening rekeningen, factuur facturen, bestelling bestellen besteld bestellingen, afspraak afspraken, brief brieven,
    huis huizen, betalen betaald betaling, klant klanten, bon bonnen, mogelijkheid mogelijkheden, goed goede`,
  Swedish: `faktura fakturor fakturan fakturorna, betalning betalningar betala, beställning beställningen beställningar, möte möten mötet,
    bil bilar bilen bilarna, nyckel nycklar, räkning räkningar räkningen`,
  Danish: `faktura fakturaer, regning regninger regningen regningerne, betaling betale betalt, møde møder mødet, bestilling bestillinger bestille`,
  Polish: `faktura faktury fakturę fakturze fakturą faktur, zamówienie zamówienia zamówień zamówieniu, spotkanie spotkania spotkaniu,
    płatność płatności, klient klienta klienci klientów, paczka paczki paczkę paczek, konto konta koncie, nowy nowa nowe nowego`,
  Hungarian: "számla számlák számlát számlával, levél levelet, rendelés rendelések rendelést, csomag csomagot csomagok",
  Turkish:
    "fatura faturalar faturayı faturanız, sipariş siparişler siparişiniz siparişi, toplantı toplantılar toplantıda",
  Finnish: "lasku laskut laskun laskussa, tilaus tilauksen tilaukset, kokous kokouksen, auto autot autossa",
  Russian: `счет счета счету счетов счетом, договор договора договоры договоров, оплата оплаты оплатить оплату, встреча встречи встречу,
    список списка списки, новый новая новые нового, заказ заказа заказы, компания компании, билет билеты`,
  Greek:
    "τιμολόγιο τιμολόγια τιμολογίου, παραγγελία παραγγελίες παραγγελίας, λογαριασμός λογαριασμού λογαριασμοί, πληρωμή πληρωμές, πρόβλημα προβλήματα",
  Korean: "계약서 계약서를 계약서는, 회의 회의가 회의에서 회의를, 예약 예약했습니다 예약을",
};

/**
 * Pairs of words with different meanings. "a b" is checked in both directions, with the whole line in the dictionary.
 */
const APART: Record<string, string> = {
  English: `internet international, international internal, internet internal, news new, university universal, university universe,
    general generous, general generation, organ organization, policy police, important import, author authority, experience experiment,
    corn corner, number numb, customer custom, planet plan, plane planet, department depart, apartment apart, station state,
    message mess, personal persona, army arm, design designate, several sever, numerous numerical, animal animate, wander wand,
    letter let, master mast, poster post, execute executive, community communism, sensor sense, opera operate, past paste,
    contract contact, flight light, marketing mark, parts party, expect expense, receipt recipe, price prince, desert dessert,
    principal principle, quiet quite, angel angle, apply apps, station stationery, casual causal, lease please, advice device, form from`,
  German: `Vertrag Verlag, Rechnung Rechner, Termin Terminal, Versicherung Versuch, Bestellung Bestand, Konto Kontakt, Kontakt Kontrakt,
    Zahlung Zahnarzt, Haus Haut, Kunde Kunst, Buchung Buchstabe, Anhang Anhalt, Bank Banker, Steuer Steuben,
    Lieferung Lieder, Miete Mitte, Wohnung Wohl, Garten Garantie, Auto Autor, boot boost, admit admin, beat bean, international Internat`,
  French: `facture facteur, commande commun, livre livret, client climat, compte comptoir, poste position, commission commissaire,
    voiture voisin, travail traversée`,
  Spanish: "factura fractura, carta cartón, reunión reunir",
  Italian: "fattura fattoria, conto contratto, casa cassa",
  Portuguese: "conta contrato, fatura futuro",
  Dutch: "rekening rekenmachine, kaart kaars, factuur factor, brief brie",
  Swedish: "faktura faktor, bilar bilaga, räkning räka",
  Polish: "faktura faktor, konto kontrola, spotkanie spodnie",
  Russian: "договор дорога, счет счастье, заказ закат, компания компьютер",
  Greek: "τιμολόγιο τιμόνι, πληρωμή πλήρης",
  Korean: "계약서 계약금, 회의 회사",
};

/** Added to the dictionary of each such pair: forms that show what kind of word it is. */
const ENGLISH_PLURALS =
  "corns corners numbers plans planets planes letters masters posters masts posts customs customers banks bankers autos autors";

const groupsOf = (text: string) => text.split(",").map((group) => fold(group).trim().split(/\s+/));
const termsOf = (word: string, dictionary: MemoryDictionary) => formsOf(word, dictionary).map(({ term }) => term);

describe("the forms of a word", () => {
  for (const [language, text] of Object.entries(JOINED)) {
    const dictionary = dictionaryOf(fold(`${MAIL_IN[language]} ${text.replaceAll(",", " ")}`));
    for (const [first, ...others] of groupsOf(text)) {
      for (const other of others) {
        test(`${language}: ${first} finds ${other}, and the other way round`, () => {
          expect(termsOf(first!, dictionary)).toContain(other);
          expect(termsOf(other, dictionary)).toContain(first!);
        });
      }
    }
  }

  for (const [language, text] of Object.entries(APART)) {
    const dictionary = dictionaryOf(fold(`${MAIL_IN[language]} ${ENGLISH_PLURALS} ${text.replaceAll(",", " ")}`));
    for (const [a, b] of groupsOf(text)) {
      test(`${language}: ${a} does not find ${b}, nor the other way round`, () => {
        expect(termsOf(a!, dictionary)).not.toContain(b!);
        expect(termsOf(b!, dictionary)).not.toContain(a!);
      });
    }
  }

  test("the tables cover enough words", () => {
    const joined = Object.values(JOINED)
      .flatMap(groupsOf)
      .reduce((sum, group) => sum + group.length - 1, 0);
    expect(joined).toBeGreaterThanOrEqual(150);
    expect(Object.values(APART).flatMap(groupsOf).length).toBeGreaterThanOrEqual(100);
  });
});

describe("weights and limits", () => {
  test("the word itself is first with weight 1, even if the dictionary does not have it", () => {
    expect(formsOf("invoices", dictionaryOf("invoice invoicing"))[0]).toEqual({ term: "invoices", weight: 1 });
    expect(formsOf("invoice", dictionaryOf(""))).toEqual([{ term: "invoice", weight: 1 }]);
  });

  test("another number has more weight than another kind of word", () => {
    const forms = new Map(
      formsOf("computer", dictionaryOf("computer computers compute")).map(({ term, weight }) => [term, weight]),
    );
    expect(forms.get("computers")!).toBeGreaterThan(forms.get("compute")!);
  });

  test("words with digits, function words and very short words have no other forms", () => {
    const dictionary = dictionaryOf("ab abs inv2024 inv2024s were we being 2024 20245 ord2");
    for (const word of ["ab", "inv2024", "were", "2024", "ord2"]) expect(termsOf(word, dictionary)).toEqual([word]);
  });

  test("a short stem of a language without mail in the mailbox does not join words", () => {
    expect(termsOf("karte", dictionaryOf("karte karten"))).toEqual(["karte"]);
    expect(termsOf("karte", dictionaryOf("karte karten und nicht ist oder"))).toEqual(["karte", "karten"]);
    expect(termsOf("rechnung", dictionaryOf("rechnung rechnungen"))).toEqual(["rechnung", "rechnungen"]);
  });

  test("a form that may be another gender, or another word, has little weight", () => {
    const weightOf = (a: string, b: string, mail: string) =>
      formsOf(a, dictionaryOf(`${a} ${b} ${MAIL_IN[mail]}`)).find(({ term }) => term === b)!.weight;
    expect(weightOf("cuenta", "cuento", "Spanish")).toBeLessThan(weightOf("cuenta", "cuentas", "Spanish"));
    expect(weightOf("cours", "course", "French")).toBeLessThan(weightOf("course", "courses", "French"));
  });

  test("the most frequent forms are kept", () => {
    const endings = "s ed ing er ers able ment ments ly".split(" ");
    const joined = endings.flatMap((a) => ["", "s", "ly", "ness", "able", "er", "ers", "ed", "ing"].map((b) => a + b));
    const words = joined.map((ending, at) => [`consign${ending}`, at + 1] as const);
    const forms = formsOf("consign", new MemoryDictionary(words));
    expect(forms.length).toBeLessThanOrEqual(MAX_FORMS);
    expect(forms[0]!.term).toBe("consign");
  });

  test("a million terms with the same beginning are not all visited", () => {
    const terms = Array.from({ length: 1_000_000 }, (_, at) => [`plan${at.toString(36)}`, 1] as const);
    const dictionary = new MemoryDictionary([...terms, ["plans", 7]]);
    for (const word of ["plan", "planning", "plane"]) {
      dictionary.visited = 0;
      dictionary.counted = 0;
      formsOf(word, dictionary);
      expect(dictionary.visited).toBeLessThanOrEqual(MAX_VISITED);
      expect(dictionary.counted).toBeLessThanOrEqual(400);
    }
  });

  test("any word has forms, with the word itself first and without duplicates", () => {
    const word = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.string({ unit: "binary" }),
      fc.stringMatching(/^[a-zäß]{0,50}$/),
    );
    fc.assert(
      fc.property(word, fc.array(word, { maxLength: 20 }), (asked, others) => {
        const dictionary = new MemoryDictionary(others.map((other) => [`${asked.slice(0, 5)}${other}`, 1] as const));
        const terms = termsOf(asked, dictionary);
        expect(terms[0]).toBe(asked);
        expect(new Set(terms).size).toBe(terms.length);
      }),
      { seed: 7, numRuns: 500 },
    );
  });
});
