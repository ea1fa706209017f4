import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { FIXTURES } from "../../../test/support/fixtures-path.ts";
import { baseSubject, baseSubjectRfc5256 } from "./base-subject.ts";

const cases = join(FIXTURES, "threads/base-subject-cases.json");
const kind = (subject: string) => {
  const { isReply, isForward } = baseSubject(subject);
  return isReply ? "reply" : isForward ? "forward" : "new";
};

describe("baseSubjectRfc5256", () => {
  if (!existsSync(cases)) console.info(`skipped: the RFC 5256 base subject cases are not at ${cases}`);
  test.skipIf(!existsSync(cases))("agrees with the test cases of an IMAP server", () => {
    const rows: { subject: string; base: string; is_reply_or_forward: boolean }[] = JSON.parse(
      readFileSync(cases, "utf8"),
    );
    for (const row of rows) {
      const got = baseSubjectRfc5256(row.subject);
      expect({ subject: row.subject, base: got.base, marked: got.isReply || got.isForward }).toEqual({
        subject: row.subject,
        base: row.base,
        marked: row.is_reply_or_forward,
      });
    }
  });

  test.each([
    ["Re: Fwd: [list] Hello  World", "hello world"],
    ["Re [list]: a", "a"],
    ["[list]", "[list]"],
    ["[one] [two]", "[two]"],
    ["[Fwd: [Fwd: [list] Re: a]]", "a"],
    ["AW: a", "aw: a"],
    ["Re: (fwd)", ""],
  ])("%p has the base %p", (subject, base) => {
    expect(baseSubjectRfc5256(subject).base).toBe(base);
  });
});

describe("baseSubject", () => {
  test.each([
    ["AW: Angebot", "reply"],
    ["WG: Angebot", "forward"],
    ["SV: Angebot", "reply"],
    ["VS: Angebot", "reply"],
    ["VB: Angebot", "forward"],
    ["Antw: Angebot", "reply"],
    ["Doorst: Angebot", "forward"],
    ["TR : Angebot", "forward"],
    ["RE : Angebot", "reply"],
    ["RV: Angebot", "forward"],
    ["RES: Angebot", "reply"],
    ["ENC: Angebot", "forward"],
    ["RIF: Angebot", "reply"],
    ["R: Angebot", "reply"],
    ["I: Angebot", "forward"],
    ["Odp: Angebot", "reply"],
    ["PD: Angebot", "forward"],
    ["YNT: Angebot", "reply"],
    ["İLT: Angebot", "forward"],
    ["Vá: Angebot", "reply"],
    ["ΑΠ: Angebot", "reply"],
    ["Ответ: Angebot", "reply"],
    ["Пересл: Angebot", "forward"],
    ["回复：Angebot", "reply"],
    ["答复: Angebot", "reply"],
    ["转发：Angebot", "forward"],
    ["回覆: Angebot", "reply"],
    ["轉寄: Angebot", "forward"],
    ["返信: Angebot", "reply"],
    ["転送: Angebot", "forward"],
    ["회신: Angebot", "reply"],
    ["전달: Angebot", "forward"],
    ["رد: Angebot", "reply"],
    ["תגובה: Angebot", "reply"],
    ["Re[2]: Angebot", "reply"],
    ["Re(3): Angebot", "reply"],
    ["Re^2: Angebot", "reply"],
    ["ＲＥ：Angebot", "reply"],
    ["\u200bRe:\u00a0Angebot", "reply"],
    ["RE:AW:WG: Angebot", "reply"],
    ["Fwd: Re: Angebot", "forward"],
    ["[Fwd: Angebot]", "forward"],
    ["Angebot (fwd)", "forward"],
    ["Re: Angebot (fwd)", "reply"],
    ["[team] Re: [team] Angebot", "reply"],
    ["Angebot", "new"],
  ])("%p is a %s in the same conversation", (subject, expected) => {
    expect(baseSubject(subject).base).toBe("angebot");
    expect(kind(subject)).toBe(expected);
  });

  test.each([
    ["Reminder: rent", "reminder: rent"],
    ["Results: quarter 3", "results: quarter 3"],
    ["Trip: Rome", "trip: rome"],
    ["Invoice: 12", "invoice: 12"],
    ["Re-opening of the office", "re-opening of the office"],
  ])("a word that only starts like a marker is kept: %p", (subject, base) => {
    expect(baseSubject(subject)).toEqual({ base, isReply: false, isForward: false });
  });

  test("a ticket number distinguishes conversations, before or after the marker", () => {
    expect(baseSubject("Re: [#123] Printer").base).toBe(baseSubject("[#123] Re: Printer").base);
    expect(baseSubject("Re: [#123] Printer").base).not.toBe(baseSubject("Re: [#124] Printer").base);
    expect(baseSubject("Re: [HELP-7] Printer").base).not.toBe(baseSubject("Re: [HELP-8] Printer").base);
  });

  test("a list's message counter does not distinguish conversations", () => {
    expect(baseSubject("[ml:00124] Re: [ml:00123] Plan").base).toBe("plan");
  });

  test("removing markers twice changes nothing more, for any subject", () => {
    const piece = fc.constantFrom(
      "Re: ",
      "fwd:",
      "[list]",
      "[#7] ",
      "(fwd)",
      "[Fwd: ",
      "]",
      " ",
      "x",
      "AW:",
      "Re[2]: ",
      "\0",
      "回复：",
    );
    const subject = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.array(piece, { maxLength: 12 }).map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(subject, (text) => {
        const { base } = baseSubject(text);
        expect(baseSubject(base).base).toBe(base);
        expect(baseSubject(`Re: ${text}`).isReply).toBe(true);
        expect(baseSubject(`Re: ${text}`).base).toBe(base);
      }),
    );
  });

  test("hostile subjects are processed in linear time", () => {
    for (const unit of ["[", "[a] ", "re: ", "(fwd)", "[fwd: ", " ", "[re"]) baseSubject(unit.repeat(200_000));
  });
});
