import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { FOLDER_ROLES, type FolderRole, receivedState } from "../../mailbox/store/state.ts";
import { copiesToMove, retryDelay_ms } from "./plan.ts";

const moved = (roles: FolderRole[], target: FolderRole, labelsOnly = false) =>
  copiesToMove(
    roles.map((role) => ({ role })),
    target,
    labelsOnly,
  ).map(({ role }) => role);

const TARGETS = ["inbox", "archive", "snoozed", "trash", "spam"] as const;

describe("which copies of a message move", () => {
  const table: [roles: FolderRole[], target: FolderRole, moved: FolderRole[]][] = [
    [["inbox"], "archive", ["inbox"]],
    [["inbox", "sent"], "archive", ["inbox"]],
    [["inbox", "other"], "archive", ["inbox"]],
    [["other"], "archive", []],
    [["other"], "trash", ["other"]],
    [["inbox", "other", "spam"], "trash", ["inbox", "other", "spam"]],
    [["archive"], "inbox", ["archive"]],
    [["trash", "archive"], "inbox", ["archive"]],
    [["inbox", "trash"], "inbox", []],
    [["snoozed"], "inbox", ["snoozed"]],
    [["inbox"], "snoozed", ["inbox"]],
    [["trash"], "trash", []],
    [["trash"], "spam", ["trash"]],
    [["sent"], "trash", []],
    [["all", "sent", "spam"], "archive", ["spam"]],
    [[], "trash", []],
  ];
  for (const [roles, target, expected] of table) {
    test(`${roles.join(" + ") || "nothing"} to ${target}: ${expected.join(" + ") || "none"}`, () => {
      expect(moved(roles, target)).toEqual(expected);
    });
  }

  test("on Gmail moving one copy moves the message", () => {
    expect(moved(["all", "inbox"], "trash", true)).toEqual(["inbox"]);
    expect(moved(["all", "inbox"], "archive", true)).toEqual(["inbox"]);
    expect(moved(["all"], "archive", true)).toEqual([]);
  });

  test("afterwards the message counts as being in the target folder, and a second run moves nothing", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.constantFrom(...FOLDER_ROLES), { minLength: 1 }),
        fc.constantFrom(...TARGETS),
        (roles, target) => {
          const copies = roles.map((role) => ({ role }));
          const chosen = new Set(copiesToMove(copies, target));
          const after = copies.map((copy) => (chosen.has(copy) ? { role: target as FolderRole } : copy));
          // The user's own copies stay where they are.
          const expected = receivedState(roles) === null ? null : receivedState([target]);
          expect(receivedState(after.map(({ role }) => role))).toBe(expected);
          expect(copiesToMove(after, target)).toEqual([]);
        },
      ),
    );
  });
});

test("retries wait 5 s, then longer, at most 5 min", () => {
  expect([1, 2, 3, 7, 1000].map(retryDelay_ms)).toEqual([5_000, 10_000, 20_000, 300_000, 300_000]);
});
