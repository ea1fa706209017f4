import { afterEach, describe, expect, test } from "bun:test";
import { type AiFixture, aiFixture, BOB } from "../../../test/support/ai-fixture.ts";
import {
  type ModelScript,
  type ModelServer,
  startModelServer,
  wholeAnswer,
} from "../../../test/support/model-server.ts";
import { usageRoutes } from "../usage/routes.ts";

let s: AiFixture;
let server: ModelServer | null = null;
afterEach(async () => {
  s.h.close();
  await server?.close();
  server = null;
});

function setUp(script: ModelScript | null = null, config: object = {}): void {
  server = script && startModelServer(script);
  const model = server ? { "ai.base_url": server.base_url, "ai.model": "tiny" } : {};
  s = aiFixture({ config: { ...model, ...config } }, (platform, _mailbox, outbound) =>
    usageRoutes(platform, outbound.sends),
  );
}

interface Cited {
  message_id: string;
  quote: string;
  start: number;
  end: number;
}
function expectCited(citations: Cited[]): void {
  for (const { message_id, quote, start, end } of citations) expect(s.slice(message_id, start, end)).toBe(quote);
}

const LEASE = "Hi Ada,\n\nthe lease of the Porto office ends on 30 June 2026. The rent is 1,450 EUR a month.\n\nBob";
const ask = (question: string) => s.h.call("POST", "/ai/ask", { body: { question } });
const fill = () => {
  const { thread_id, message_ids } = s.seeded.converse(
    s.fromBob(LEASE, { subject: "Office in Porto" }),
    s.toBob("Thank you! We decided to stay in the Porto office. I will sign the new lease by Friday."),
  );
  s.seeded.deliver(s.fromBob("The cat of the neighbours ate my lunch.", { subject: "Cat" }));
  return { thread_id, message_ids };
};

describe("asking", () => {
  test.each([
    ["When does the lease of the Porto office end?", "the lease of the Porto office ends on 30 June 2026."],
    ["How much is the rent in Porto?", "The rent is 1,450 EUR a month."],
    ["Who ate my lunch?", "The cat of the neighbours ate my lunch."],
  ])("%s", async (question, sentence) => {
    setUp();
    fill();
    const { status, json } = await ask(question);
    expect(status).toBe(200);
    expect(json).toMatchObject({ answered: true, credits_spent: 1, engine: "extractive" });
    expect(json.answer).toContain(sentence);
    expect(json.citations.length).toBeGreaterThan(0);
    expectCited(json.citations);
  });

  test.each([
    "When does the lease of the Madrid warehouse end?",
    "What is the password of the bank?",
    "Who won the world cup in 1954?",
    "?",
    "the of and",
  ])("%s: the mail does not answer it, so no answer is given", async (question) => {
    setUp();
    fill();
    const { json } = await ask(question);
    expect(json).toMatchObject({ answered: false, citations: [] });
    expect(json.answer).not.toContain("Porto");
  });

  test("sees only the mailbox that the key is bound to, and never another user's mail", async () => {
    setUp();
    fill();
    const other = s.mailbox.accounts.add({
      user_id: s.h.user.id,
      provider: "imap",
      email: "ada@other.example",
      connection: null,
    });
    const bound = s.h.newKey({ account_id: other.id });
    const question = "When does the lease of the Porto office end?";
    const blind = await s.h.call("POST", "/ai/ask", { key: bound.secret, body: { question } });
    expect(blind.json.answered).toBe(false);
    const zoe = s.h.newKey({ user_id: s.h.newUser("zoe@example.org").id });
    expect((await s.h.call("POST", "/ai/ask", { key: zoe.secret, body: { question } })).json.answered).toBe(false);
  });

  test("accepts a model's answer if its quotes are in the mail", async () => {
    const citations = [
      { mail: 1, quote: "lease of the  Porto office\nends on 30 June 2026" },
      { mail: 1, quote: "it is renewed by itself" },
    ];
    setUp((askd) => {
      const mail = Number(
        /\[(\d+)\] from Bob Miller[^\n]*\nHi Ada,\n\nthe lease/.exec(askd.body.messages[1]!.content)![1],
      );
      return wholeAnswer(
        JSON.stringify({
          answered: true,
          answer: "It ends on 30 June 2026.",
          citations: citations.map((c) => ({ ...c, mail })),
        }),
      );
    });
    fill();
    const { json } = await ask("When does the lease of the Porto office end?");
    expect(json).toMatchObject({ answer: "It ends on 30 June 2026.", engine: "local" });
    // The invented quote is dropped. The other one is returned as the stored text has it.
    expect(json.citations).toHaveLength(1);
    expect(json.citations[0].quote).toBe("lease of the Porto office ends on 30 June 2026");
    expectCited(json.citations);
  });

  test.each([
    [
      "cites words that are not in the mail",
      { answered: true, answer: "It ends in May.", citations: [{ mail: 1, quote: "it ends in May 2031" }] },
    ],
    [
      "cites a mail that was not sent to it",
      { answered: true, answer: "It ends.", citations: [{ mail: 99, quote: "the lease of the Porto office" }] },
    ],
    ["cites a fragment", { answered: true, answer: "Yes.", citations: [{ mail: 1, quote: "the" }] }],
    [
      "adds a link",
      {
        answered: true,
        answer: "See https://evil.example/?q=lease",
        citations: [
          { mail: 1, quote: "The rent is 1,450 EUR a month." },
          { mail: 2, quote: "The rent is 1,450 EUR a month." },
        ],
      },
    ],
  ])("a model that %s is not trusted: the built-in engine answers", async (_what, reply) => {
    setUp(() => wholeAnswer(JSON.stringify(reply)));
    fill();
    const { json } = await ask("When does the lease of the Porto office end?");
    expect(json.engine).toBe("extractive");
    expect(json.answer).toContain("30 June 2026");
    expect(json.answer).not.toContain("evil");
    expectCited(json.citations);
  });

  test("gives no answer when the model says that the mail has none", async () => {
    setUp(() => wholeAnswer('{"answered":false,"answer":"","citations":[]}'));
    fill();
    expect((await ask("When does the lease of the Porto office end?")).json).toMatchObject({
      answered: false,
      citations: [],
      engine: "local",
    });
  });
});

describe("the cost of a question", () => {
  const QUESTION = "When does the lease of the Porto office end?";
  const used = () => s.h.platform.meters.used("ai_credits", s.h.user.id);
  const shown = async () => [(await s.h.call("GET", "/usage")).json.ai_credits.used, used()];

  test.each([
    ["by the built-in engine", null, "extractive"],
    ["by a model", () => wholeAnswer('{"answered":false,"answer":"","citations":[]}'), "local"],
    ["by the built-in engine after the model failed", () => new Response("no", { status: 400 }), "extractive"],
    ["by the built-in engine after the model answered nonsense", () => wholeAnswer("I cannot tell."), "extractive"],
  ] as const)("is nothing when it is not answered %s", async (_how, script, engine) => {
    setUp(script as ModelScript | null);
    fill();
    const { status, json } = await ask(
      engine === "local" ? QUESTION : "When does the lease of the Madrid warehouse end?",
    );
    expect([status, json]).toEqual([200, expect.objectContaining({ answered: false, credits_spent: 0, engine })]);
    expect(await shown()).toEqual([0, 0]);
    expect((server?.asked.length ?? 0) > 0).toBe(script !== null);
  });

  test("is nothing in an empty mailbox, and nothing for a question without words", async () => {
    setUp();
    expect((await ask(QUESTION)).json).toMatchObject({ answered: false, credits_spent: 0 });
    fill();
    for (const question of ["?", "👍", "the of and"]) {
      expect((await ask(question)).json).toMatchObject({ answered: false, credits_spent: 0 });
    }
    expect(await shown()).toEqual([0, 0]);
  });

  test("is 1 credit when it is answered, even by the built-in engine after the model failed", async () => {
    setUp(() => new Response("no", { status: 400 }));
    fill();
    expect((await ask(QUESTION)).json).toMatchObject({ answered: true, credits_spent: 1, engine: "extractive" });
    expect(await shown()).toEqual([1, 1]);
  });

  test("is not charged twice for a retry with the same Idempotency-Key, answered or not", async () => {
    setUp();
    fill();
    for (const [question, key, spent] of [
      ["Who won the world cup in 1954?", "k1", 0],
      [QUESTION, "k2", 1],
    ] as const) {
      const call = () => s.h.call("POST", "/ai/ask", { body: { question }, headers: { "Idempotency-Key": key } });
      const first = await call();
      const again = await call();
      expect(again.headers.get("idempotency-replayed")).toBe("true");
      expect(again.json).toEqual(first.json);
      expect(again.json.credits_spent).toBe(spent);
    }
    expect(await shown()).toEqual([1, 1]);
  });

  test("leaves the last credit of a metered plan untouched when the question is not answered", async () => {
    setUp(null, { "ai.metered": true, "limits.autopilot.ai_credits_per_month": 1 });
    fill();
    for (let i = 0; i < 3; i++) expect((await ask("Who won the world cup in 1954?")).json.credits_spent).toBe(0);
    expect((await ask(QUESTION)).json.credits_spent).toBe(1);
    expect((await ask(QUESTION)).json.error.code).toBe("insufficient_credits");
  });

  test("a summary and an extraction that find nothing cost nothing", async () => {
    setUp();
    const { thread_id } = s.seeded.converse(s.fromBob("", { subject: "Empty" }));
    const summary = (await s.h.call("POST", "/ai/summarize", { body: { thread_id } })).json;
    expect(summary).toMatchObject({ points: [], summary: "", credits_spent: 0 });
    const found = (await s.h.call("POST", "/ai/extract", { body: { thread_id } })).json;
    expect(found).toMatchObject({ commitments: [], dates: [], asks: [], decisions: [], amounts: [], credits_spent: 0 });
    expect(await shown()).toEqual([0, 0]);
  });

  test("an extraction that finds anything costs 1 credit", async () => {
    setUp();
    const { thread_id } = s.seeded.converse(s.fromBob("The rent is 1,450 EUR."));
    const { json } = await s.h.call("POST", "/ai/extract", { body: { thread_id } });
    expect([json.amounts.length, json.credits_spent]).toEqual([1, 1]);
    expect(await shown()).toEqual([1, 1]);
  });
});

describe("a summary", () => {
  test("consists of sentences of the thread, each with its position", async () => {
    setUp();
    const { thread_id } = fill();
    const { json } = await s.h.call("POST", "/ai/summarize", { body: { thread_id } });
    expect(json).toMatchObject({ thread_id, engine: "extractive", credits_spent: 1 });
    expect(json.points.length).toBeGreaterThan(1);
    expect(json.summary).toContain("We decided to stay in the Porto office.");
    expectCited(json.points.map(({ citation }: { citation: Cited }) => citation));
  });

  test("by a model keeps only the points that its quotes support", async () => {
    const points = [
      { text: "The lease ends on 30 June 2026.", mail: 1, quote: "the lease of the Porto office ends on 30 June 2026" },
      { text: "They pay 9,000 EUR.", mail: 1, quote: "The rent is 1,450 EUR a month" },
      { text: "They are happy.", mail: 1, quote: "we are all very happy about it" },
    ];
    setUp(() => wholeAnswer(JSON.stringify({ points })));
    const { thread_id } = fill();
    const { json } = await s.h.call("POST", "/ai/summarize", { body: { thread_id } });
    expect(json.engine).toBe("local");
    expect(json.summary).toBe("The lease ends on 30 June 2026.");
    expectCited(json.points.map(({ citation }: { citation: Cited }) => citation));
  });

  test("of a thread that does not exist is a 404 and costs nothing", async () => {
    setUp();
    for (const thread_id of ["thr_01jz4t9h2m8q5r7v3w6x0y1z2a", "nonsense"]) {
      expect((await s.h.call("POST", "/ai/summarize", { body: { thread_id } })).status).toBe(404);
      expect((await s.h.call("POST", "/ai/extract", { body: { thread_id } })).status).toBe(404);
    }
    expect(s.h.platform.meters.used("ai_credits", s.h.user.id)).toBe(0);
  });
});

test("each extracted item is where its citation says", async () => {
  setUp();
  const { thread_id } = s.seeded.converse(
    s.fromBob("Hi Ada,\n\nthe rent is 1,450 EUR. Could you sign by 12 March 2026?\n\nBob"),
    s.toBob("We decided to stay. I will sign it tomorrow."),
  );
  const { json } = await s.h.call("POST", "/ai/extract", { body: { thread_id } });
  expect(json.asks).toEqual([
    expect.objectContaining({ quote: "Could you sign by 12 March 2026?", from: BOB, due: "2026-03-12" }),
  ]);
  expect(json.commitments).toEqual([
    expect.objectContaining({ quote: "I will sign it tomorrow.", by: "me", due: "2026-02-02", kept: false }),
  ]);
  expect(json.decisions.map(({ quote }: Cited) => quote)).toEqual(["We decided to stay."]);
  expect(json.amounts).toEqual([expect.objectContaining({ quote: "1,450 EUR", currency: "EUR", value: 1450 })]);
  expect(json.dates.map(({ date }: { date: string }) => date)).toEqual(["2026-03-12", "2026-02-02"]);
  for (const list of [json.asks, json.commitments, json.decisions, json.amounts, json.dates]) expectCited(list);
});

test("without credits every request is refused before the model is called", async () => {
  setUp(() => wholeAnswer("{}"), { "ai.metered": true, "limits.autopilot.ai_credits_per_month": 0 });
  const { thread_id } = fill();
  for (const [path, body] of [
    ["/ai/ask", { question: "When?" }],
    ["/ai/summarize", { thread_id }],
    ["/ai/extract", { thread_id }],
  ] as const) {
    expect((await s.h.call("POST", path, { body })).json.error.code).toBe("insufficient_credits");
  }
  expect(server!.asked).toEqual([]);
});

test("the ledger is paged, newest first, and shows only the user's own calls", async () => {
  setUp(() => wholeAnswer('{"answered":false,"answer":"","citations":[]}'));
  fill();
  for (let i = 0; i < 3; i++) await ask("When does the lease end?");
  const first = (await s.h.call("GET", "/ai/calls?limit=2")).json;
  expect([first.data.length, first.has_more]).toEqual([2, true]);
  const second = (await s.h.call("GET", `/ai/calls?limit=2&cursor=${first.next_cursor}`)).json;
  expect([second.data.length, second.has_more]).toEqual([1, false]);
  const zoe = s.h.newKey({ user_id: s.h.newUser("zoe@example.org").id });
  expect((await s.h.call("GET", "/ai/calls", { key: zoe.secret })).json.data).toEqual([]);
});

test("concurrent answers, summaries and briefs never overdraw the credits", async () => {
  setUp(null, { "ai.metered": true, "limits.autopilot.ai_credits_per_month": 4 });
  const { thread_id } = fill();
  const answers = await Promise.all(
    [1, 2, 3].flatMap(() => [
      ask("Who ate my lunch?"),
      s.h.call("POST", "/ai/summarize", { body: { thread_id } }),
      s.h.call("POST", "/brief/generate"),
    ]),
  );
  const spent = answers.filter(({ status }) => status === 200).reduce((sum, { json }) => sum + json.credits_spent, 0);
  expect(answers.every(({ status }) => status === 200 || status === 402)).toBe(true);
  expect(spent).toBeGreaterThan(0);
  expect(spent).toBeLessThanOrEqual(4);
  expect(s.h.platform.meters.used("ai_credits", s.h.user.id)).toBe(spent);
});
