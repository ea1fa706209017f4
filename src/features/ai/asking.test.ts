import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { type AiFixture, aiFixture } from "../../../test/support/ai-fixture.ts";
import { type ModelServer, startModelServer, wholeAnswer } from "../../../test/support/model-server.ts";

let s: AiFixture;
let server: ModelServer | null = null;
beforeEach(() => {
  s = aiFixture();
});
afterEach(async () => {
  s.h.close();
  await server?.close();
  server = null;
});

interface Cited {
  message_id: string;
  quote: string;
  start: number;
  end: number;
  attachment_id?: string;
}

async function ask(question: string) {
  const { json } = await s.h.call("POST", "/ai/ask", { body: { question } });
  for (const { message_id, quote, start, end, attachment_id } of [
    ...json.citations,
    ...json.possible,
    ...json.replaced,
  ] as Cited[]) {
    if (attachment_id === undefined) expect(s.slice(message_id, start, end)).toBe(quote);
  }
  return json;
}

const day = (date: string) => Date.parse(`${date}T09:00:00Z`);
const person = (name: string, email: string) => ({ from: { name, email } });

describe("an answer", () => {
  test("begins with the value, and quotes the sentence that says it", async () => {
    s.seeded.deliver(
      s.fromBob("Hi Ada,\n\nthe lease of the Porto office ends on 30 June 2026. The rent is 1,450 EUR."),
    );
    expect((await ask("When does the lease of the Porto office end?")).answer).toMatch(
      /^30 June 2026\.\nBob Miller on .*: “the lease of the Porto office ends on 30 June 2026\.”$/,
    );
    expect((await ask("Wie hoch ist die Miete des Büros in Porto?")).answer).toStartWith("1,450 EUR.");
    expect((await ask("Combien coûte le loyer à Porto ?")).answer).toStartWith("1,450 EUR.");
  });

  test("takes facts from questions", async () => {
    s.seeded.deliver(s.fromBob("Does the delivery of your oak wardrobe on 12 March still work for you?"));
    expect((await ask("When is the wardrobe delivered?")).answer).toStartWith("12 March.");
  });

  test("finds what is said in other words, or in another language", async () => {
    s.seeded.deliver(
      s.fromBob("Ihr Termin zur Prophylaxe ist am Donnerstag, 26. März, um 8:15 Uhr.", {
        subject: "Praxis Dr. Seidel",
      }),
    );
    expect((await ask("When is my dentist appointment?")).answer).toStartWith("Donnerstag, 26. März.");
  });

  test("knows who is whose mother by how people sign", async () => {
    const mum = {
      ...s.fromBob("I land at 14:35 on Saturday 21 March.\n\nAll my love, Mum"),
      ...person("Joan Hill", "joan@example.com"),
    };
    s.seeded.deliver(mum);
    s.seeded.deliver({ ...s.fromBob("I land at 9:10 on Sunday 22 March."), ...person("Zed Cole", "zed@example.com") });
    expect((await ask("What time does my mother land?")).answer).toStartWith("14:35.");
  });

  test("does not answer a question about what comes with what is over", async () => {
    s.seeded.deliver(s.fromBob("The train to Leeds leaves on Tuesday 10 February at 9:10.", { subject: "Tickets" }));
    expect((await ask("When does the train leave?")).answered).toBe(false);
    expect((await ask("When did the train to Leeds leave?")).answer).toStartWith("Tuesday 10 February.");
  });

  test("does not take the Portuguese word for in the as a denial", async () => {
    s.seeded.deliver(s.fromBob("A reunião é no Porto, na sexta-feira, 20 de março.", { subject: "Reunião anual" }));
    expect((await ask("Is the annual meeting in Porto?")).answer).not.toMatch(/^No\./);
  });

  test("takes a telephone number from a signature only for its owner", async () => {
    s.seeded.deliver(s.fromBob("I saw Mr Gupta today.\n\nBob Miller\nTel. 01225 555 0142"));
    expect((await ask("What is Bob's phone number?")).answer).toStartWith("01225 555 0142.");
    expect((await ask("What is Mr Gupta's phone number?")).answered).toBe(false);
  });

  test("is the total of a receipt unless a part is named", async () => {
    const text = "Your order\n\nPopcorn, 25 kg  €61.00\nPaper cones  €38.50\nTotal  €99.50";
    s.seeded.deliver(s.fromBob(text, { subject: "Order from Acme" }));
    expect((await ask("How much did the order from Acme cost?")).answer).toStartWith("€99.50.");
    expect((await ask("How much did the popcorn in the order cost?")).answer).toStartWith("€61.00.");
  });

  test("to what someone wants has all that they ask for, and the items of a list", async () => {
    s.seeded.deliver(
      s.fromBob("Hi Ada,\n\nwe need three things:\n\n- a photo\n- a biography\n- the slides\n\nThe sun is out."),
    );
    const { answer, citations } = await ask("What does Bob want from me?");
    for (const wanted of ["a photo", "a biography", "the slides"]) expect(answer).toContain(wanted);
    expect(answer).not.toContain("sun");
    expect(citations.length).toBe(4);
  });
});

describe("of several statements", () => {
  test("the newest counts, and the earlier one is named", async () => {
    s.seeded.converse(
      s.fromBob("The site visit for Dock 9 is on Wednesday 18 March.", { subject: "Dock 9", at: day("2026-01-10") }),
      s.fromBob("The surveyor can't do the 18th. New date is Wednesday 25 March.", {
        subject: "Re: Dock 9",
        at: day("2026-01-20"),
      }),
    );
    const json = await ask("When is the site visit for Dock 9?");
    expect(json.answer).toStartWith("Wednesday 25 March.");
    expect(json.answer).toContain("This replaces what Bob Miller on 10 January 2026 wrote.");
    expect(json.replaced[0].quote).toContain("18 March");
  });

  test("a later date about something else does not count", async () => {
    s.seeded.converse(
      s.fromBob("The lease of the Porto office ends on 30 June 2026."),
      s.toBob("I will sign the new lease by Friday."),
    );
    expect((await ask("When does the lease of the Porto office end?")).answer).toStartWith("30 June 2026.");
  });

  test("a value belongs to the words beside it", async () => {
    s.seeded.deliver(s.fromBob("Subs are £38 for members, £15 for students.", { subject: "Cycling club" }));
    expect((await ask("What do students pay to the cycling club?")).answer).not.toStartWith("£38.");
    expect((await ask("What do members pay to the cycling club?")).answer).not.toStartWith("£15.");
  });

  test("what a value leaves out is not answered by it", async () => {
    s.seeded.deliver(s.fromBob("Il montaggio costa 280 euro più il viaggio.", { subject: "Lampade" }));
    expect((await ask("Quanto costa il viaggio?")).answered).toBe(false);
    expect((await ask("Quanto costa il montaggio?")).answer).toStartWith("280 euro.");
  });

  test("a correction replaces only the value that it corrects", async () => {
    s.seeded.converse(
      s.fromBob("Wholemeal will be £21.40; rye stays at £23.10.", { subject: "Prices", at: day("2026-01-10") }),
      s.fromBob("One correction: the wholemeal is £20.90.", { subject: "Re: Prices", at: day("2026-01-12") }),
    );
    expect((await ask("What does wholemeal cost?")).answer).not.toStartWith("£21.40.");
    expect((await ask("What does rye cost?")).answer).not.toStartWith("£20.90.");
  });

  test("is the number of whom a pronoun names, not of the sender", async () => {
    s.seeded.deliver(s.fromBob("My friend Gareth did our survey. His number is 07700 555 077."));
    expect((await ask("What is Bob's phone number?")).answered).toBe(false);
  });

  test("the opposite is not the answer", async () => {
    s.seeded.deliver(s.fromBob("The swimming pool opens at 8:00.", { subject: "Pool" }));
    expect((await ask("What time does the swimming pool close?")).answered).toBe(false);
  });
});

describe("a short question", () => {
  test("is read by its nouns", async () => {
    s.seeded.deliver(s.fromBob("Please return the consent slip by Friday 27 March.", { subject: "School trip" }));
    s.seeded.deliver(s.fromBob("The boiler service is 120 cash.", { subject: "Boiler" }));
    expect((await ask("consent slip deadline")).answer).toStartWith("Friday 27 March.");
    expect((await ask("boiler service price")).answer).toStartWith("120.");
  });
});

describe("a question that begins with a verb", () => {
  beforeEach(() => {
    s.seeded.deliver(
      s.fromBob("Dogs are welcome.\n\nSmoking is not permitted in the cottage.", {
        subject: "Your stay in the cottage",
      }),
    );
    s.seeded.deliver(s.fromBob("Das Ferienhaus hat leider keinen Aufzug.", { subject: "Ferienhaus Seeblick" }));
  });

  test("is answered with yes or no where a sentence surely says so", async () => {
    expect((await ask("Are dogs welcome in the cottage?")).answer).toStartWith("Yes.\n");
    expect((await ask("Is smoking permitted in the cottage?")).answer).toStartWith("No.\n");
    expect((await ask("Hat das Ferienhaus einen Aufzug?")).answer).toStartWith("No.\n");
  });

  test("is not answered by a sentence about something else", async () => {
    expect((await ask("Are cats welcome in the cottage?")).answered).toBe(false);
    expect((await ask("Hat das Ferienhaus einen Pool?")).answered).toBe(false);
  });

  test("has no yes or no where it depends", async () => {
    s.seeded.deliver(s.fromBob("Bikes are permitted in the yard only if they are locked.", { subject: "Yard" }));
    expect((await ask("Are bikes permitted in the yard?")).answer).not.toMatch(/^(?:Yes|No)\./);
  });
});

describe("a sum", () => {
  test("of another kind than the one asked for is no answer", async () => {
    s.seeded.deliver(s.fromBob("Your loan of £18,000 for the ultrasound machine is approved.", { subject: "Loan" }));
    s.seeded.deliver(s.fromBob("The cottage costs £1,560 for the week.", { subject: "Cottage" }));
    expect((await ask("How much is the ultrasound machine?")).answered).toBe(false);
    expect((await ask("How much is the deposit for the cottage?")).answered).toBe(false);
  });
});

test("attachments and invitations answer, and are cited", async () => {
  const { message_id, n } = deliveredWithFiles();
  s.h.platform.db.write(() =>
    s.mailbox.fileTexts.keep(s.h.user.id, { n, message_id }, [
      { attachment_id: "att_1", name: "offer.pdf", text: "The oak worktop costs 1,480 EUR.\nIt is 3 cm thick." },
      { attachment_id: "att_2", name: "invite.ics", text: "Site visit: Thursday 19 March 2026, 10:00 to 11:00, Porto" },
    ]),
  );
  const sum = await ask("How much does the oak worktop cost?");
  expect(sum.answer).toMatch(/^1,480 EUR\.\nBob Miller on .*: “The oak worktop costs 1,480 EUR\.” \(in offer\.pdf\)$/);
  expect(sum.citations).toMatchObject([{ message_id, attachment_id: "att_1", start: 0, end: 32 }]);
  const visit = await ask("What time is the site visit?");
  expect(visit.answer).toStartWith("10:00");
  expect(visit.citations).toMatchObject([{ attachment_id: "att_2" }]);
});

/** Delivers a message whose attachments wait to be read. */
function deliveredWithFiles(): { message_id: string; n: number } {
  s.seeded.deliver(
    s.fromBob("Here is our offer for the oak worktop, and a date for the site visit.", { subject: "Offer" }),
  );
  const { id, n, account_id } = s.h.platform.db.sql
    .query<{ id: string; n: number; account_id: string }, []>("SELECT id, n, account_id FROM messages ORDER BY n DESC")
    .get()!;
  s.h.platform.db.write(() => s.mailbox.fileTexts.note(n, account_id));
  return { message_id: id, n };
}

test("a long sentence is quoted whole", async () => {
  const rooms = Array.from({ length: 10 }, (_, i) => `room ${i} gets a blue carpet`).join(" and ");
  s.seeded.deliver(s.fromBob(`In the Porto office ${rooms}, and the lease of the Porto office ends on 30 June 2026.`));
  const { answer } = await ask("When does the lease of the Porto office end?");
  expect(answer).toContain("“In the Porto office room 0 gets a blue carpet");
  expect(answer).toEndWith("the lease of the Porto office ends on 30 June 2026.”");
});

test("a sentence about an address is none", async () => {
  s.seeded.deliver(s.fromBob("Our system rejects bills without our VAT number in the address block."));
  expect(await ask("What is Bob Miller's address?")).toMatchObject({ answered: false });
});

test("a day of another matter is no answer if a sentence says what happens", async () => {
  s.seeded.deliver(s.fromBob("I showed the roof to the board yesterday, and they want to sell on 26 March 2026."));
  s.seeded.deliver(s.fromBob("Our board meets on 13 March 2026."));
  const { answered, answer } = await ask("When does the board want to sell?");
  expect(answered && answer.includes("13 March")).toBe(false);
});

describe("where no answer is sure", () => {
  test("the passages that may have it are listed, and nothing is charged", async () => {
    s.seeded.deliver(s.fromBob("The Porto office has a new roof since 4 May.", { subject: "Porto office" }));
    const json = await ask("When was the roof of the Porto warehouse insured?");
    expect(json).toMatchObject({ answered: false, citations: [], credits_spent: 0 });
    expect(json.answer).toStartWith("Not sure. This mail may say it:\n- Porto office, Bob Miller on ");
    expect(json.answer).toEndWith(": “The Porto office has a new roof since 4 May.”");
    expect(json.confidence).toBeNull();
    expect(json.possible.length).toBe(1);
  });

  test("a long passage is shortened", async () => {
    const rooms = Array.from({ length: 12 }, (_, i) => `and room ${i} has a blue carpet`).join(" ");
    s.seeded.deliver(s.fromBob(`The Porto office has a new roof since 4 May ${rooms}.`, { subject: "Porto office" }));
    const json = await ask("When was the roof of the Porto warehouse insured?");
    expect(json.answer).toEndWith(" …”");
    expect(json.answer.length).toBeLessThan(350);
    expect(json.possible[0].quote.length).toBeGreaterThan(300);
  });

  test("a person who is not mentioned has no mail listed", async () => {
    s.seeded.deliver(s.fromBob("The concert is on 4 April at 7 pm.", { subject: "Concert" }));
    expect(await ask("When is the concert of Priscilla?")).toMatchObject({
      answered: false,
      answer: "Nothing in your mail answers this question.",
      possible: [],
    });
  });
});

test("an answer after a model failed says why", async () => {
  server = startModelServer(() => wholeAnswer("I cannot tell."));
  s.h.close();
  s = aiFixture({ config: { "ai.base_url": server.base_url, "ai.model": "tiny" } });
  s.seeded.deliver(s.fromBob("The lease of the Porto office ends on 30 June 2026."));
  const json = await ask("When does the lease of the Porto office end?");
  expect(json).toMatchObject({ answered: true, engine: "extractive" });
  expect(json.fallback).toBeString();
});
