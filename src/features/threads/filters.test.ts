import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { type Scratch, scratchPlatform } from "../../../test/support/scratch-platform.ts";
import { type SeededMailbox, seedMailbox } from "../../../test/support/seed-mail.ts";
import { comparison, type ThreadFilterEntry } from "../../mailbox/queries/thread-filters.ts";
import { threads } from "../../mailbox/threading/tables.ts";
import { filterFields, filterValues } from "./filters.ts";

/** Filters of each kind, also of kinds that GET /threads does not have. */
const FILTERS = {
  starred: { column: threads.starred, kind: "flag", description: "Starred." },
  category: { column: threads.category, kind: "choice", values: ["social", "updates"], description: "A category." },
  until: { column: threads.last_at, kind: "time", compares: "<=", description: "Until this time." },
  more_than: {
    column: threads.message_count,
    kind: "number",
    compares: ">",
    min: 1,
    max: 1_000,
    description: "More messages.",
  },
} as const satisfies Record<string, ThreadFilterEntry>;
const QUERY = Type.Object(filterFields(FILTERS));
type Query = Static<typeof QUERY>;

let s: Scratch;
let seed: SeededMailbox;
beforeAll(() => {
  s = scratchPlatform();
  seed = seedMailbox(s.platform, s.user.id);
  seed.deliver({ subject: "one", at: 1_000, category: "social" });
  seed.converse({ subject: "two", at: 2_000 }, { subject: "Re: two", at: 3_000 });
});
afterAll(() => s.close());

/** Returns the numbers of messages of the threads that a filter lists. */
function listed(name: Exclude<keyof typeof FILTERS, "starred">, query: Query): number[] {
  const bound = filterValues(FILTERS, query)[name] as number | string;
  return s.platform.db.orm
    .select({ count: threads.message_count })
    .from(threads)
    .where(comparison(FILTERS[name], bound))
    .orderBy(threads.last_at)
    .all()
    .map(({ count }) => count);
}

test("a filter for a number is an integer within its limits", () => {
  expect(QUERY.properties.more_than).toMatchObject({ type: "integer", minimum: 1, maximum: 1_000 });
  const accepted = [0, 1, 1_000, 1_001, 1.5, "1"].map((more_than) => Value.Check(QUERY, { more_than }));
  expect(accepted).toEqual([false, true, true, false, false, false]);
  expect(filterValues(FILTERS, { more_than: 5 })).toEqual({ more_than: 5 });
});

test("a filter for a time is a timestamp, and its value is in ms", () => {
  expect(QUERY.properties.until).toMatchObject({ type: "string", format: "date-time" });
  expect(filterValues(FILTERS, { until: "1970-01-01T00:00:02Z" })).toEqual({ until: 2_000 });
});

test("a flag is a Boolean, and a choice is one of its values", () => {
  expect(QUERY.properties.starred).toMatchObject({ type: "boolean", description: "Starred." });
  const accepted = ["social", "primary"].map((category) => Value.Check(QUERY, { category }));
  expect(accepted).toEqual([true, false]);
});

test("each kind lists the threads whose column compares so", () => {
  expect(listed("more_than", { more_than: 1 })).toEqual([2]);
  expect(listed("category", { category: "social" })).toEqual([1]);
  expect(listed("until", { until: "1970-01-01T00:00:01Z" })).toEqual([1]);
  expect(listed("until", { until: "1970-01-01T00:00:03Z" })).toEqual([1, 2]);
});
