import { afterEach, beforeEach, expect, test } from "bun:test";
import { type PeopleFixture, peopleFixture } from "../support/people-fixture.ts";
import { repeatedStrings } from "./repeated-strings.ts";

/** An attacker copies the disk again and again. The index data of one text never repeats, in any language or state. */

let s: PeopleFixture;
beforeEach(() => {
  s = peopleFixture(() => []);
});
afterEach(() => s.h.close());

const TEXTS = [
  "Ja.",
  "Guten Morgen, die Stromrechnung über 8.200,00 € ist gestern angekommen.",
  "明日の会議は東京で行われます。",
  "พรุ่งนี้เราจะพบกันที่กรุงเทพ",
  "Встретимся завтра у вокзала.",
  `${"yes ".repeat(500)}`,
];

const sealed = (...columns: [table: string, column: string][]) =>
  columns.flatMap(([table, column]) =>
    s.h.platform.db.sql
      .query<{ bytes: Uint8Array }, []>(`SELECT ${column} AS bytes FROM ${table} WHERE ${column} IS NOT NULL`)
      .all(),
  );
const inIndex = () => sealed(["search_pending", "data"], ["search_blocks", "data"], ["search_segments", "head"]);
const maintenance = (more: { flush?: boolean; compact?: boolean }) =>
  s.mailbox.fullText.maintain(s.h.user.id, { rest: async () => {}, ...more });

test("nothing repeats in messages of one text, their segment, the same one without one of them, and a merged one", async () => {
  const moments: { bytes: Uint8Array }[][] = [];
  const deliver = () => TEXTS.flatMap((text) => [s.arrive({ subject: "", text }), s.arrive({ subject: "", text })]);
  const [first] = deliver();
  moments.push(inIndex());
  await maintenance({ flush: true });
  moments.push(inIndex());
  s.h.platform.db.sql.query("DELETE FROM messages WHERE id = ?").run(first!.message_id);
  await maintenance({ compact: true });
  moments.push(inIndex());
  for (let i = 0; i < 7; i++) {
    deliver();
    await maintenance({ flush: true });
  }
  moments.push(inIndex());
  expect(moments.map((values) => values.length > 4)).toEqual([true, true, true, true]);
  expect(repeatedStrings(moments.flat())).toBe(0);
});
