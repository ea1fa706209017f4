import { expect, test } from "bun:test";
import type { ReceivedRequest } from "../support/https-receiver.ts";
import type { AcceptedMessage } from "../support/smtp-server.ts";
import { Arrivals } from "./arrivals.ts";

const hook = (id: string, message_id: string | null) => {
  const event = message_id ? "message.received" : "send.completed";
  return { body: JSON.stringify({ id, event, data: { message_id } }) } as ReceivedRequest;
};
const mail = (n: number) => ({ raw: `From: a@b.c\r\nSubject: Soak ${n}\r\n\r\nHello.` }) as AcceptedMessage;

function arrivals(...hooks: ReceivedRequest[]): Arrivals {
  const made = new Arrivals();
  for (const one of hooks) made.hook(one);
  return made;
}

test("nothing is reported when everything arrived once, even if a delivery was repeated", () => {
  const right = arrivals(hook("evt_1", "msg_1"), hook("evt_2", "msg_2"), hook("evt_3", null), hook("evt_3", null));
  expect([right.misses(2, 1, [mail(1)]), right.hooks, right.repeated]).toEqual([[], 4, 1]);
});

test("a lost message is reported, also when another one arrived twice", () => {
  expect(arrivals(hook("evt_1", "msg_1"), hook("evt_2", "msg_1"), hook("evt_3", null)).misses(2, 1, [mail(1)])).toEqual(
    ["1 mails were announced, not 2"],
  );
  expect(arrivals(hook("evt_1", "msg_1"), hook("evt_1", "msg_1")).misses(1, 1, [mail(1)])).toEqual([
    "1 events were delivered, not 2",
  ]);
  const both = arrivals(hook("evt_1", null), hook("evt_2", null));
  expect(both.misses(0, 2, [mail(1), mail(1)])).toEqual(["1 sends went out, not 2"]);
  expect(both.misses(0, 2, [mail(1), mail(2), mail(2)])).toEqual(["3 sends were handed over, not 2"]);
});
