import { afterEach, beforeEach, expect, test } from "bun:test";
import { type AiFixture, aiFixture } from "../../../../test/support/ai-fixture.ts";

let s: AiFixture;
beforeEach(() => {
  s = aiFixture();
});
afterEach(() => s.h.close());

const answerTo = async (question: string): Promise<string | null> => {
  const { json } = await s.h.call("POST", "/ai/ask", { body: { question } });
  expect(json.answered || json.possible.length <= 3).toBe(true);
  return json.answered ? json.answer : null;
};

const HONORARIUM = "Hola Ada: cubrimos viaje, dos noches de hotel y 900 € de honorarios.";

test.each([
  ["a sum belongs to another noun", HONORARIUM, "What does the hotel cost?"],
  [
    "a sum in brackets belongs to the noun before",
    "Preciso da nota de honorários (900 €) do hotel.",
    "How much is the hotel?",
  ],
  ["a verb alone is shared", "I'd like to close everything by 2 December 2026.", "When does the hotel close?"],
  ["there is no place", "We confirm your room at the hotel with a view of the garden.", "Where is the hotel?"],
  ["there is no address", "The workshop takes place at our Leeds office.", "What is the address of the office?"],
  ["a language is no place", "Yes, the workshop is in English.", "Where is the workshop?"],
  ["a forecast is no yes", "Your parcel is expected tomorrow.", "Is the parcel delivered?"],
  ["a cause of something else", "The key stays so that nothing else has to change.", "Why was the hotel changed?"],
  ["the number counts another noun", "Children need a coat and one soft toy.", "How many children are coming?"],
  [
    "a sum is no number of units",
    "The electricity of January cost 64.18 EUR.",
    "How many kWh of electricity did we use?",
  ],
  [
    "another noun costs the sum",
    "The fiber is installed on 5 March 2026. A visit costs €25 if nobody is at home.",
    "How much is the fiber?",
  ],
  [
    "another sentence names a person",
    "Sue needs the colors by July. The flowers arrive soon.",
    "Who makes the flowers?",
  ],
  ["a choice is left", "The painter can come on 11 July 2026 or on 12 July 2026.", "When does the painter come?"],
])("nothing is answered where %s", async (_why, text, question) => {
  s.seeded.deliver(s.fromBob(text, { subject: "News" }));
  expect(await answerTo(question)).toBeNull();
});

test("a value of last year is not the one of now", async () => {
  s.seeded.deliver(s.fromBob("Public liability insurance: last year you paid £264.10.", { subject: "Renewal" }));
  expect(await answerTo("What does the public liability insurance cost now?")).toBeNull();
});

test("two matters with different values are no answer", async () => {
  s.seeded.deliver(s.fromBob("The rent is £920 a month.", { subject: "Flat" }));
  s.seeded.deliver({
    ...s.fromBob("The rent is £48 a year.", { subject: "Allotment" }),
    from: { name: "Council", email: "plots@council.example" },
  });
  expect(await answerTo("How much is the rent?")).toBeNull();
});

test("what is asked about, in the sentence or the subject, is answered", async () => {
  s.seeded.deliver(s.fromBob("The hotel costs 92 EUR a night.", { subject: "Trip" }));
  s.seeded.deliver(s.fromBob("It closes on 9 August 2026.", { subject: "Hazard log" }));
  expect(await answerTo("What does the hotel cost?")).toStartWith("92 EUR.");
  expect(await answerTo("When does the hazard log close?")).toStartWith("9 August 2026.");
});

test("a sum of another kind beside the price is no rival", async () => {
  s.seeded.deliver(
    s.fromBob("The fee is £385, and the deposit of £100 was due in January.", { subject: "Ski course of the school" }),
  );
  expect(await answerTo("How much is the ski course?")).toStartWith("£385.");
});

test("a day of the week that comes again is not over", async () => {
  s.seeded.deliver({
    ...s.fromBob("Our van delivers in Leeds on Tuesdays.", { subject: "The mill" }),
    at: s.h.clock.now() - 60 * 86_400_000,
  });
  expect(await answerTo("On which day does the mill deliver in Leeds?")).toStartWith("Tuesdays.");
});

test("the noun after an auxiliary is what is asked about, and a sentence without a subject is about the one before", async () => {
  s.seeded.deliver(s.fromBob("There is breakfast in the garden. Costs £12 per person.", { subject: "Your stay" }));
  expect(await answerTo("What does breakfast cost?")).toStartWith("£12.");
});
