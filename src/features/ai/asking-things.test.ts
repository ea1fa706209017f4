import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { type AiFixture, aiFixture } from "../../../test/support/ai-fixture.ts";

let s: AiFixture;
beforeEach(() => {
  s = aiFixture();
});
afterEach(() => s.h.close());

async function ask(question: string): Promise<{ answered: boolean; answer: string }> {
  const { json } = await s.h.call("POST", "/ai/ask", { body: { question } });
  return json;
}

describe("things with a letter or a number", () => {
  beforeEach(() => {
    s.seeded.deliver(
      s.fromBob("Stage A, three weeks, costs 9,400 EUR.\n\nStage B, two weeks, costs 6,100 EUR.", {
        subject: "Two stages",
      }),
    );
  });

  test("have their own values", async () => {
    expect((await ask("How much is stage A?")).answer).toStartWith("9,400 EUR.");
    expect((await ask("How much is stage B?")).answer).toStartWith("6,100 EUR.");
  });

  test("have none of another one", async () => {
    expect((await ask("How much is stage C?")).answered).toBe(false);
  });
});

test("a pronoun stands for what the part of the sentence before names", async () => {
  s.seeded.deliver(
    s.fromBob("I showed the figures to the board yesterday and they want to launch on Thursday 26 March.", {
      subject: "Checkout",
    }),
  );
  expect((await ask("When does the board want to launch?")).answer).toStartWith("Thursday 26 March.");
});

test("what expires after some time is answered with that time", async () => {
  s.seeded.deliver(s.fromBob("The link for patients must expire after 72 hours.", { subject: "Portal" }));
  expect((await ask("When does the link for patients expire?")).answer).toStartWith("72 hours.");
});

test("the name of a hotel is a place without a word of place", async () => {
  s.seeded.deliver(s.fromBob("We have booked the Hotel Mirador for you, two nights.", { subject: "Valencia" }));
  expect((await ask("Which hotel did they book for me in Valencia?")).answer).toContain("Hotel Mirador");
});

test("a discount is what is off", async () => {
  s.seeded.deliver(s.fromBob("25 % off everything with a zip until Sunday.", { subject: "Kestrel Bags" }));
  expect((await ask("What discount does Kestrel Bags offer?")).answer).toStartWith("25 %.");
});

test("the flight of someone is its number", async () => {
  s.seeded.deliver({
    ...s.fromBob("Booked! AeroTejo TJ 482 from Bristol, landing 14:35.\n\nLove, Mum"),
    from: { name: "Joan Hill", email: "joan@example.com" },
  });
  expect((await ask("What is Mum's flight?")).answer).toStartWith("TJ 482.");
});

test("what follows an apology and a colon is the reason", async () => {
  s.seeded.deliver(
    s.fromBob("I am sorry to cancel the workshop in Leeds: two wards are closed and nobody can leave.", {
      subject: "Workshop in Leeds",
    }),
  );
  expect((await ask("Why was the workshop in Leeds cancelled?")).answer).toContain("two wards are closed");
});

test("someone who does something in a later part of a sentence is named", async () => {
  s.seeded.deliver(s.fromBob("Umzug ist am 28. März, Lea fährt den Transporter.", { subject: "Umzug" }));
  expect((await ask("Wer fährt den Transporter?")).answer).toContain("Lea");
});

test("the opposite of what is asked denies it once", async () => {
  s.seeded.deliver(s.fromBob("The van failed its MOT: two tyres.", { subject: "Van" }));
  expect((await ask("Did the van pass its MOT?")).answer).not.toStartWith("Yes");
});

describe("a value of something else is none", () => {
  test("such as the flight of another person", async () => {
    s.seeded.deliver({
      ...s.fromBob("TJ 482 lands at 14:35. I'll ask Tom to bring the drawing board.\n\nLove, Mum"),
      from: { name: "Joan Hill", email: "joan@example.com" },
    });
    expect((await ask("What is Tom's flight?")).answered).toBe(false);
  });

  test("such as the number of the flight for the seat on it", async () => {
    s.seeded.deliver(
      s.fromBob("Out  TJ 1026, Lisbon 16:20, Valencia 18:55\nSeat  11A", { subject: "Flight to Valencia" }),
    );
    expect((await ask("What seat do I have on the flight to Valencia?")).answer).not.toStartWith("TJ");
  });

  test("such as the number of a week for how many words there are", async () => {
    s.seeded.deliver(s.fromBob("Week two, and the words of the form are ready to read.", { subject: "The form" }));
    expect((await ask("How many words does the form have?")).answered).toBe(false);
  });

  test("such as the day of another part of a later sentence", async () => {
    s.seeded.converse(
      s.fromBob("We need the slides by Monday 16 March.", { subject: "Talk", at: Date.parse("2026-02-20T09:00:00Z") }),
      s.toBob("I'll send you the photo tomorrow, and you will have the slides by Monday 16 March.", {
        at: Date.parse("2026-02-21T09:00:00Z"),
      }),
    );
    expect((await ask("By when do I have to send the slides?")).answer).toStartWith("Monday 16 March.");
  });
});
