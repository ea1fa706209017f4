import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { readIndex } from "../../../test/support/index-content.ts";
import { indexMessage } from "../../../test/support/index-message.ts";
import { AT, IndexModel, SOON, settle } from "../../../test/support/index-model.ts";
import { type NaiveMessage, naiveMessages, onlyText } from "../../../test/support/naive-index.ts";
import { type Scratch, scratchPlatform } from "../../../test/support/scratch-platform.ts";
import { seedMailbox } from "../../../test/support/seed-mail.ts";
import { Keyring } from "../../platform/sealing/keyring.ts";
import { FullTextIndex, type Maintenance } from "./fulltext-index.ts";
import { parseQuery } from "./query.ts";
import { Reindexer } from "./reindex.ts";
import { repairIndex } from "./repair.ts";
import { FullTextSearch } from "./search.ts";

let s: Scratch;
beforeEach(() => {
  s = scratchPlatform();
});
afterEach(() => s.close());

type Step =
  | { do: "add"; messages: NaiveMessage[] }
  | { do: "replace"; at: number; message: NaiveMessage }
  | { do: "delete"; at: number }
  | { do: "maintain"; maintenance: Partial<Maintenance>; interleaved: Step[] }
  | { do: "abort"; step: Step };

const change: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .array(naiveMessages, { minLength: 1, maxLength: 4 })
      .map((messages) => ({ do: "add" as const, messages })),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("delete" as const), at: fc.nat(30) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("replace" as const), at: fc.nat(30), message: naiveMessages }) },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: change },
  { weight: 1, arbitrary: change.map((aborted) => ({ do: "abort" as const, step: aborted })) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("maintain" as const),
      maintenance: fc.record({ flush: fc.boolean(), compact: fc.boolean() }),
      interleaved: fc.array(change, { maxLength: 3 }),
    }),
  },
);

async function take(model: IndexModel, step: Step): Promise<void> {
  const one = (at: number) => model.numbers[at % Math.max(1, model.numbers.length)];
  switch (step.do) {
    case "add":
      for (const message of step.messages) model.add(message);
      return;
    case "delete":
    case "replace": {
      const n = one(step.at);
      if (n === undefined) return;
      if (step.do === "delete") model.delete(n);
      else model.replace(n, step.message);
      return;
    }
    case "maintain": {
      const interleaved = [...step.interleaved];
      const rest = async () => {
        const next = interleaved.shift();
        if (!next) return;
        await take(model, next);
        model.checkSearch(["invoice", "inv*"]);
      };
      await model.maintain({ ...step.maintenance, rest });
      return;
    }
    case "abort": {
      const before = new Map(model.says);
      expect(() =>
        model.platform.db.write(() => {
          void take(model, step.step);
          throw new Error("aborted");
        }),
      ).toThrow("aborted");
      model.says.clear();
      for (const [n, says] of before) model.says.set(n, says);
    }
  }
}

describe("the index of a user", () => {
  test("has every message exactly once after any sequence of operations", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
        s.close();
        s = scratchPlatform();
        const model = new IndexModel(s);
        for (const each of steps) {
          await take(model, each);
          model.checkSearch();
          model.checkContent();
        }
        await settle(model);
      }),
      { numRuns: 50, endOnFailure: true },
    );
  }, 240_000);

  test("keeps a new message that has the number of a deleted one", async () => {
    const model = new IndexModel(s);
    model.add(onlyText("first"));
    const last = model.add(onlyText("before"));
    await model.maintain({ flush: true });
    model.checkSearch(["before"]);
    model.delete(last);
    expect(model.add(onlyText("after"))).toBe(last);
    model.checkSearch(["before", "after"]);
    await model.maintain({ flush: true });
    model.checkSearch(["before", "after"]);
    await settle(model);
    model.checkSearch(["before", "after"]);
  });
});

describe("searching on the connection that writes", () => {
  test("finds within a transaction what was written there, and nothing of it after a rollback", () => {
    const model = new IndexModel(s, { reader: s.platform });
    const kept = model.add(onlyText("kept invoice"));
    model.checkSearch(["invoice"]);
    expect(() =>
      s.platform.db.write(() => {
        const n = model.add(onlyText("gone invoice"));
        expect(model.find("invoice")).toEqual([kept, n]);
        expect(model.find("gone")).toEqual([n]);
        model.delete(kept);
        expect(model.find("invoice")).toEqual([n]);
        throw new Error("rolled back");
      }),
    ).toThrow("rolled back");
    expect(model.find("gone")).toEqual([]);
    expect(model.find("invoice")).toEqual([kept]);
    // The numbers of the rolled back rows are used again.
    const n = s.platform.db.write(() => model.add(onlyText("other words")));
    expect(model.find("words")).toEqual([n]);
    expect(model.find("gone")).toEqual([]);
  });

  test("keeps a message whose deletion was rolled back after a search had seen it", async () => {
    const model = new IndexModel(s, { reader: s.platform });
    const kept = model.add(onlyText("kept invoice"));
    await model.maintain({ flush: true });
    expect(model.find("invoice")).toEqual([kept]);
    expect(() =>
      s.platform.db.write(() => {
        model.delete(kept);
        expect(model.find("invoice")).toEqual([]);
        throw new Error("rolled back");
      }),
    ).toThrow("rolled back");
    expect(model.find("invoice")).toEqual([kept]);
  });

  test("finds nothing for a user who has no mail and no key yet", () => {
    const bob = s.platform.users.add({ email: "bob@example.org", plan: "autopilot", role: "member", timezone: "UTC" });
    const search = new FullTextSearch(s.platform, seedMailbox(s.platform, s.user.id).mailbox.labels);
    expect(search.find({ user_id: bob.id, account_id: null }, parseQuery("invoice", AT), 10).hits).toEqual([]);
  });
});

test("an index that is rebuilt from the stored text finds the same messages", async () => {
  const model = new IndexModel(s);
  const { platform, mail } = model;
  const reindexer = new Reindexer(platform, model.index);
  const stored = ["invoice of March", "invoices, and more", "東京で会議"].map((text) => {
    const { message_id } = mail.deliver({ subject: text, text });
    indexMessage(platform.db, mail.mailbox, message_id, { subject: text, text });
    return message_id;
  });
  await model.maintain({ flush: true });
  const before = ["invoice", "inv*", "東京で", "subject"].map((text) => model.find(text));
  expect(before[1]!.length).toBe(2);
  const segments = platform.db.sql.query<{ id: number }, []>("SELECT id FROM search_segments").all();
  expect(
    repairIndex(
      platform,
      model.user_id,
      segments.map(({ id }) => id),
    ),
  ).toBe(3);
  expect(model.find("invoice")).toEqual([]);
  while (reindexer.reindexBatch(model.user_id).hasMore);
  expect(["invoice", "inv*", "東京で", "subject"].map((text) => model.find(text))).toEqual(before);
  await model.maintain({ flush: true, compact: true });
  expect(readIndex(platform, model.user_id).length).toBe(stored.length);
  expect(model.count("search_deleted") + model.count("search_queue")).toBe(0);
});

test("an index can be read and extended after its master key was replaced", async () => {
  const model = new IndexModel(s, { reader: s.platform });
  model.add(onlyText("before invoice"));
  await model.flush();
  model.add(onlyText("pending invoice"));
  const next = crypto.getRandomValues(new Uint8Array(32));
  s.platform.keyring.rotate(next);
  const keyring = new Keyring(s.platform.db, s.clock, next);
  const search = new FullTextSearch({ db: s.platform.db, keyring }, model.mail.mailbox.labels);
  const scope = { user_id: model.user_id, account_id: null };
  expect(search.find(scope, parseQuery("invoice", AT), 10).hits.length).toBe(2);
  model.add(onlyText("later invoice"));
  await new FullTextIndex({ db: s.platform.db, keyring }).maintain(model.user_id, { ...SOON, flush: true });
  expect(search.find(scope, parseQuery("invoice", AT), 10).hits.length).toBe(3);
  model.checkContent();
});
