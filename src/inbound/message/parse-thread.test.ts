import { afterEach, expect, test } from "bun:test";
import { TermReader } from "../../mailbox/search/documents.ts";
import { readTerms } from "../../mailbox/search/indexable.ts";
import { systemClock } from "../../platform/clock.ts";
import { createLog } from "../../platform/log.ts";
import { workerUrl } from "../../platform/process/worker-url.ts";
import { isCancelled, type ParserWorker, ParseThread, type ToParser } from "./parse-thread.ts";
import { type RawContents, readOnThisThread } from "./parsed-message.ts";

const log = createLog({ level: "error", format: "text", clock: systemClock });
const threads: ParseThread[] = [];
const thread = (start: () => ParserWorker) => {
  const made = new ParseThread(start, systemClock, log);
  threads.push(made);
  return made;
};
const realWorker = () => new Worker(workerUrl("workers/parse.ts"));

afterEach(() => {
  for (const one of threads.splice(0)) one.close();
});

const mail = (subject: string, body: string): RawContents => ({
  // A view into a larger buffer, as sockets return them.
  source: Buffer.from(`xxSubject: ${subject}\r\n\r\n${body}\r\nyy`).subarray(2, -2),
});
const LIST = [
  mail("plain", "words"),
  mail("quoting", "new\r\n\r\nOn Mon, 3 Feb 2025 at 09:14, Bob <bob@example.org> wrote:\r\n> old"),
  {
    header: new TextEncoder().encode("Subject: large\r\n\r\n"),
    plan: {
      text: [{ part: "1", mime: "text/plain", charset: null, encoding: "7bit", size: 4, group: 0 }],
      attachments: [],
    },
    parts: new Map([["1", new TextEncoder().encode("text")]]),
  },
];

test("a list is read the same on the thread as in the caller, and the caller keeps its bytes", async () => {
  const { read } = thread(realWorker);
  const here = await readOnThisThread(LIST);
  const expected = here.map((one) => ({ ...one, terms: readTerms(new TermReader(), one.contents) }));
  expect(await read(LIST)).toEqual(expected);
  const [first, second] = await Promise.all([read(LIST.slice(0, 1)), read(LIST.slice(1))]);
  expect([...first, ...second]).toEqual(expected);
});

test("the thread ends when it is closed, and starts again when there is more to read", async () => {
  let started = 0;
  const one = thread(() => {
    started++;
    return realWorker();
  });
  await one.read([]);
  await one.read(LIST);
  one.close();
  expect(await one.read(LIST)).toHaveLength(3);
  expect(started).toBe(2);
});

test("when the thread fails, the list is read by the caller", async () => {
  const listeners = new Map<string, (event: never) => void>();
  const dying: ParserWorker = {
    addEventListener: ((name: string, listener: (event: never) => void) => listeners.set(name, listener)) as never,
    postMessage: () => queueMicrotask(() => listeners.get("error")!({ message: "out of memory" } as never)),
    terminate: () => {},
  };
  expect(await thread(() => dying).read(LIST)).toEqual(await readOnThisThread(LIST));
  const missing = thread(() => {
    throw new Error("no such file");
  });
  expect(await missing.read(LIST)).toEqual(await readOnThisThread(LIST));
});

test("lists that are no longer wanted are not read, and others are", async () => {
  const lists: ToParser[] = [];
  const held: ParserWorker = {
    addEventListener: () => {},
    postMessage: (message: ToParser) => lists.push(message),
    terminate: () => {},
  };
  const { read } = thread(() => held);
  const stop = new AbortController();
  const dropped = [read(LIST, stop.signal), read(LIST, stop.signal)];
  void read(LIST);
  expect(lists.map(isCancelled)).toEqual([false, false, false]);
  stop.abort();
  const results = await Promise.allSettled(dropped);
  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(lists.map(isCancelled)).toEqual([true, true, false]);
  await expect(read(LIST, stop.signal)).rejects.toThrow("aborted");
  expect(lists).toHaveLength(3);
});

test("after a list is dropped, the thread reads the next one", async () => {
  const { read } = thread(realWorker);
  const stop = new AbortController();
  const dropped = read(LIST, stop.signal);
  const next = read(LIST);
  stop.abort();
  await expect(dropped).rejects.toThrow("aborted");
  expect(await next).toHaveLength(3);
});
