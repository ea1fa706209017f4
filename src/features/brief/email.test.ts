import { expect, test } from "bun:test";
import { briefText } from "./email.ts";
import type { Brief } from "./model.ts";

const BOB = { name: "Bob Miller", email: "bob@acme.example" };
const evidence = { thread_id: "thr_1", message_id: "msg_1", quote: "x", start: 0, end: 1 };
const EMPTY: Brief = {
  date: "2026-03-02",
  needs_reply: [],
  commitments: [],
  undated: [],
  calendar: [],
  engine: "extractive",
  generated_at: "2026-03-02T07:00:00.000Z",
};

test("a brief names who, what and when, in the user's local time", () => {
  const promise = { ...evidence, with: BOB, said_at: "2026-03-01T07:00:00.000Z" };
  const { subject, text } = briefText(
    {
      ...EMPTY,
      needs_reply: [
        {
          ...evidence,
          from: { name: "", email: "zoe@acme.example" },
          subject: "Re: AW: Contract",
          why: "Asked today: “Can you sign?”",
          asked_at: "2026-03-02T06:00:00.000Z",
          due: null,
          vip: false,
        },
      ],
      commitments: [
        { ...promise, by: "them", due: "2026-02-28", overdue: true, promise: "I'll pay on Saturday." },
        { ...promise, by: "me", due: "2026-03-04", overdue: false, promise: "I'll send it by Wednesday." },
      ],
      undated: [{ ...promise, by: "me", due: null, overdue: false, promise: "I'll look into it." }],
      calendar: [
        { title: "Team meeting", start: "2026-03-02T13:00:00.000Z" },
        { title: "Carnival", start: "2026-03-02T23:00:00.000Z" },
      ],
    },
    "Europe/Berlin",
  );
  expect(subject).toBe("Your brief for 2026-03-02");
  expect(text).toBe(`Waiting for your reply
- zoe@acme.example, “Contract”: Asked today: “Can you sign?”

Promised
- Was due 2 days ago, Bob Miller to you: “I'll pay on Saturday.”
- On Wednesday, you to Bob Miller: “I'll send it by Wednesday.”

Promised without a date
- You to Bob Miller: “I'll look into it.”

Calendar
- Today at 14:00: Team meeting
- Tomorrow: Carnival`);
});

test("an empty brief says that nothing needs attention", () => {
  expect(briefText(EMPTY, "UTC").text).toBe("Nothing needs your attention today.");
});
