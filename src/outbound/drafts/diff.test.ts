import { describe, expect, test } from "bun:test";
import { compareDrafts, type KnownDraft, replacedBy, type ServerDraft } from "./diff.ts";

const NO_DIFFERENCE = { present: [], edited: [], added: [], missing: [] };
const VALIDITY = 7;
const known = (
  id: string,
  uid: number | null,
  message_key: string | null = id,
  uidvalidity = VALIDITY,
): KnownDraft => ({
  id,
  location: uid === null ? null : { uidvalidity, uid },
  message_key: uid === null ? null : message_key,
});
const on = (uid: number, message_key: string | null): ServerDraft => ({ uid, message_key });

describe("compareDrafts", () => {
  test.each<[string, KnownDraft[], ServerDraft[], number[], object]>([
    ["no drafts on either side", [], [], [], {}],
    ["an unchanged copy is present", [known("a", 1)], [on(1, "a")], [], { present: ["a"] }],
    ["a copy without Message-ID is recognized by its UID", [known("a", 1)], [on(1, null)], [], { present: ["a"] }],
    ["a draft that was never on the server is not missing", [known("a", null)], [], [], {}],
    [
      "a draft of another program is new",
      [known("a", 1)],
      [on(1, "a"), on(2, "b")],
      [],
      { present: ["a"], added: [2] },
    ],
    [
      "a version saved again is an edit, with the old version removed",
      [known("a", 1)],
      [on(2, "a")],
      [],
      { edited: [{ draft_id: "a", uid: 2 }] },
    ],
    [
      "saved again, the old version not removed yet",
      [known("a", 1)],
      [on(1, "a"), on(2, "a")],
      [],
      { edited: [{ draft_id: "a", uid: 2 }] },
    ],
    [
      "of two newer versions, the one with the highest UID counts",
      [known("a", 1)],
      [on(3, "a"), on(2, "a")],
      [],
      { edited: [{ draft_id: "a", uid: 3 }] },
    ],
    [
      "an older version that another program left is ignored",
      [known("a", 5)],
      [on(2, "a"), on(5, "a")],
      [],
      { present: ["a"] },
    ],
    [
      "a draft that was deleted on the server is missing",
      [known("a", 1), known("b", 2)],
      [on(2, "b")],
      [],
      { present: ["b"], missing: ["a"] },
    ],
    [
      "a draft of which only an older version is left is missing",
      [known("a", 5)],
      [on(2, "a")],
      [],
      { missing: ["a"] },
    ],
    [
      "after a new UIDVALIDITY, a draft is recognized by its Message-ID",
      [known("a", 9, "a", 6)],
      [on(1, "a")],
      [],
      { edited: [{ draft_id: "a", uid: 1 }] },
    ],
    [
      "after a new UIDVALIDITY, the same UID can be another draft",
      [known("a", 1, "a", 6)],
      [on(1, "b")],
      [],
      { added: [1], missing: ["a"] },
    ],
    [
      "copies that await removal are ignored",
      [known("a", 2)],
      [on(1, "a"), on(2, "a"), on(3, "z")],
      [1, 3],
      { present: ["a"] },
    ],
  ])("%s", (_what, drafts, server, remains, expected) => {
    expect(compareDrafts(drafts, server, VALIDITY, new Set(remains))).toEqual({ ...NO_DIFFERENCE, ...expected });
  });
});

describe("replacedBy", () => {
  const look = (subject: string, in_reply_to: string | null = null) => ({ subject, in_reply_to });
  test.each([
    ["the missing draft with the same subject", look("Lunch"), [look("Lunch"), look("Dinner")], 0],
    [
      "a missing answer to the same message, with another subject",
      look("Other", "<m@x>"),
      [look("Re: Lunch", "<m@x>")],
      0,
    ],
    ["none of two that match", look("Lunch"), [look("Lunch"), look("Lunch ")], null],
    ["none for an empty subject", look(""), [look("")], null],
    ["none with the same subject for an answer", look("Lunch", "<m@x>"), [look("Lunch")], null],
    ["none when no draft is missing", look("Lunch"), [], null],
  ])("%s", (_what, fresh, missing, expected) => {
    expect(replacedBy(fresh, missing)).toBe(expected === null ? null : missing[expected]!);
  });
});
