import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { FakeWorker } from "../../../test/support/fake-worker.ts";
import { createSearchFixture, type SearchFixture } from "../../../test/support/search-fixture.ts";
import { seedMailbox } from "../../../test/support/seed-mail.ts";
import { openFullTextWorker } from "../../app/search.ts";
import type { MailScope } from "../../mailbox/queries/scope.ts";
import { parseQuery } from "../../mailbox/search/query.ts";
import type { Found } from "../../mailbox/search/search.ts";
import { ManualClock } from "../../platform/clock.ts";
import { createLog } from "../../platform/log.ts";
import type { WorkerLike } from "../../platform/process/worker-handle.ts";
import { type Calls, type FromFullTextWorker, FullTextWorker, type ToFullTextWorker } from "./fulltext-worker.ts";

describe("searches on the full-text worker", () => {
  let s: SearchFixture;
  let worker: FullTextWorker;
  let scope: MailScope;
  /** Number of searches on this thread. */
  let here: number;

  beforeEach(() => {
    s = createSearchFixture();
    scope = { user_id: s.h.user.id, account_id: null };
    here = 0;
    const counted = new Proxy(s.mailbox.search, {
      get(search, name: keyof Calls) {
        here++;
        return (search[name] as (...args: unknown[]) => unknown).bind(search);
      },
    });
    worker = openFullTextWorker(s.h.platform, { search: counted }, { large: 3 });
  });
  afterEach(async () => {
    await worker.stop();
    s.h.close();
  });

  const query = (text: string) => parseQuery(text, s.h.clock.now());
  const askedThere = async () => {
    for (let before = -1; here !== before; ) {
      before = here;
      await new Promise<void>((resolve) => setImmediate(resolve));
      await worker.find(scope, query("offer"), 10);
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

  test("return the same results as on the main thread, for every call", async () => {
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
      expect(await worker.find(scope, query(text), 10)).toEqual(search.find(scope, query(text), 10));
      expect(await worker.selection(scope, query(text))).toEqual(search.selection(scope, query(text)));
      expect(await worker.allowed(scope, query(text), numbers)).toEqual(search.allowed(scope, query(text), numbers));
    }
    expect((await worker.find(scope, query("label:Home offer"), 10)).hits.map(({ n }) => n)).toEqual([numbers[0]!]);
    expect(here).toBe(before);
  });

  test("find mail that was stored a moment ago", async () => {
    fill();
    await askedThere();
    const { n } = s.deliver({ subject: "Another offer" });
    const before = here;
    expect((await worker.find(scope, query("another"), 10)).hits.map((row) => row.n)).toEqual([n]);
    expect(here).toBe(before);
  });

  test("run on the main thread if there is little mail", async () => {
    s.deliver({ subject: "An offer" });
    for (let i = 1; i <= 5; i++) {
      expect((await worker.find(scope, query("offer"), 10)).hits).toHaveLength(1);
      expect(here).toBe(i);
    }
  });

  test("use the new master key after a rotation", async () => {
    fill();
    await askedThere();
    const bo = s.h.newUser("bo@example.org");
    const { n } = s.deliver({ subject: "An offer to Bo" }, seedMailbox(s.h.platform, bo.id, { mailbox: s.mailbox }));
    s.h.platform.keyring.rotate(randomBytes(32));
    worker.renew();
    await askedThere();
    const before = here;
    const theirs = await worker.find({ user_id: bo.id, account_id: null }, query("offer"), 10);
    expect(theirs.hits.map((row) => row.n)).toEqual([n]);
    expect(here).toBe(before);
  });

  test("find only mail of the caller's scope", async () => {
    const own = fill();
    const second = seedMailbox(s.h.platform, scope.user_id, { mailbox: s.mailbox, email: "ada@work.example" });
    const { n } = s.deliver({ subject: "An offer at work" }, second);
    const bo = s.h.newUser("bo@example.org");
    s.deliver({ subject: "An offer to Bo" }, seedMailbox(s.h.platform, bo.id, { mailbox: s.mailbox }));
    await askedThere();
    const before = here;
    const bound = { ...scope, account_id: second.account.id };
    const ranked = async (of: MailScope) => (await worker.find(of, query("offer"), 10)).hits.map((row) => row.n).sort();
    expect(await ranked(bound)).toEqual([n]);
    expect([...(await worker.allowed(bound, query("offer"), [...own, n])).keys()]).toEqual([n]);
    expect([...(await worker.selection(bound, query("")))]).toEqual([n]);
    expect(await ranked(scope)).toEqual([...own, n].sort());
    expect(here).toBe(before);
  });
});

type Fake = FakeWorker<ToFullTextWorker, FromFullTextWorker>;

const askedOf = ({ got }: Fake): number[] => got.flatMap((message) => (message.type === "ask" ? [message.id] : []));

describe("the full-text worker", () => {
  let clock: ManualClock;
  let workers: Fake[];
  let worker: FullTextWorker;
  let lost: number;
  let fails: boolean;
  /** Number of searches on this thread. */
  let here: number;
  let lines: string[];
  const only = (n: number, thread_id: string): Found => ({
    hits: [{ n, thread_id, internal_date: 0, correspondent: 0, score: 1 }],
    corrections: [],
    terms: [],
    isKnown: true,
    isPartial: false,
  });
  const HERE = only(1, "thr_here");
  const THERE = only(2, "thr_there");
  const search = () => worker.find({ user_id: "usr_1", account_id: null }, parseQuery("x", 0), 5);

  beforeEach(() => {
    clock = new ManualClock();
    workers = [];
    lost = 0;
    fails = false;
    here = 0;
    lines = [];
    const find = () => {
      here++;
      return HERE;
    };
    worker = new FullTextWorker({
      clock,
      log: createLog({ level: "warn", format: "json", clock, write: (line) => lines.push(line) }),
      here: { find, allowed: () => new Map(), selection: () => [] },
      isLarge: () => true,
      start: () => {
        if (fails) throw new Error("out of memory");
        workers.push(new FakeWorker());
        return workers.at(-1) as unknown as WorkerLike;
      },
      begin: () => ({ type: "start", data_dir: "", master_key: new Uint8Array(32) }),
      onLost: () => lost++,
    });
  });

  const ready = async () => {
    expect(await search()).toEqual(HERE);
    workers.at(-1)!.say({ type: "ready" });
  };

  test("does not delay searches while it starts", async () => {
    await ready();
    const found = search();
    workers[0]!.say({ type: "found", id: askedOf(workers[0]!)[0]!, found: THERE });
    expect(await found).toEqual(THERE);
    expect(workers).toHaveLength(1);
  });

  test("may die: the main thread answers its queries, and another worker starts after a minute", async () => {
    await ready();
    const pending = search();
    workers[0]!.die();
    expect(await pending).toEqual(HERE);
    expect(lost).toBe(1);
    expect(await search()).toEqual(HERE);
    expect(workers).toHaveLength(1);
    await clock.advance(60_000);
    await ready();
    expect(workers).toHaveLength(2);
  });

  test("may fail to start", async () => {
    fails = true;
    expect(await search()).toEqual(HERE);
    fails = false;
    expect(await search()).toEqual(HERE);
    expect(workers).toHaveLength(0);
    await clock.advance(60_000);
    await ready();
    expect(workers).toHaveLength(1);
  });

  test("may fail to answer one query, which the main thread then answers", async () => {
    await ready();
    const found = search();
    workers[0]!.say({ type: "failed", id: askedOf(workers[0]!)[0]!, reason: "no such table" });
    expect(await found).toEqual(HERE);
    expect(lines.join("")).toContain("no such table");
    const again = search();
    workers[0]!.say({ type: "failed", id: askedOf(workers[0]!)[1]!, reason: "no such table" });
    expect(await again).toEqual(HERE);
    expect(lines).toHaveLength(1);
  });

  test("may refuse a message: the main thread answers the query", async () => {
    await ready();
    workers[0]!.deaf = true;
    expect(await search()).toEqual(HERE);
  });

  test("has a bounded queue: the main thread answers further queries", async () => {
    await ready();
    const waiting = Array.from({ length: 32 }, search);
    expect(await search()).toEqual(HERE);
    for (const id of askedOf(workers[0]!)) workers[0]!.say({ type: "found", id, found: THERE });
    expect(await Promise.all(waiting)).toEqual(Array.from({ length: 32 }, () => THERE));
    const next = search();
    workers[0]!.say({ type: "found", id: askedOf(workers[0]!).at(-1)!, found: THERE });
    expect(await next).toEqual(THERE);
  });

  test("is replaced after a minute if it does not answer in 20 seconds", async () => {
    await ready();
    workers[0]!.slow = true;
    const found = search();
    await clock.advance(20_000);
    expect(await found).toEqual(HERE);
    expect(lines.join("")).toContain("does not answer");
    expect(await search()).toEqual(HERE);
    expect(workers).toHaveLength(1);
    await clock.advance(60_000);
    await ready();
    expect(workers).toHaveLength(2);
  });

  test("keeps its queries as long as it answers, even slowly", async () => {
    await ready();
    const waiting = [search(), search(), search()];
    for (const id of askedOf(workers[0]!)) {
      await clock.advance(15_000);
      workers[0]!.say({ type: "found", id, found: THERE });
    }
    expect(await Promise.all(waiting)).toEqual([THERE, THERE, THERE]);
    const stuck = search();
    await clock.advance(40_000);
    expect(await stuck).toEqual(HERE);
  });

  test("if lost, its queries are answered with other requests in between", async () => {
    await ready();
    const pending = [search(), search(), search()];
    const before = here;
    workers[0]!.die();
    expect(here).toBe(before + 1);
    expect(await Promise.all(pending)).toEqual([HERE, HERE, HERE]);
  });

  test("ends after two minutes without a query, and starts again with the next one", async () => {
    await ready();
    await clock.advance(100_000);
    const found = search();
    workers[0]!.say({ type: "found", id: askedOf(workers[0]!)[0]!, found: THERE });
    await found;
    await clock.advance(110_000);
    expect(workers[0]!.ended).toBe(false);
    await clock.advance(11_000);
    expect(workers[0]!.ended).toBe(true);
    await ready();
    expect([workers.length, lost]).toEqual([2, 0]);
  });

  test("rejects waiting queries when the server stops, and does not start again", async () => {
    await ready();
    const found = search();
    const stopped = worker.stop();
    await expect(found).rejects.toThrow("stopping");
    await stopped;
    expect(workers[0]!.ended).toBe(true);
    expect(await search()).toEqual(HERE);
    expect(workers).toHaveLength(1);
  });
});
