import { describe, expect, test } from "bun:test";
import type { ImapFlow } from "imapflow";
import { decodeGmailLabels, planGmailMove, readGmailLabels } from "./gmail.ts";

const client = (...enabled: string[]) =>
  ({ enabled: new Set(enabled), capabilities: new Map() }) as unknown as ImapFlow;

describe("Gmail's labels", () => {
  const rows: [string[], Partial<ReturnType<typeof readGmailLabels>>][] = [
    [[], { names: [], views: [], important: false, starred: false }],
    [["\\Inbox", "\\Important"], { names: [], views: ["inbox"], important: true }],
    [["\\Sent", "\\Inbox"], { views: ["inbox", "sent"] }],
    [["\\Draft"], { views: ["drafts"] }],
    [["\\Drafts"], { views: ["drafts"] }],
    [["\\Starred", "Work"], { names: ["Work"], views: [], starred: true }],
    [["\\inbox"], { views: ["inbox"] }],
    [["\\Muted", "\\Trash", "\\Category_Social"], { names: [], views: [] }],
    [["Inbox", "Sent", "Important"], { names: ["Important", "Inbox", "Sent"], views: [], important: false }],
    [["Snoozed", "B", "A"], { names: ["A", "B"], views: ["snoozed"] }],
  ];
  for (const [labels, expected] of rows) {
    test(labels.join(" ") || "none", () => expect(readGmailLabels(labels, "Snoozed")).toMatchObject(expected));
  }

  test("Snoozed is an ordinary label when it is not the label of snoozed threads", () => {
    expect(readGmailLabels(["Snoozed"], null)).toMatchObject({ names: ["Snoozed"], views: [] });
  });

  test("are decoded from modified UTF-7, unless the connection uses UTF-8", () => {
    const labels = new Set(["\\Inbox", "Caf&AOk-", "A &- B"]);
    expect(decodeGmailLabels(client(), labels)).toEqual(new Set(["\\Inbox", "Café", "A & B"]));
    expect(decodeGmailLabels(client("UTF8=ACCEPT"), new Set(["Café", "A & B"]))).toEqual(new Set(["Café", "A & B"]));
    expect(decodeGmailLabels(client(), undefined)).toBeUndefined();
  });
});

describe("moves in Gmail", () => {
  const rows: [Parameters<typeof planGmailMove>, ReturnType<typeof planGmailMove>][] = [
    [["all", "archive", "Snoozed"], { kind: "labels", add: [], remove: ["\\Inbox", "Snoozed"] }],
    [["all", "inbox", "Snoozed"], { kind: "labels", add: ["\\Inbox"], remove: ["Snoozed"] }],
    [["all", "snoozed", "Snoozed"], { kind: "labels", add: ["Snoozed"], remove: ["\\Inbox"] }],
    [["all", "trash", "Snoozed"], { kind: "move", to: "trash" }],
    [["all", "spam", "Snoozed"], { kind: "move", to: "spam" }],
    [["trash", "inbox", "Snoozed"], { kind: "move", to: "inbox" }],
    [["spam", "archive", "Snoozed"], { kind: "move", to: "all" }],
    [["trash", "snoozed", "Snoozed"], { kind: "move", to: "snoozed" }],
  ];
  for (const [args, plan] of rows) {
    test(`${args[0]} to ${args[1]}`, () => expect(planGmailMove(...args)).toEqual(plan));
  }
});
