import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { createServer, type Server } from "node:net";
import { systemClock } from "../../src/platform/clock.ts";
import { S3Store } from "../../src/platform/objects/s3-store.ts";
import type { StoreFault } from "../../src/platform/objects/store.ts";
import { eventually } from "../support/eventually.ts";
import { dice } from "./campaign.ts";
import { Acts, CAN_ATTRIBUTE, type Front, startFront } from "./off-machine-acts.ts";
import { Journal, type Written } from "./off-machine-journal.ts";
import { type FaultyStore, type StoreLine, startFaultyStore } from "./off-machine-store.ts";
import type { FolderView } from "./off-machine-view.ts";

/** The campaign itself: it must notice what it is there for. */

describe("the store", () => {
  let store: FaultyStore;
  let lines: StoreLine[];
  beforeAll(async () => {
    store = await startFaultyStore("home", dice(4), 100);
    lines = [await store.line("a"), await store.line("b")];
  });
  beforeEach(() => {
    store.disturbed = 0;
    for (const line of lines) line.set("up");
  });
  afterAll(() => store.close());

  const open = ({ endpoint }: StoreLine) =>
    new S3Store({
      bucket: "home",
      prefix: "test",
      endpoint,
      region: "us-east-1",
      access_key_id: "S3RVER",
      secret_access_key: "S3RVER",
      path_style: true,
      ca: null,
      clock: systemClock,
      calls: null,
      pauseMs: 5,
    });
  const bytes = (text: string) => new TextEncoder().encode(text);

  test("of two machines that write on a condition, one succeeds", async () => {
    const [a, b] = lines.map(open) as [S3Store, S3Store];
    const tag = await a.put("primary", bytes("0"), { absent: true });
    const ends = await Promise.allSettled([
      a.put("primary", bytes("a"), { etag: tag }),
      b.put("primary", bytes("b"), { etag: tag }),
      b.put("primary", bytes("c"), { absent: true }),
    ]);
    expect(ends.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected", "rejected"]);
    expect(store.conflicts).toBe(2);
  });

  test("every disturbance happens, and none changes what is stored", async () => {
    const [a] = lines.map(open) as [S3Store];
    store.disturbed = 0.4;
    const kinds = ["cut", "delayed", "error_500", "error_503", "halved", "lost", "repeated", "repeated_late"];
    let written = 0;
    while (Object.keys(store.misfortunes).length < kinds.length + 2 && written < 200) {
      await a.put(`many/${written}`, bytes(`number ${written}`));
      expect(new TextDecoder().decode((await a.get(`many/${written}`, 100))!.bytes)).toBe(`number ${written}`);
      for await (const _ of a.list("many/"));
      written++;
    }
    expect(Object.keys(store.misfortunes).toSorted()).toEqual([...kinds, "slow_down", "unlisted"]);
    store.disturbed = 0;
    expect(await Array.fromAsync(a.list("many/"))).toHaveLength(written);
  }, 60_000);

  test("a machine without the store reaches it late, and the others are not concerned", async () => {
    const [a, b] = lines.map(open) as [S3Store, S3Store];
    const tag = await a.put("late", bytes("before"));
    lines[0]!.set("silent");
    const late = a.put("late", bytes("late"), { etag: tag }).catch((error: StoreFault) => error.reason);
    await b.put("late", bytes("now"), { etag: tag });
    lines[0]!.set("up");
    expect(await late).toBe("conflict");
    expect(new TextDecoder().decode((await b.get("late", 100))!.bytes)).toBe("now");
    const [outage] = lines[0]!.outages;
    expect(outage!.to).toBeGreaterThan(outage!.from);
  });
});

describe("the journal", () => {
  const nothing: FolderView = { messages: new Set(), threads: new Map(), drafts: new Map(), sends: new Map() };
  const entry = (asked: number, holds: boolean): Written => ({
    what: `entry ${asked}`,
    asked,
    acked: asked + 10,
    by: "m0#1",
    holds: () => holds,
    isExact: true,
  });
  const cut = { at: 60_000, outagesOf: () => [], promiseMs: 10_000, adopt: false };
  const judge = (entries: Written[], more: object = {}) => {
    const journal = new Journal();
    for (const one of entries) journal.add(one);
    return journal.judge(nothing, { ...cut, ...more });
  };

  test("what was confirmed before the last ten seconds must be there", () => {
    expect(judge([entry(45_000, false)]).misses).toEqual(["entry 45000 of m0#1 is missing, confirmed 15.0 s before"]);
    expect(judge([entry(55_000, false)])).toEqual({ required: 0, lost: 1, worstMs: 4_990, misses: [] });
    expect(judge([entry(45_000, true)])).toEqual({ required: 1, lost: 0, worstMs: 0, misses: [] });
  });

  test("time without a store does not count", () => {
    const outages = [{ from: 47_000, to: Number.POSITIVE_INFINITY }];
    expect(judge([entry(45_000, false)], { outagesOf: () => outages }).misses).toEqual([]);
    expect(judge([entry(35_000, false)], { outagesOf: () => outages }).misses).toHaveLength(1);
  });

  test("a later change without an earlier one is half a state", () => {
    expect(judge([entry(55_000, false), entry(56_000, true)]).misses).toEqual([
      "entry 56000 is there without entry 55000, which was confirmed before it was requested",
    ]);
    // Both were under way at the same time: their order is not known.
    expect(judge([entry(55_000, false), entry(55_005, true)]).misses).toEqual([]);
  });

  test("a past state has nothing that was requested later", () => {
    expect(judge([entry(70_000, true)], { isPast: true }).misses).toEqual([
      "entry 70000 is there before it was requested",
    ]);
    expect(judge([entry(70_000, false)], { isPast: true }).misses).toEqual([]);
  });

  test("what a new primary does not have is given up, and the rest stays required", () => {
    const journal = new Journal();
    journal.add(entry(55_000, false));
    expect(journal.judge(nothing, { ...cut, adopt: true }).lost).toBe(1);
    expect(journal.judge(nothing, { ...cut, at: 90_000 }).misses).toEqual([]);
  });
});

describe("who acts", () => {
  const read = (who: string) => ({ who, via: "imap" as const, what: "A1 UID FETCH", isChange: false });

  test("one that stood still may read for a moment, and changes nothing", () => {
    const acts = new Acts();
    for (const who of ["m0#1", "m1#1"]) acts.note(read(who));
    acts.thaw("m0#1");
    acts.note(read("m0#1"));
    expect(acts.takeOverlaps()).toEqual([]);
    expect(acts.late).toBe(1);
    acts.note({ who: "m0#1", via: "imap", what: "A2 UID STORE", isChange: true });
    expect(acts.takeOverlaps()).toHaveLength(1);
  });

  test("one that acts after another took over is reported, once", () => {
    const acts = new Acts();
    for (const who of ["m0#1", "m0#1", "m1#1", "m0#1", "m0#1"]) acts.note(read(who));
    expect(acts.takeOverlaps()).toEqual([
      expect.stringMatching(/^m0#1 acted \(imap: A1 UID FETCH\) .* m1#1 had taken/),
    ]);
    expect(acts.takeOverlaps()).toEqual([]);
  });

  test.skipIf(!CAN_ATTRIBUTE)(
    "commands are noted for the process that writes them, and farewells are not",
    async () => {
      const acts = new Acts();
      const server: Server = createServer((socket) => socket.on("error", () => {}).resume());
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const front: Front = await startFront((server.address() as { port: number }).port, "imap", acts);
      const script = `const s = require("node:net").connect(${front.port}, "127.0.0.1");
      process.stdin.on("data", (line) => s.write(line));`;
      const child = Bun.spawn([process.execPath, "-e", script], { stdin: "pipe" });
      try {
        acts.know(child.pid, "m7#1");
        child.stdin.write("DONE\r\nA9 LOGOUT\r\n");
        await child.stdin.flush();
        await Bun.sleep(100);
        expect(acts.current).toBeNull();
        child.stdin.write("A1 UID FETCH 1:*\r\n");
        await child.stdin.flush();
        await eventually(() => acts.current === "m7#1");
      } finally {
        child.kill(9);
        await front.close();
        server.close();
      }
    },
  );
});
