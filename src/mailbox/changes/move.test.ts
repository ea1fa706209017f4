import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { FOLDER_ROLES, type FolderRole, threadState } from "../store/state.ts";
import { type MoveTarget, messageState, planMove } from "./move.ts";

/** "inbox trash sent+all" → messages 0, 1, 2, oldest first. */
function thread(text: string) {
  return text.split(" ").map((roles, index) => ({
    id: String(index),
    internal_date: index,
    roles: (roles === "-" ? [] : roles.split("+")) as FolderRole[],
  }));
}

describe("the messages that move", () => {
  test.each<[string, MoveTarget, string]>([
    ["inbox", "archived", "0"],
    ["inbox inbox", "trash", "0 1"],
    ["inbox", "inbox", ""],
    ["archive inbox", "inbox", ""],
    ["archive archive", "inbox", "0 1"],
    ["other", "archived", ""],
    ["all", "archived", ""],
    ["other inbox", "archived", "1"],
    ["archive inbox", "trash", "0 1"],
    ["archive trash", "trash", "0"],
    ["trash trash", "inbox", "0 1"],
    ["archive trash", "inbox", "0 1"],
    ["trash inbox", "archived", "1"],
    ["spam inbox", "archived", "1"],
    ["trash archive", "inbox", "1"],
    // The message in the trash is the newest: the thread is archived only if that message moves as well.
    ["inbox trash", "archived", "0 1"],
    ["trash inbox", "spam", "1"],
    ["spam", "spam", ""],
    ["snoozed archive", "archived", "0"],
    ["archive inbox", "snoozed", "1"],
    ["inbox archive", "snoozed", "0 1"],
    ["archive archive", "snoozed", "0 1"],
    ["archive snoozed", "snoozed", ""],
    ["inbox sent inbox", "archived", "0 2"],
    ["inbox sent drafts", "trash", "0"],
    // Sent to oneself: one message in two folders.
    ["inbox+sent", "archived", "0"],
    // Gmail's All Mail holds everything, including sent mail.
    ["inbox+all sent+all", "archived", "0"],
    ["sent+all", "archived", ""],
    ["sent", "archived", ""],
    ["sent", "inbox", ""],
    ["sent", "trash", ""],
    ["sent drafts", "trash", ""],
    ["drafts", "trash", ""],
    ["- inbox", "archived", "1"],
    // Another program is moving the message; this change moves it once sync has found it.
    ["-", "trash", "0"],
    ["sent -", "archived", "1"],
  ])("%s → %s: %s", (roles, target, moved) => {
    expect(planMove(thread(roles), target).join(" ")).toBe(moved);
  });

  test("after the move the thread has the wanted state, and no sent or draft copy has moved", () => {
    const roles = fc.uniqueArray(fc.constantFrom(...FOLDER_ROLES), { maxLength: 3 });
    const targets = fc.constantFrom<MoveTarget>("inbox", "archived", "trash", "spam", "snoozed");
    fc.assert(
      fc.property(fc.array(roles, { minLength: 1, maxLength: 6 }), targets, (list, target) => {
        const members = list.map((roles, index) => ({ id: String(index), internal_date: index % 3, roles }));
        const received = members.filter((member) => messageState(member.roles) !== null);
        const moved = new Set(planMove(members, target));
        const unplaced = members.filter(({ roles }) => roles.length === 0).map(({ id }) => id);
        if (received.length === 0) return [...moved].join() === unplaced.join();
        expect(received.map(({ id }) => id)).toEqual(expect.arrayContaining([...moved]));
        const role: FolderRole = target === "archived" ? "archive" : target;
        const after = members.map((member) => (moved.has(member.id) ? { ...member, roles: [role] } : member));
        expect(threadState(after)).toBe(target);
        expect(planMove(after, target)).toEqual([]);
        return true;
      }),
    );
  });
});
