import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createSearchFixture, type SearchFixture } from "../../../test/support/search-fixture.ts";
import { seedMailbox } from "../../../test/support/seed-mail.ts";
import type { SemanticSearch } from "./service.ts";

let s: SearchFixture;
beforeEach(() => {
  s = createSearchFixture();
});
afterEach(() => s.h.close());

/** Creates a model that answers a number of questions and then fails. @returns a counter of its questions */
function failingAfter(answers: number, semantic: SemanticSearch): { asked: number } {
  const count = { asked: 0 };
  s.semantic = {
    search: (request) =>
      count.asked++ < answers ? semantic.search(request) : Promise.reject(new Error("The worker is gone.")),
  };
  return count;
}

const ask = async (body: object) => (await s.h.call("POST", "/search", { body })).json;

describe("a search whose model fails", () => {
  test.each([
    ["herons", "hybrid"],
    ["herons", "semantic"],
    ["heorns", "hybrid"],
    ["herons is:unread", "hybrid"],
    ["herons subject:heron", "hybrid"],
  ])(
    "at any of its questions (%s, %s) falls back to full-text results, which are partial and free",
    async (query, mode) => {
      for (let i = 0; i < 260; i++) s.deliver({ subject: `near ${i}`, flags: { seen: true } });
      for (let i = 0; i < 3; i++) s.deliver({ subject: `heron ${i}`, text: "herons", flags: { seen: false } });
      const near = Object.fromEntries(Array.from({ length: 260 }, (_, i) => [`near ${i}`, 0.9]));
      const words = await s.find(query);
      expect(words.length).toBe(3);
      const all = failingAfter(Number.POSITIVE_INFINITY, s.knowing(near));
      expect(await ask({ query, mode })).toMatchObject({ partial: true, credits_spent: 1 });
      expect(all.asked).toBeGreaterThan(0);
      for (let answers = 0; answers < all.asked; answers++) {
        const count = failingAfter(answers, s.knowing(near));
        const answer = await ask({ query, mode });
        // The question about the spelling before the correction is not needed for the answer.
        if (query === "heorns" && answers > 0 && !answer.partial) continue;
        expect(answer.data.map(({ subject }: { subject: string }) => subject)).toEqual(words);
        expect(answer).toMatchObject({ partial: true, credits_spent: 0 });
        expect(count.asked).toBeGreaterThan(answers);
      }
    },
  );

  test("has as many pages as a keyword search", async () => {
    for (let i = 0; i < 130; i++) s.deliver({ subject: `heron ${i}` });
    const walk = async (mode: string) => {
      const seen: string[] = [];
      for (let cursor: string | undefined; ; ) {
        const page = await ask({ query: "heron", mode, cursor });
        seen.push(...page.data.map(({ message_id }: { message_id: string }) => message_id));
        if (!page.has_more) return seen;
        cursor = page.next_cursor;
      }
    };
    const byKeyword = await walk("keyword");
    expect(byKeyword.length).toBe(130);
    expect(await walk("hybrid")).toEqual(byKeyword);
  });

  test("stays within the requested mailbox", async () => {
    const other = seedMailbox(s.h.platform, s.h.user.id, { mailbox: s.mailbox, email: "ada@second.example" });
    s.deliver({ subject: "heron here" });
    s.deliver({ subject: "heron there" }, other);
    s.deliver({ subject: "near there" }, other);
    for (const answers of [0, 1, 2, 3, 9]) {
      failingAfter(answers, s.knowing({ "heron there": 0.9, "near there": 0.9 }));
      const { data } = await ask({ query: "heron", mode: "hybrid", account_id: s.seeded.account.id });
      expect(data.map(({ subject }: { subject: string }) => subject)).toEqual(["heron here"]);
    }
  });
});

test("the cosine of a keyword hit has the same effect, among the nearest messages or scored separately", async () => {
  s.deliver({ subject: "heron" });
  const near = { heron: 0.15 };
  s.semantic = s.knowing(near);
  const [among] = (await ask({ query: "heron", mode: "hybrid" })).data;
  // A model that returns no neighbors at this distance.
  s.semantic = { search: async (request) => ({ ...(await s.knowing(near).search(request)), near: [] }) };
  const [asked] = (await ask({ query: "heron", mode: "hybrid" })).data;
  expect(among.score).toBe(asked.score);
});
