import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createSearchFixture, type SearchFixture } from "../../../test/support/search-fixture.ts";

let s: SearchFixture;
beforeEach(() => {
  s = createSearchFixture();
});
afterEach(() => s.h.close());

const ask = async (query: string, more: object = {}) =>
  (await s.h.call("POST", "/search", { body: { query, mode: "keyword", ...more } })).json;

describe("a misspelled word", () => {
  beforeEach(() => {
    s.deliver({ subject: "Payment", text: "Please find the invoice for September attached." });
    s.deliver({ subject: "Holiday", text: "The beach was empty in the morning." });
  });

  test("is replaced by a known spelling if no message contains it, and the response reports the correction", async () => {
    const { data, corrections } = await ask("invocie september");
    expect(data.map(({ subject }: { subject: string }) => subject)).toEqual(["Payment"]);
    expect(corrections).toEqual([{ from: "invocie", to: "invoice" }]);
    expect(data[0].snippet).toContain("<mark>invoice</mark>");
  });

  test("is not corrected if it occurs in a message or is in quotes", async () => {
    expect((await ask("invoice")).corrections).toEqual([]);
    expect(await ask('"invocie"')).toMatchObject({ data: [], corrections: [] });
  });

  test("is corrected in the model's query, too", async () => {
    const asked: string[] = [];
    s.semantic = {
      search: async ({ text }) => {
        asked.push(text);
        return { near: [], candidates: [], indexed: 2, waiting: 0 };
      },
    };
    expect((await ask("Invocie september", { mode: "hybrid" })).corrections).toHaveLength(1);
    expect(asked.at(-1)).toBe("invoice september");
  });

  test("has no correction for junk", async () => {
    expect(await ask("qwertyuiopzz")).toMatchObject({ data: [], corrections: [] });
  });
});

describe("words that match in another form", () => {
  test("parts of compounds and compounds of parts match", async () => {
    for (let i = 0; i < 8; i++) {
      s.deliver({
        subject: `Post ${i}`,
        text: "Die Nachbarn haben uns eingeladen und wir bringen den Kuchen für das Fest mit.",
      });
    }
    s.deliver({ subject: "Strom", text: "Anbei die Stromrechnung für den Monat, sie ist noch offen." });
    s.deliver({ subject: "Beides", text: "Der Strom ist teuer, und die Rechnung kam heute." });
    expect(await s.find("rechnung")).toEqual(["Beides", "Strom"]);
    expect(await s.find("stromrechnung")).toEqual(["Strom"]);
    s.h.platform.db.sql.run("DELETE FROM messages WHERE n = 9");
    expect(await s.find("stromrechnung")).toEqual(["Beides"]);
  });

  test("monetary values match in another format", async () => {
    s.deliver({ subject: "Rent", text: "The rent is £575 a month." });
    s.deliver({ subject: "Wagen", text: "Der Preis beträgt 8.200,00 €." });
    s.deliver({ subject: "Other", text: "Room 575 is on the third floor, 8 people." });
    for (const query of ["575 pounds", "575 GBP", "GBP 575.00", "£575"]) expect((await s.find(query))[0]).toBe("Rent");
    for (const query of ["8200 euro", "€8,200", "EUR 8200"]) expect((await s.find(query))[0]).toBe("Wagen");
  });

  test("monetary values with a space before the currency sign match, and their decimals are not separate values", async () => {
    s.deliver({ subject: "Offer", text: "O salário é de 28.000 euros por ano." });
    s.deliver({ subject: "Round", text: "Die zweite Runde bringt 1,5 Mio. Euro." });
    s.deliver({ subject: "Other", text: "Release 1 of 1 has 1 bug." });
    expect(await s.find("28000 €")).toEqual(["Offer"]);
    for (const query of ["1.5 million euros", "1500000 €"]) expect(await s.find(query)).toEqual(["Round"]);
  });

  test("long numbers match with different spacing", async () => {
    s.deliver({ subject: "Plumber", text: "Call me on 020 7946 0958." });
    s.deliver({ subject: "Order", text: "Your order PH-2026-118834 has shipped." });
    s.deliver({ subject: "Phone", text: "Meine Nummer ist +49 (0)171 2345678." });
    for (const query of ["02079460958", "+442079460958", "020 79460958"]) {
      expect(await s.find(query)).toEqual(["Plumber"]);
    }
    expect(await s.find("PH2026118834")).toEqual(["Order"]);
    for (const query of ["01712345678", "0171/2345678", "+491712345678"])
      expect(await s.find(query)).toEqual(["Phone"]);
  });

  test("the beginning of a word, or a letter joined to a word, matches if no message has the word as typed", async () => {
    s.deliver({ subject: "Bug", text: "getUserById returns null" });
    s.deliver({ subject: "Trip", text: "Your e-ticket is attached" });
    s.deliver({ subject: "School", from: { name: "Catherine O'Leary", email: "c@example.org" } });
    expect(await s.find("getUser")).toEqual(["Bug"]);
    expect(await s.find("eticket")).toEqual(["Trip"]);
    expect(await s.find("oleary")).toEqual(["School"]);
  });

  test("hyphenated words match, and messages with the parts side by side rank first", async () => {
    s.deliver({ subject: "Hotel", text: "Check-in opens at three." });
    s.deliver({ subject: "Other", text: "Please check this, check that, and check what is in the box." });
    expect(await s.find("check-in")).toEqual(["Hotel", "Other"]);
    expect(await s.find("-check-in")).toEqual([]);
  });

  test("parts of compounds match even if the other part does not occur alone in the mailbox", async () => {
    for (let i = 0; i < 8; i++) {
      s.deliver({ subject: `Post ${i}`, text: "Das wird auch nicht eine Frage und ist sich oder genug." });
    }
    s.deliver({ subject: "Flat", text: "Wir überweisen die Mietkaution nach Abzug der Nebenkostennachzahlung." });
    expect(await s.find("Kaution")).toEqual(["Flat"]);
    expect(await s.find("Nebenkosten")).toEqual(["Flat"]);
  });

  test("dates match in another format", async () => {
    s.deliver({ subject: "Dinner", text: "The table is booked for 2026-03-12, at eight." });
    s.deliver({ subject: "Concert", text: "Das Konzert ist am 14. Mai." });
    for (const query of ["12 march", "dinner on 12/3/2026", "12. März", "march"]) {
      expect((await s.find(query))[0]).toBe("Dinner");
    }
    expect(await s.find("14 may")).toEqual(["Concert"]);
  });

  test("function words never exclude a message", async () => {
    s.deliver({ subject: "Loan", text: "Bank loan approved" });
    expect(await s.find("about the loan")).toEqual(["Loan"]);
  });

  test("function words of other languages are recognized if two of them identify the language", async () => {
    s.deliver({ subject: "Tax", text: "Die Zahllast der Umsatzsteuer beträgt 2.310." });
    s.deliver({ subject: "Hares", text: "Wie hoch ist der Baum, fragte die Maus, ist der hoch." });
    expect(await s.find("Zahllast der Umsatzsteuer die")).toEqual(["Tax"]);
    expect(await s.find("die Maus ist")).toEqual(["Hares"]);
  });

  test("a message with more of three words ranks above one with fewer", async () => {
    s.deliver({ subject: "One", text: "The museum shop." });
    s.deliver({ subject: "Two", text: "The exhibition at the museum." });
    expect(await s.find("museum exhibition opening")).toEqual(["Two", "One"]);
  });

  test("any of the words suffices if no message has all of them", async () => {
    s.deliver({ subject: "Lunch", text: "We have lunch at noon." });
    s.deliver({ subject: "Dinner", text: "We have dinner at eight." });
    expect((await s.find("lunch eight")).sort()).toEqual(["Dinner", "Lunch"]);
    expect(await s.find("lunch noon")).toEqual(["Lunch"]);
  });
});

describe("a semantic hit without matching words", () => {
  beforeEach(() => {
    s.deliver({ subject: "Near", text: "apples" });
    s.deliver({ subject: "Far", text: "pears" });
  });

  test("must be similar enough", async () => {
    s.semantic = s.knowing({ Near: 0.45, Far: 0.25 });
    for (const mode of ["semantic", "hybrid"]) {
      const { data } = await ask("apples", { mode });
      expect(data.map(({ subject }: { subject: string }) => subject)).toEqual(["Near"]);
    }
  });

  test("must be more similar if messages have less than half of the words", async () => {
    s.semantic = s.knowing({ Near: 0.25, Far: 0.45 });
    const found = async (query: string) =>
      (await ask(query, { mode: "hybrid" })).data.map(({ subject }: { subject: string }) => subject);
    expect(await found("apples landing astronauts")).toEqual(["Near"]);
    expect(await found("apples landing")).toEqual(["Near", "Far"]);
  });

  test("must be more similar if no message has a word of the query, so that junk finds nothing", async () => {
    s.semantic = s.knowing({ Near: 0.45, Far: 0.25 });
    for (const mode of ["semantic", "hybrid"]) expect((await ask("qwertyuiopzz", { mode })).data).toEqual([]);
    s.semantic = s.knowing({ Near: 0.6, Far: 0.25 });
    expect((await ask("orchard harvest", { mode: "semantic" })).data).toHaveLength(1);
  });
});

test("from:me and to:me match the addresses of the person's own mailboxes", async () => {
  const email = s.mailbox.accounts.list(s.h.user.id)[0]!.email;
  s.deliver({ subject: "Sent", from: { name: "Ada", email } });
  s.deliver({ subject: "Received", to: [{ name: "Ada", email }] });
  s.deliver({ subject: "Other" });
  expect(await s.find("from:me")).toEqual(["Sent"]);
  expect(await s.find("to:me")).toEqual(["Received"]);
  expect(await s.find("-from:me -to:me")).toEqual(["Other"]);
});

test("has: finds kinds of attachments, and links", async () => {
  s.deliver({ subject: "Link", text: "see https://example.org" });
  s.deliver({ subject: "Plain", text: "see the example" });
  expect(await s.find("has:link")).toEqual(["Link"]);
  expect(await s.find("see -has:link")).toEqual(["Plain"]);
  expect(await s.find("has:pdf")).toEqual([]);
});
