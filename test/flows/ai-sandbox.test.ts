import { afterAll, beforeAll, expect, test } from "bun:test";
import { type AiServices, createAi } from "../../src/app/ai.ts";
import { createPeople } from "../../src/app/people.ts";
import { seed } from "../../src/app/sandbox.ts";
import { briefText } from "../../src/features/brief/email.ts";
import type { Brief } from "../../src/features/brief/model.ts";
import { createMailbox, type Mailbox } from "../../src/mailbox/mailbox.ts";
import { Conversations } from "../../src/mailbox/queries/conversations.ts";
import { createOutbound } from "../../src/outbound/outbound.ts";
import { figures } from "../../tools/intent/fit.ts";
import { createHarness, type Harness } from "../support/http-harness.ts";

/** The brief of the sandbox, as a new user sees it, compared with what a person who read the mail would include. */

let h: Harness;
let mailbox: Mailbox;
let ai: AiServices;
let brief: Brief;
let key: string;
let user_id: string;

beforeAll(async () => {
  h = createHarness({
    routes: (platform) => {
      mailbox = createMailbox(platform);
      const outbound = createOutbound(platform, mailbox);
      ai = createAi({ platform, mailbox, outbound, people: createPeople(platform, mailbox) });
      return ai.routes;
    },
  });
  user_id = h.platform.users.sandboxOf(h.user.id).id;
  await seed(h.platform, mailbox, user_id);
  key = h.newKey({ test: true }).secret;
  await h.call("POST", "/brief/generate", { key });
  brief = (await h.call("GET", "/brief/latest", { key })).json;
}, 60_000);
afterAll(() => h.close());

/** Beginnings of the subjects of the threads in which someone waits for Alex, judged by reading the whole inbox. */
const WAITING = [
  "Re: Patient onboarding",
  "Re: Diseño Abierto",
  "Re: Climbing weekend",
  "Re: Audioguide",
  "Re: Mum's 70th",
  "Re: Vehicle step",
  "Re: Neuer Onlineshop",
  "Website for a small school",
  "Icon licence",
  "Re: Coming to see you!",
  "RE: Infiltração",
  "Re: Van silhouettes",
  "Re: IVA do trimestre",
  "Re: Almoço de domingo",
  "Re: 「雲」",
  "Re: هوية",
];
/** Open promises with a date: who made them, and the date. */
const PROMISED = [
  "me 2026-03-04",
  "me 2026-03-04",
  "them 2026-03-05",
  "me 2026-03-05",
  "me 2026-03-06",
  "me 2026-03-06",
  "me 2026-03-06",
  "me 2026-03-09",
  "me 2026-03-16",
];

test("needs_reply matches a person's judgment", () => {
  const conversations = new Conversations(h.platform, mailbox.accounts).of({ user_id, account_id: null });
  const listed = new Set(brief.needs_reply.map(({ thread_id }) => thread_id));
  const answers = conversations.threadsSince(["inbox"], 0).map(({ id }) => {
    const { subject } = conversations.messages(id).at(-1)!.head;
    return [listed.has(id), WAITING.some((beginning) => subject.startsWith(beginning))] as const;
  });
  expect(answers.filter(([, truth]) => truth)).toHaveLength(WAITING.length);
  const { precision, recall, f1 } = figures(answers);
  console.info(
    `needs_reply, sandbox, ${answers.length} threads: precision ${precision.toFixed(2)}, recall ${recall.toFixed(2)}, F1 ${f1.toFixed(2)}`,
  );
  expect(precision).toBeGreaterThanOrEqual(0.9);
  expect(recall).toBeGreaterThanOrEqual(0.9);
});

test("commitments match a person's judgment", () => {
  const listed = brief.commitments.map(({ by, due }) => `${by} ${due}`);
  const wanted = [...PROMISED];
  const hits = listed.filter((item) => {
    const at = wanted.indexOf(item);
    if (at >= 0) wanted.splice(at, 1);
    return at >= 0;
  }).length;
  const precision = hits / listed.length;
  const recall = hits / PROMISED.length;
  console.info(
    `commitments, sandbox: precision ${precision.toFixed(2)}, recall ${recall.toFixed(2)}, F1 ${((2 * precision * recall) / (precision + recall)).toFixed(2)}`,
  );
  expect(precision).toBeGreaterThanOrEqual(0.8);
  expect(recall).toBeGreaterThanOrEqual(0.8);
});

test("every item quotes its message word for word at the given position", () => {
  const items = [...brief.needs_reply, ...brief.commitments, ...brief.undated];
  expect(items.length).toBeGreaterThan(15);
  for (const { message_id, quote, start, end } of items) {
    const { body_text } = mailbox.messageQueries.get({ user_id, account_id: null }, message_id);
    expect(body_text.slice(start, end)).toBe(quote);
  }
});

test("the brief can be read as a mail, too", () => {
  const { subject, text } = briefText(brief, "Europe/Lisbon");
  expect(subject).toBe("Your brief for 2026-03-02");
  expect(text).toStartWith("Waiting for your reply\n- ");
  expect(text).toContain("Could you send me one slide with before and after numbers?");
});

test("questions about the sandbox are answered from its mail or not answered", async () => {
  const ask = async (question: string) => (await h.call("POST", "/ai/ask", { key, body: { question } })).json;
  const closing = await ask("When does the hazard log close?");
  expect(closing.answer).toContain("Monday 9 March");
  for (const { message_id, quote, start, end } of closing.citations) {
    expect(mailbox.messageQueries.get({ user_id, account_id: null }, message_id).body_text.slice(start, end)).toBe(
      quote,
    );
  }
  expect((await ask("How much did the submarine of the mayor cost?")).answered).toBe(false);
}, 30_000);
