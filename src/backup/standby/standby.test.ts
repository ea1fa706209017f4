import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { contentOf, LogFixture, type RunningLog } from "../../../test/support/log-fixture.ts";
import { UserError } from "../../kernel/errors.ts";
import { systemClock } from "../../platform/clock.ts";
import { MIGRATION_NAMES } from "../../platform/db/migrate.ts";
import { createLog } from "../../platform/log.ts";
import { StoreFault } from "../../platform/objects/store.ts";
import { readStandbyMarker, writeStandbyMarker } from "../../platform/process/standby-folder.ts";
import { Following, type FollowParts } from "./follow.ts";
import { type PromoteOptions, promoteStandby } from "./promote.ts";
import type { TakenLease } from "./take-lease.ts";

let log: LogFixture;
let running: RunningLog;
let data_dir: string;
let released: number;

beforeEach(async () => {
  log = await LogFixture.open(null);
  running = await log.start();
  mkdirSync(join(log.platform.config.data_dir, "blobs", "usr"), { recursive: true });
  writeFileSync(join(log.platform.config.data_dir, "blobs", "usr", "kept"), "sealed");
  await running.settle();
  data_dir = log.backup.path("standby");
  mkdirSync(data_dir);
  writeStandbyMarker(data_dir, { format: 1, from: log.store.place, promoting: null });
  released = 0;
});
afterEach(async () => {
  await running.stop();
  log.close();
});

/** Follows until the folder has the newest state. */
async function follow(more: Partial<FollowParts> = {}): Promise<Following["status"]> {
  const end = new AbortController();
  const following = new Following({
    data_dir,
    store: log.store,
    secrets: log.secrets,
    clock: systemClock,
    log: createLog({ level: "error", format: "text", clock: systemClock, write: () => {} }),
    changed: ({ checked_at }) => {
      if (checked_at !== null) end.abort();
    },
    ...more,
  });
  await following.run(end.signal);
  return following.status;
}

async function promote(more: Partial<PromoteOptions> = {}) {
  const lease: TakenLease = {
    before: null,
    wasOwn: false,
    require: () => {},
    release: async () => void released++,
  };
  return promoteStandby({
    data_dir,
    reader: await log.reader(),
    migrations: MIGRATION_NAMES,
    takeLease: async () => lease,
    ...more,
  });
}

async function change(): Promise<void> {
  log.deliver();
  await running.writer.flush();
}

describe("a standby", () => {
  test("follows the primary, and reports how far it is", async () => {
    expect(await follow()).toMatchObject({ error: null, failing_since: null, progress: null });
    await change();
    const { state_at, primary_at } = await follow();
    expect(state_at).toBe((await log.reader()).newestAt);
    expect(primary_at).toBeGreaterThanOrEqual(state_at!);
    expect(readdirSync(data_dir).sort()).toEqual(["standby", "standby.json"]);
  });

  test("waits for a store that does not answer when it starts", async () => {
    let refused = 0;
    const get = log.store.get.bind(log.store);
    log.store.get = async (...asked) => {
      if (refused++ < 3) throw new StoreFault("unavailable", "The store does not answer.");
      return get(...asked);
    };
    const clock = {
      ...systemClock,
      now: () => Date.now(),
      after: (_: number, run: () => void) => systemClock.after(1, run),
    };
    expect(await follow({ clock })).toMatchObject({ error: null, failing_since: null });
    expect(refused).toBeGreaterThan(3);
  });

  test("ends with a sentence when the place has no copy, or the key is of another installation", async () => {
    const other = await LogFixture.open(null);
    try {
      const parts = { data_dir, clock: systemClock, log: log.platform.log };
      const none = new Following({ ...parts, store: other.store, secrets: other.secrets });
      await expect(none.run(new AbortController().signal)).rejects.toThrow("has no continuous copy");
      const stranger = new Following({ ...parts, store: log.store, secrets: other.secrets });
      await expect(stranger.run(new AbortController().signal)).rejects.toBeInstanceOf(UserError);
    } finally {
      other.close();
    }
  });
});

describe("a promotion", () => {
  test("applies what is missing, and leaves an ordinary data folder", async () => {
    await follow();
    await change();
    const source = contentOf(log.platform.config.data_dir);
    const { custody } = await promote();
    expect(contentOf(data_dir)).toEqual(source);
    expect(custody).toBe("file");
    expect(existsSync(join(data_dir, "blobs/usr/kept"))).toBe(true);
    expect(readStandbyMarker(data_dir)).toBeNull();
    expect(existsSync(join(data_dir, "standby"))).toBe(false);
    expect(released).toBe(1);
  });

  test("needs no earlier copy", async () => {
    const source = contentOf(log.platform.config.data_dir);
    await promote();
    expect(contentOf(data_dir)).toEqual(source);
  });

  test("that was interrupted continues, also in the middle of moving the files", async () => {
    await follow();
    const source = contentOf(log.platform.config.data_dir);
    const killed = () => {
      throw new Error("killed");
    };
    await expect(promote({ settle: killed })).rejects.toThrow("killed");
    expect(readStandbyMarker(data_dir)).toMatchObject({ promoting: { seq: expect.any(Number) } });
    expect(existsSync(join(data_dir, "postroom.db"))).toBe(false);
    expect(released).toBe(1);
    // One folder was moved, and another one in part.
    const files = join(data_dir, "standby", "files");
    mkdirSync(join(data_dir, "blobs"));
    renameSync(join(files, "blobs", "usr"), join(data_dir, "blobs", "usr"));
    mkdirSync(join(data_dir, "keys"));
    writeFileSync(join(data_dir, "keys", "master.key"), "half");
    await promote();
    expect(contentOf(data_dir)).toEqual(source);
    expect(existsSync(join(data_dir, "blobs/usr/kept"))).toBe(true);
    expect(readStandbyMarker(data_dir)).toBeNull();
  });

  test.each(["before it", "after it was interrupted"])(
    "does not begin with an older state, which someone put back %s",
    async (when) => {
      const place = log.store.place;
      const copy = log.backup.path("earlier");
      cpSync(place, copy, { recursive: true });
      await running.stop();
      running = await log.start();
      await change();
      await follow();
      if (when !== "before it") {
        const killed = () => {
          throw new Error("killed");
        };
        await expect(promote({ settle: killed })).rejects.toThrow("killed");
      }
      rmSync(place, { recursive: true });
      cpSync(copy, place, { recursive: true });
      let isTaken = false;
      const takeLease = async () => {
        isTaken = true;
        throw new Error("taken");
      };
      await expect(promote({ takeLease })).rejects.toThrow("primary is older than what was read before");
      expect([isTaken, existsSync(join(data_dir, "standby"))]).toEqual([false, true]);
    },
  );

  test("takes a token above all that it knows", async () => {
    await follow();
    const known: number[] = [];
    const takeLease = async (token: number) => {
      known.push(token);
      throw new Error("taken");
    };
    await expect(promote({ takeLease })).rejects.toThrow("taken");
    expect(known).toEqual([running.lease.token]);
  });

  test("begins again if the primary continued after the interruption", async () => {
    await follow();
    const change1 = () => {
      throw new Error("killed");
    };
    await expect(promote({ settle: change1 })).rejects.toThrow("killed");
    await change();
    await promote();
    expect(contentOf(data_dir)).toEqual(contentOf(log.platform.config.data_dir));
  });

  test("changes nothing without the lease, or after it was lost", async () => {
    await follow();
    const refuse = () => Promise.reject(new UserError("nuc renews its lease, so it still acts."));
    await expect(promote({ takeLease: refuse })).rejects.toThrow("still acts");
    const lost: TakenLease = {
      before: null,
      wasOwn: false,
      require: () => {
        throw new UserError("The lease was lost.");
      },
      release: async () => {},
    };
    await expect(promote({ takeLease: async () => lost })).rejects.toThrow("was lost");
    expect(existsSync(join(data_dir, "postroom.db"))).toBe(false);
    await change();
    expect(await follow()).toMatchObject({ error: null });
  });

  test("of a log from a newer version is refused, and the folder stays a standby", async () => {
    await expect(promote({ migrations: [] })).rejects.toThrow("newer version");
    expect(readStandbyMarker(data_dir)).not.toBeNull();
    await promote();
  });
});
