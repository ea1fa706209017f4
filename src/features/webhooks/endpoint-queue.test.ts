import { expect, test } from "bun:test";
import fc from "fast-check";
import { EndpointQueue, type Task } from "./endpoint-queue.ts";
import type { Endpoint } from "./endpoints-store.ts";

const endpoint = (more: Partial<Endpoint> = {}): Endpoint => ({
  id: "whk_1",
  user_id: "usr_1",
  url: "https://hooks.example.org/",
  events: ["thread.updated"],
  status: "active",
  disabled_reason: null,
  failure_count: 0,
  streak_since: null,
  last_failure_at: null,
  disabled_at: null,
  position: 0,
  created_at: 0,
  updated_at: 0,
  ...more,
});

const queue = (more: Partial<Endpoint> = {}) => {
  const made = new EndpointQueue(endpoint(more), []);
  made.update(endpoint(more), []);
  return made;
};

let last = 0;
const task = (thread_id: string | null, first = true): Task => ({
  delivery: { id: `dlv_${++last}`, step: 0 },
  event: { id: `ntf_${last}`, event: "thread.updated", created_at: "", data: {} },
  thread_id,
  first,
});

test("first attempts of one thread never overlap and keep their order, whichever ends first", () => {
  const threads = fc.array(fc.constantFrom("a", "b", "c", null), { maxLength: 40 });
  fc.assert(
    fc.property(threads, fc.infiniteStream(fc.nat()), (names, picks) => {
      const subject = queue();
      const tasks = names.map((name) => task(name));
      subject.offer(tasks);
      const open: Task[] = [];
      const begun: Task[] = [];
      while (begun.length < tasks.length || open.length > 0) {
        const next = subject.hasSlot(0) ? subject.nextUntried() : null;
        if (next) {
          if (next.thread_id !== null) expect(open.some(({ thread_id }) => thread_id === next.thread_id)).toBe(false);
          subject.begin(next);
          begun.push(next);
          open.push(next);
        } else {
          const [ended] = open.splice((picks.next().value ?? 0) % open.length, 1);
          subject.end(ended!, 0, false, null);
        }
      }
      for (const name of ["a", "b", "c"]) {
        const of = (list: Task[]) => list.filter(({ thread_id }) => thread_id === name);
        expect(of(begun)).toEqual(of(tasks));
      }
    }),
  );
});

test("at most sixteen attempts are open, half of them for retries while new events wait", () => {
  const subject = queue();
  for (let i = 0; i < 8; i++) subject.begin(task(`r${i}`, false));
  expect([subject.openRetries, subject.hasRetrySlot]).toEqual([8, true]);
  subject.offer([task("x")]);
  expect(subject.hasRetrySlot).toBe(false);
  for (let i = 0; i < 8; i++) {
    expect(subject.hasSlot(0)).toBe(true);
    subject.begin(task(`n${i}`));
  }
  expect(subject.hasSlot(0)).toBe(false);
});

test("the queue in memory is bounded", () => {
  const subject = queue();
  expect(subject.capacity).toBe(64);
  subject.offer(Array.from({ length: 60 }, () => task(null)));
  expect(subject.capacity).toBe(4);
});

test("a receiver's requested wait is respected up to an hour, and ends when the streak is reset", () => {
  const subject = queue({ failure_count: 1 });
  const one = task("a");
  subject.begin(one);
  subject.end(one, 1_000, true, 60_000);
  expect([subject.hasSlot(60_999), subject.hasSlot(61_000)]).toEqual([false, true]);
  const two = task("b");
  subject.begin(two);
  subject.end(two, 1_000, true, 86_400_000);
  expect(subject.holdUntil).toBe(1_000 + 3_600_000);
  subject.update(endpoint(), []);
  expect(subject.hasSlot(1_000)).toBe(true);
});

test("an endpoint that always fails gets few attempts, with pauses", () => {
  const subject = queue({ failure_count: 100 });
  subject.begin(task("a"));
  const two = task("b");
  subject.begin(two);
  expect(subject.hasSlot(0)).toBe(false);
  subject.end(two, 0, true, null);
  expect([subject.hasSlot(49), subject.hasSlot(50)]).toEqual([false, true]);
});

test("a suspended queue starts nothing, and drops deliveries without an attempt", () => {
  const subject = queue();
  subject.offer([task("a")]);
  subject.suspend();
  expect([subject.hasSlot(0), subject.untried, subject.capacity]).toEqual([false, 0, 0]);
  expect(subject.update(endpoint(), [])).toBe(true);
  expect(subject.update(endpoint(), [])).toBe(false);
});
