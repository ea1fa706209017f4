import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { AT, IndexModel, SMALL, SOON, settle } from "../../../test/support/index-model.ts";
import { manyWords, naiveMessages, onlyText } from "../../../test/support/naive-index.ts";
import { type Scratch, scratchPlatform } from "../../../test/support/scratch-platform.ts";
import type { Platform } from "../../platform/platform.ts";
import { FullTextIndex } from "./fulltext-index.ts";

let s: Scratch;
beforeEach(() => {
  s = scratchPlatform();
});
afterEach(() => s.close());

describe("several processes that maintain an index at the same time", () => {
  test("lose no message: one of two processes that maintain the index gives up", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(naiveMessages, { minLength: 4, maxLength: 24 }),
        fc.array(fc.nat(23), { maxLength: 8 }),
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 0, max: 4 }),
        async (messages, deleted, begins, steps) => {
          s.close();
          s = scratchPlatform();
          const model = new IndexModel(s);
          const other = new FullTextIndex(s.another(), SMALL);
          for (const message of messages) model.add(message);
          await model.maintain({ flush: true });
          for (const at of deleted) if (at < model.numbers.length) model.delete(model.numbers[at]!);
          for (const message of messages.slice(0, 4)) model.add(message);
          // The second process starts at some step of the first one, and each continues when the other one yields.
          const resumes: (() => void)[] = [];
          let [count, second]: [number, Promise<void> | null] = [0, null];
          const otherRests = () => new Promise<void>((resolve) => void resumes.push(resolve));
          const rest = async () => {
            if (++count === begins)
              second = other.maintain(model.user_id, { compact: true, flush: true, rest: otherRests });
            for (let i = 0; i < steps; i++) {
              resumes.shift()?.();
              await Promise.resolve();
            }
            model.checkSearch(["invoice"]);
          };
          await model.maintain({ compact: true, flush: true, rest });
          let isOver = second === null;
          void (second as Promise<void> | null)?.then(() => {
            isOver = true;
          });
          for (let i = 0; !isOver && i < 10_000; i++) {
            resumes.shift()?.();
            await Promise.resolve();
          }
          await second;
          model.checkContent();
          model.checkSearch();
          await settle(model);
        },
      ),
      { numRuns: 30, endOnFailure: true },
    );
  }, 240_000);

  test("the index stays complete when a process ends at any step of maintaining it", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(naiveMessages, { minLength: 6, maxLength: 20 }),
        fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 4 }),
        async (messages, ends) => {
          s.close();
          s = scratchPlatform();
          const model = new IndexModel(s);
          for (const [i, message] of messages.entries()) {
            model.add(message);
            if (i % 3 === 2) model.delete(model.numbers[i % model.numbers.length]!);
          }
          for (const end of ends) {
            let left = end;
            const rest = async () => {
              if (--left === 0) throw new Error("killed");
            };
            await model.maintain({ flush: true, compact: true, rest }).catch(() => {});
            model.checkContent();
            model.checkSearch();
          }
          await settle(model);
        },
      ),
      { numRuns: 30, endOnFailure: true },
    );
  }, 240_000);

  test.each(["no segment", "a segment"])(
    "changes by another process while a segment is built are kept, where there is %s",
    async (present) => {
      const model = new IndexModel(s);
      if (present === "a segment") {
        model.add(onlyText("older invoice"));
        await model.flush();
      }
      const [kept, replaced, deleted] = ["kept", "replaced", "deleted"].map((text) =>
        model.add(onlyText(`${text} invoice`)),
      );
      const other = s.another();
      const concurrentWork = [
        () => {
          other.db.sql.run("DELETE FROM messages WHERE n = ?", [deleted!]);
          model.says.delete(deleted!);
          const index = new FullTextIndex(other, SMALL);
          const says = onlyText("new invoice");
          other.db.write(() => index.replace(model.user_id, replaced!, AT, index.reader.read(says.message)));
          model.says.set(replaced!, says);
        },
      ];
      // The keyring is used after the rows have been read and before the segment is stored.
      const forUser = (user_id: string) => {
        concurrentWork.pop()?.();
        return s.platform.keyring.forUser(user_id);
      };
      const keyring = { forUser } as Platform["keyring"];
      const index = new FullTextIndex({ db: s.platform.db, keyring }, { ...SMALL, fan: 1_000, maxFlushed: 3 });
      await index.maintain(model.user_id, { ...SOON, flush: true });
      expect(concurrentWork).toEqual([]);
      model.checkContent();
      model.checkSearch(["invoice", "kept", "replaced", "new", "deleted"]);
      expect(model.find("kept")).toEqual([kept!]);
      await settle(model);
    },
  );

  test("pending documents are indexed once when two processes build a segment of them", async () => {
    const model = new IndexModel(s);
    for (let i = 0; i < 7; i++) model.add(onlyText(`invoice ${i}`));
    const other = new FullTextIndex(s.another(), SMALL);
    const work: Promise<void>[] = [];
    const forUser = (user_id: string) => {
      if (work.length === 0) work.push(other.maintain(user_id, { ...SOON, flush: true }));
      return s.platform.keyring.forUser(user_id);
    };
    const index = new FullTextIndex({ db: s.platform.db, keyring: { forUser } as Platform["keyring"] }, SMALL);
    await index.maintain(model.user_id, { ...SOON, flush: true });
    await Promise.all(work);
    expect(work.length).toBe(1);
    await settle(model);
  });

  test("messages that are deleted while their segments are merged are left out", async () => {
    const model = new IndexModel(s);
    for (let i = 0; i < 4; i++) {
      model.add(onlyText(`common number ${manyWords(300, i * 100)}`));
      await model.flush();
    }
    const wanted = [1, 2, 3].map((i) => model.add(onlyText(`common last ${i}`)));
    await model.flush();
    let steps = 0;
    const rest = async () => {
      if (++steps === 4) model.delete(model.numbers[0]!);
      if (steps === 5) model.delete(wanted[0]!);
      model.checkSearch(["common"]);
    };
    await model.maintain({ rest });
    expect(steps).toBeGreaterThan(5);
    model.checkContent();
    await settle(model);
  });

  test("messages that change while a segment is built of them are found as they are", async () => {
    const changes = fc.array(
      fc.record({ step: fc.integer({ min: 1, max: 30 }), at: fc.nat(9), deletes: fc.boolean() }),
      {
        maxLength: 4,
      },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(naiveMessages, { minLength: 4, maxLength: 10 }), changes, async (messages, changes) => {
        s.close();
        s = scratchPlatform();
        const model = new IndexModel(s);
        for (const message of messages) model.add(message);
        let steps = 0;
        const rest = async () => {
          steps++;
          for (const { step, at, deletes } of changes) {
            const n = model.numbers[at % Math.max(1, model.numbers.length)];
            if (step !== steps || n === undefined) continue;
            if (deletes) model.delete(n);
            else model.replace(n, onlyText(`changed invoice ${step}`));
          }
          model.checkSearch(["invoice", "changed"]);
        };
        await model.maintain({ flush: true, rest });
        // Work of other tasks waits for one message, not for a whole segment.
        expect(steps).toBeGreaterThan(messages.length);
        model.checkContent();
        await settle(model);
      }),
      { numRuns: 30, endOnFailure: true },
    );
  }, 240_000);

  test("a merge that another process has given up leaves no blocks", async () => {
    const model = new IndexModel(s);
    for (let i = 0; i < 2; i++) {
      for (const file of [0, 1, 2]) model.add(onlyText(manyWords(50_000, file * 30_000), manyWords(20_000, i)));
      await model.flush();
    }
    const other = new FullTextIndex(s.another(), SMALL);
    const orphans = () =>
      model.platform.db.sql
        .query<{ c: number }, []>(
          "SELECT count(*) AS c FROM search_blocks WHERE id / 8388608 NOT IN (SELECT id FROM search_segments)",
        )
        .get()!.c;
    let done = false;
    const rest = async () => {
      const building = model.platform.db.sql
        .query<{ c: number }, []>(
          "SELECT count(*) AS c FROM search_blocks WHERE id / 8388608 IN (SELECT id FROM search_segments WHERE state = 'building')",
        )
        .get()!.c;
      if (done || building === 0) return;
      done = true;
      await other.maintain(model.user_id, { compact: true, rest: async () => {} });
      expect(orphans()).toBe(0);
    };
    await model.maintain({ rest, compact: true, flush: true });
    expect([done, orphans()]).toEqual([true, 0]);
    model.checkContent();
  }, 120_000);
});

describe("removing a user", () => {
  test("leaves no blocks of theirs, even during a merge, and keeps those of other users", async () => {
    const bob = s.platform.users.add({ email: "bob@example.org", plan: "autopilot", role: "member", timezone: "UTC" });
    const [ada, other] = [new IndexModel(s), new IndexModel(s, { user_id: bob.id })];
    for (let i = 0; i < 7; i++) {
      ada.add(onlyText(`mail of ada ${i}`));
      other.add(onlyText(`mail of bob ${i} ${manyWords(400, i)}`));
      await other.flush();
    }
    await ada.maintain({ flush: true });
    let steps = 0;
    const rest = async () => {
      if (++steps !== 3) return;
      other.index.drop(bob.id);
      s.platform.db.sql.run("DELETE FROM messages WHERE user_id = ?", [bob.id]);
      s.platform.users.remove(bob.id);
    };
    await other.maintain({ flush: true, rest });
    expect(steps).toBeGreaterThan(3);
    while (!ada.index.sweep());
    const segments = s.platform.db.sql
      .query<{ id: number }, []>("SELECT DISTINCT id / 8388608 AS id FROM search_blocks ORDER BY 1")
      .all();
    expect(segments).toEqual(
      s.platform.db.sql.query<{ id: number }, []>("SELECT id FROM search_segments ORDER BY id").all(),
    );
    expect(s.platform.db.sql.query("SELECT 1 FROM search_segments WHERE user_id = ?").get(bob.id)).toBeNull();
    expect(s.platform.db.sql.query("SELECT 1 FROM data_keys WHERE user_id = ?").get(bob.id)).toBeNull();
    ada.checkContent();
    ada.checkSearch(["mail", "bob"]);
  });
});
