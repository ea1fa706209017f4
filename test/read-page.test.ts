import { describe, expect, test } from "bun:test";
import type { ThreadItem } from "../src/features/threads/model.ts";
import { changesOf, valuesText } from "../web/app/pages/read/draft-values.ts";
import { type Filters, filterCount, filtersOf, readHash } from "../web/app/pages/read/filters.ts";
import { recipientsOf } from "../web/app/pages/read/recipients.ts";
import { applied } from "../web/app/pages/read/rows.ts";
import { localInput, snoozeTimes } from "../web/app/pages/read/snooze-times.ts";
import { inverseOf, type ThreadBefore } from "../web/app/pages/read/undo.ts";

/** The parts of the Read page that need no browser. */

describe("the undo of a change", () => {
  const NOW = Date.parse("2026-11-26T12:00:00Z");
  const LATER = "2026-11-27T08:00:00.000Z";
  const inbox: ThreadBefore = { state: "inbox", labels: ["Work"], unread: false, starred: false, snooze_until: null };
  const snoozed: ThreadBefore = { ...inbox, state: "snoozed", snooze_until: LATER };

  test("moves a thread back to where it was", () => {
    expect(inverseOf({ state: "archived" }, inbox, NOW)).toEqual({ state: "inbox", snooze_until: null });
    expect(inverseOf({ snooze_until: LATER }, inbox, NOW)).toEqual({ state: "inbox", snooze_until: null });
    expect(inverseOf({ state: "trash" }, { ...inbox, state: "spam" }, NOW)).toEqual({
      state: "spam",
      snooze_until: null,
    });
  });

  test("snoozes a thread again until the same time, unless that time has passed", () => {
    expect(inverseOf({ state: "inbox" }, snoozed, NOW)).toEqual({ snooze_until: LATER });
    expect(inverseOf({ state: "inbox" }, snoozed, Date.parse(LATER))).toEqual({ state: "inbox", snooze_until: null });
  });

  test("changes only the labels that the change added or removed", () => {
    expect(inverseOf({ add_labels: ["Work", "Home"], remove_labels: ["Other"] }, inbox, NOW)).toEqual({
      remove_labels: ["Home"],
      add_labels: [],
    });
    expect(inverseOf({ remove_labels: ["Work"] }, inbox, NOW)).toEqual({ add_labels: ["Work"] });
  });

  test("restores star and read status, and moves nothing", () => {
    expect(inverseOf({ starred: true }, inbox, NOW)).toEqual({ starred: false });
    expect(inverseOf({ read: false }, inbox, NOW)).toEqual({ read: true });
    expect(inverseOf({ read: true }, { ...inbox, unread: true }, NOW)).toEqual({ read: false });
  });
});

describe("the address of the list", () => {
  const filters = (query: string) => filtersOf(new URLSearchParams(query));

  test("keeps every filter, so that Back works", () => {
    const all: Filters = {
      state: "archived",
      account: "acc_1",
      tab: "social",
      label: "a & b",
      unread: true,
      q: "x:y #1",
    };
    expect(filters(readHash(all).split("?")[1]!)).toEqual(all);
    expect(readHash(all, "thr_1")).toStartWith("#/read/thr_1?");
    expect(filterCount(all)).toBe(4);
  });

  test("is short without filters, and unknown values count as absent", () => {
    expect(readHash(filters(""))).toBe("#/read");
    expect(filters("state=nowhere&tab=x&unread=yes")).toEqual(filters(""));
    expect(filterCount(filters("state=trash&q=x"))).toBe(0);
  });
});

describe("snooze times", () => {
  const labels = (at: Date) => snoozeTimes(at).map((time) => `${time.label} ${localInput(time.at)}`);

  test("are later today, tomorrow, at the weekend and next Monday", () => {
    // A Thursday.
    expect(labels(new Date(2026, 10, 26, 10, 20))).toEqual([
      "Later today 2026-11-26T13:00",
      "Tomorrow 2026-11-27T08:00",
      "This weekend 2026-11-28T08:00",
      "Next week 2026-11-30T08:00",
    ]);
  });

  test("have no later today in the evening, and no weekend that is tomorrow or today", () => {
    expect(labels(new Date(2026, 10, 27, 22, 0))).toEqual(["Tomorrow 2026-11-28T08:00", "Next week 2026-11-30T08:00"]);
    expect(labels(new Date(2026, 10, 29, 22, 0))).toEqual(["Tomorrow 2026-11-30T08:00", "Next week 2026-11-30T08:00"]);
    // On a Monday, next week is a week away.
    expect(labels(new Date(2026, 10, 30, 22, 0)).at(-1)).toBe("Next week 2026-12-07T08:00");
  });
});

describe("recipients", () => {
  test("are separated by commas, semicolons and line breaks, except inside names and addresses", () => {
    expect(recipientsOf('"Winter, Zoe" <zoe@a.example>, bob@b.example;Ada <ada@c.example>\n , ')).toEqual([
      '"Winter, Zoe" <zoe@a.example>',
      "bob@b.example",
      "Ada <ada@c.example>",
    ]);
    expect(recipientsOf(" ")).toEqual([]);
  });

  test("only changed fields of a draft are sent", () => {
    const stored = { to: "a@x.example", cc: "", bcc: "", subject: "Hi", body: "Text" };
    expect(changesOf(stored, stored)).toBeNull();
    expect(changesOf({ ...stored, to: "a@x.example, b@x.example", body: "New" }, stored)).toEqual({
      to: ["a@x.example", "b@x.example"],
      body: "New",
    });
    expect(changesOf({ ...stored, to: "" }, stored)).toEqual({ to: [] });
    expect(valuesText({ ...stored, to: "", bcc: "c@x.example" }).map(([name]) => name)).toEqual([
      "To",
      "Bcc",
      "Subject",
    ]);
  });
});

describe("the rows after a change", () => {
  const row = (id: string, updated_at: string): ThreadItem => ({
    id,
    updated_at,
    account_id: "acc_1",
    subject: id,
    from: { name: "", email: "" },
    snippet: "",
    labels: [],
    unread: true,
    message_count: 1,
    state: "inbox",
    starred: false,
    important: false,
    has_attachment: false,
    category: "primary",
  });
  const rows = [row("thr_3", "2026-03-03"), row("thr_2", "2026-03-02"), row("thr_1", "2026-03-01")];
  const ids = (list: readonly ThreadItem[]) => list.map(({ id }) => id);
  const filters = (query = "") => filtersOf(new URLSearchParams(query));

  test("an archived thread leaves the inbox, and its undo puts it back in its place", () => {
    const removed = new Map<string, ThreadItem>();
    const after = applied(rows, "thr_2", { state: "archived" }, filters(), removed);
    expect(ids(after)).toEqual(["thr_3", "thr_1"]);
    expect(ids(applied(after, "thr_2", { state: "inbox" }, filters(), removed))).toEqual(["thr_3", "thr_2", "thr_1"]);
    expect(removed.size).toBe(0);
  });

  test("the oldest and the newest thread return to the ends", () => {
    for (const id of ["thr_1", "thr_3"]) {
      const removed = new Map<string, ThreadItem>();
      const after = applied(rows, id, { state: "trash" }, filters(), removed);
      expect(ids(applied(after, id, { state: "inbox" }, filters(), removed))).toEqual(ids(rows));
    }
  });

  test("sent mail stays in the list in any state, and read threads stay in a list of unread ones", () => {
    const removed = new Map<string, ThreadItem>();
    expect(ids(applied(rows, "thr_2", { state: "archived" }, filters("state=sent"), removed))).toEqual(ids(rows));
    const read = applied(rows, "thr_2", { unread: false }, filters("unread=1"), removed);
    expect(read.map(({ unread }) => unread)).toEqual([true, false, true]);
  });

  test("a thread without the label leaves the list of the label; unknown threads change nothing", () => {
    const removed = new Map<string, ThreadItem>();
    expect(ids(applied(rows, "thr_2", { labels: ["Other"] }, filters("label=Work"), removed))).toEqual([
      "thr_3",
      "thr_1",
    ]);
    expect(applied(rows, "thr_9", { starred: true }, filters(), removed)).toEqual(rows);
  });
});
