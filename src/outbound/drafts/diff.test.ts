import { describe, expect, test } from "bun:test";
import { compareDrafts, type KnownDraft, replacedBy, type ServerDraft } from "./diff.ts";

const NOBODY = { present: [], edited: [], fresh: [], missing: [] };
const VALIDITY = 7;
const known = (
  id: string,
  uid: number | null,
  message_key: string | null = id,
  uidvalidity = VALIDITY,
): KnownDraft => ({
  id,
  place: uid === null ? null : { uidvalidity, uid },
  message_key: uid === null ? null : message_key,
});
const on = (uid: number, message_key: string | null): ServerDraft => ({ uid, message_key });

describe("compareDrafts", () => {
  test.each<[string, KnownDraft[], ServerDraft[], number[], object]>([
    ["nothing anywhere", [], [], [], {}],
    ["the copy is where it was", [known("a", 1)], [on(1, "a")], [], { present: ["a"] }],
    ["a copy without Message-ID is known by its UID", [known("a", 1)], [on(1, null)], [], { present: ["a"] }],
    ["a draft that was never on the server is not missing", [known("a", null)], [], [], {}],
    ["somebody else's draft", [known("a", 1)], [on(1, "a"), on(2, "b")], [], { present: ["a"], fresh: [2] }],
    ["saved anew, the old version removed", [known("a", 1)], [on(2, "a")], [], { edited: [{ draft_id: "a", uid: 2 }] }],
    [
      "saved anew, the old one not yet",
      [known("a", 1)],
      [on(1, "a"), on(2, "a")],
      [],
      { edited: [{ draft_id: "a", uid: 2 }] },
    ],
    ["saved twice", [known("a", 1)], [on(3, "a"), on(2, "a")], [], { edited: [{ draft_id: "a", uid: 3 }] }],
    ["an older version that was forgotten", [known("a", 5)], [on(2, "a"), on(5, "a")], [], { present: ["a"] }],
    ["deleted there", [known("a", 1), known("b", 2)], [on(2, "b")], [], { present: ["b"], missing: ["a"] }],
    ["only an older version is left", [known("a", 5)], [on(2, "a")], [], { missing: ["a"] }],
    [
      "renumbered: the same Message-ID is the same draft",
      [known("a", 9, "a", 6)],
      [on(1, "a")],
      [],
      { edited: [{ draft_id: "a", uid: 1 }] },
    ],
    [
      "renumbered, the UID now being another's",
      [known("a", 1, "a", 6)],
      [on(1, "b")],
      [],
      { fresh: [1], missing: ["a"] },
    ],
    [
      "what waits to be removed says nothing",
      [known("a", 2)],
      [on(1, "a"), on(2, "a"), on(3, "z")],
      [1, 3],
      { present: ["a"] },
    ],
  ])("%s", (_what, drafts, server, remains, expected) => {
    expect(compareDrafts(drafts, server, VALIDITY, new Set(remains))).toEqual({ ...NOBODY, ...expected });
  });
});

describe("replacedBy", () => {
  const look = (subject: string, in_reply_to: string | null = null) => ({ subject, in_reply_to });
  test.each([
    ["the same subject", look("Lunch"), [look("Lunch"), look("Dinner")], 0],
    ["an answer to the same message, under a new subject", look("Other", "<m@x>"), [look("Re: Lunch", "<m@x>")], 0],
    ["two that fit are none", look("Lunch"), [look("Lunch"), look("Lunch ")], null],
    ["no subject says nothing", look(""), [look("")], null],
    ["the same subject, but an answer to something", look("Lunch", "<m@x>"), [look("Lunch")], null],
    ["nothing is missing", look("Lunch"), [], null],
  ])("%s", (_what, fresh, missing, expected) => {
    expect(replacedBy(fresh, missing)).toBe(expected === null ? null : missing[expected]!);
  });
});
