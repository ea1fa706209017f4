import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createSearchScene, type SearchScene } from "../../../test/search-scene.ts";
import { openWordThread } from "../../app-search.ts";
import type { MailScope } from "../../mailbox/queries.ts";
import { parseQuery } from "../../mailbox/search/query.ts";
import { ManualClock } from "../../platform/clock.ts";
import { createLog } from "../../platform/log.ts";
import { type Calls, type FromWordWorker, type ToWordWorker, WordThread, type WordWorker } from "./word-thread.ts";

describe("words looked up on a thread of their own", () => {
  let s: SearchScene;
  let thread: WordThread;
  let scope: MailScope;
  /** How often this thread looked instead. */
  let here: number;

  beforeEach(() => {
    s = createSearchScene();
    scope = { user_id: s.h.user.id, account_id: null };
    here = 0;
    const counted = new Proxy(s.mailbox.search, {
      get(search, name: keyof Calls) {
        here++;
        return (search[name] as (...args: unknown[]) => unknown).bind(search);
      },
    });
    thread = openWordThread(s.h.platform, { search: counted }, { large: 3 });
  });
  afterEach(async () => {
    await thread.stop();
    s.h.close();
  });

  const query = (text: string) => parseQuery(text, s.h.clock.now());
  const askedThere = async () => {
    for (let before = -1; here !== before; ) {
      before = here;
      await new Promise<void>((resolve) => setImmediate(resolve));
      await thread.rank(scope, query("offer"), 10);
    }
  };
  const fill = () => {
    const [one, ...others] = [
      s.deliver({ subject: "An offer", text: "for the old house" }),
      s.deliver({ subject: "Re: An offer", text: "the house is sold", role: "sent" }),
      s.deliver({ subject: "News", text: "an offer of the week", role: "archive" }),
    ];
    return [one, ...others].map(({ n }) => n);
  };

  test("find what is found here, by every way", async () => {
    const numbers = fill();
    const label = s.mailbox.labels.ensure(scope.user_id, "Home");
    const { sql } = s.h.platform.db;
    sql.run("INSERT INTO message_labels (message_id, label_id) SELECT id, ? FROM messages WHERE n = ?", [
      label,
      numbers[0]!,
    ]);
    await askedThere();
    const before = here;
    const { search } = s.mailbox;
    for (const text of ["offer", '"old house"', "label:home", "label:Home offer", "in:sent", "-house", "off* house"]) {
      expect(await thread.rank(scope, query(text), 10)).toEqual(search.rank(scope, query(text), 10));
      expect(await thread.selection(scope, query(text))).toEqual(search.selection(scope, query(text)));
      expect(await thread.allowed(scope, query(text), numbers)).toEqual(search.allowed(scope, query(text), numbers));
    }
    expect((await thread.rank(scope, query("label:Home offer"), 10)).map(({ n }) => n)).toEqual([numbers[0]!]);
    expect(here).toBe(before);
  });

  test("find what was written a moment ago", async () => {
    fill();
    await askedThere();
    const { n } = s.deliver({ subject: "Another offer" });
    const before = here;
    expect((await thread.rank(scope, query("another"), 10)).map((row) => row.n)).toEqual([n]);
    expect(here).toBe(before);
  });

  test("are this thread's business where there is little mail", async () => {
    s.deliver({ subject: "An offer" });
    for (let i = 1; i <= 5; i++) {
      expect(await thread.rank(scope, query("offer"), 10)).toHaveLength(1);
      expect(here).toBe(i);
    }
  });

  test("are looked up with the master key of its time", async () => {
    fill();
    await askedThere();
    thread.renew();
    expect(await thread.rank(scope, query("offer"), 10)).toHaveLength(3);
    await askedThere();
    expect(await thread.rank(scope, query("offer"), 10)).toHaveLength(3);
  });
});

/** A worker that does what a test says. */
class FakeWorker {
  readonly got: ToWordWorker[] = [];
  ended = false;
  readonly #listeners = new Map<string, (event: never) => void>();
  addEventListener(type: string, listener: (event: never) => void): void {
    this.#listeners.set(type, listener);
  }
  postMessage(message: ToWordWorker): void {
    this.got.push(message);
    if (message.type === "stop") this.say({ type: "stopped" });
  }
  terminate(): void {
    this.ended = true;
  }
  say(data: FromWordWorker): void {
    this.#listeners.get("message")?.({ data } as never);
  }
  die(): void {
    this.#listeners.get("close")?.({} as never);
  }
  get asked(): number[] {
    return this.got.flatMap((message) => (message.type === "ask" ? [message.id] : []));
  }
}

describe("the thread that looks up words", () => {
  let clock: ManualClock;
  let workers: FakeWorker[];
  let thread: WordThread;
  let lost: number;
  let fails: boolean;
  const HERE = [{ n: 1, thread_id: "thr_here", internal_date: 0, score: 1 }];
  const THERE = [{ n: 2, thread_id: "thr_there", internal_date: 0, score: 1 }];
  const look = () => thread.rank({ user_id: "usr_1", account_id: null }, parseQuery("x", 0), 5);

  beforeEach(() => {
    clock = new ManualClock();
    workers = [];
    lost = 0;
    fails = false;
    thread = new WordThread({
      clock,
      log: createLog({ level: "error", format: "json", clock, write: () => {} }),
      here: { rank: () => HERE, allowed: () => new Map(), selection: () => [] },
      isLarge: () => true,
      start: () => {
        if (fails) throw new Error("no room");
        workers.push(new FakeWorker());
        return workers.at(-1) as unknown as WordWorker;
      },
      begin: () => ({ type: "start", data_dir: "", master_key: new Uint8Array(32) }),
      onLost: () => lost++,
    });
  });

  const ready = async () => {
    expect(await look()).toEqual(HERE);
    workers.at(-1)!.say({ type: "ready" });
  };

  test("is not waited for while it starts", async () => {
    await ready();
    const found = look();
    workers[0]!.say({ type: "found", id: workers[0]!.asked[0]!, found: THERE });
    expect(await found).toEqual(THERE);
    expect(workers).toHaveLength(1);
  });

  test("takes nothing with it: what it was asked is looked up here, and another one is tried after a minute", async () => {
    await ready();
    const torn = look();
    workers[0]!.die();
    expect(await torn).toEqual(HERE);
    expect(lost).toBe(1);
    expect(await look()).toEqual(HERE);
    expect(workers).toHaveLength(1);
    await clock.advance(60_000);
    await ready();
    expect(workers).toHaveLength(2);
  });

  test("may fail to start", async () => {
    fails = true;
    expect(await look()).toEqual(HERE);
    fails = false;
    expect(await look()).toEqual(HERE);
    expect(workers).toHaveLength(0);
    await clock.advance(60_000);
    await ready();
    expect(workers).toHaveLength(1);
  });

  test("may fail with one question: it is answered here", async () => {
    await ready();
    const found = look();
    workers[0]!.say({ type: "failed", id: workers[0]!.asked[0]! });
    expect(await found).toEqual(HERE);
  });

  test("ends when nobody has asked for two minutes, and comes again", async () => {
    await ready();
    await clock.advance(100_000);
    const found = look();
    workers[0]!.say({ type: "found", id: workers[0]!.asked[0]!, found: THERE });
    await found;
    await clock.advance(110_000);
    expect(workers[0]!.ended).toBe(false);
    await clock.advance(11_000);
    expect(workers[0]!.ended).toBe(true);
    await ready();
    expect([workers.length, lost]).toEqual([2, 0]);
  });

  test("stops for good, and leaves no question without an answer", async () => {
    await ready();
    const found = look();
    await thread.stop();
    expect(await found).toEqual(HERE);
    expect(workers[0]!.ended).toBe(true);
    expect(await look()).toEqual(HERE);
    expect(workers).toHaveLength(1);
  });
});
