import { expect, test } from "bun:test";
import fc from "fast-check";
import { ApiError } from "../kernel/errors.ts";
import { Sealer } from "../platform/sealing/sealer.ts";
import { openCursor, sealCursor } from "./cursor.ts";
import { cutPage, Pager } from "./paging.ts";

const ada = new Sealer(new Map([[1, new Uint8Array(32).fill(1)]]));
const bob = new Sealer(new Map([[1, new Uint8Array(32).fill(2)]]));
const position = fc.array(fc.oneof(fc.string(), fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true })), {
  maxLength: 4,
});

function refused(run: () => unknown): boolean {
  try {
    run();
    return false;
  } catch (error) {
    return error instanceof ApiError && error.code === "invalid_params" && error.param === "cursor";
  }
}

test("opens to the sealed position, and is safe in a URL", () => {
  fc.assert(
    fc.property(position, (at) => {
      const cursor = sealCursor(ada, "threads", at);
      expect(cursor).toMatch(/^[\w-]+$/);
      expect(openCursor(ada, "threads", cursor)).toEqual(JSON.parse(JSON.stringify(at)));
    }),
  );
});

test("is refused for another user or list, after any changed character, and when truncated", () => {
  fc.assert(
    fc.property(position, fc.nat(), fc.nat({ max: 63 }), (at, index, letter) => {
      const cursor = sealCursor(ada, "threads", at);
      expect(refused(() => openCursor(bob, "threads", cursor))).toBe(true);
      expect(refused(() => openCursor(ada, "audit", cursor))).toBe(true);
      const i = index % cursor.length;
      const changed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"[letter]!;
      const forged = cursor.slice(0, i) + changed + cursor.slice(i + 1);
      if (forged !== cursor) expect(refused(() => openCursor(ada, "threads", forged))).toBe(true);
      expect(refused(() => openCursor(ada, "threads", cursor.slice(0, i)))).toBe(true);
    }),
  );
});

test("any other text is refused without a crash", () => {
  fc.assert(fc.property(fc.string(), (text) => expect(refused(() => openCursor(ada, "threads", text))).toBe(true)));
  expect(refused(() => openCursor(ada, "threads", "A".repeat(5_000)))).toBe(true);
});

test("two cursors of the same position differ, so they reveal nothing", () => {
  expect(sealCursor(ada, "threads", ["x"])).not.toBe(sealCursor(ada, "threads", ["x"]));
});

test("paging through a list that grows at the top returns each row once, in order, for every page size", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 1, max: 9 }), (count, limit) => {
      const rows = Array.from({ length: count }, (_, i) => ({ at: Math.floor((count - i) / 3), id: `r${count - i}` }));
      const pager = new Pager(ada);
      const walked: string[] = [];
      let cursor: string | undefined;
      do {
        const after = pager.after("rows", cursor);
        const start = after === null ? 0 : rows.findIndex((row) => row.id === after[1]) + 1;
        const page = cutPage(rows.slice(start, start + limit + 1), limit, (row) => [row.at, row.id]);
        const reply = pager.reply("rows", page, (row) => row.id);
        expect(reply.has_more).toBe("next_cursor" in reply);
        walked.push(...reply.data);
        cursor = reply.next_cursor;
        rows.unshift({ at: 1_000, id: `new${walked.length}` });
      } while (cursor !== undefined);
      expect(walked).toEqual(Array.from({ length: count }, (_, i) => `r${count - i}`));
    }),
  );
});
