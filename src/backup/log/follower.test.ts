import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { complaint, contentOf, LogFixture, type RunningLog } from "../../../test/support/log-fixture.ts";
import { prepareRestored } from "../../app/backup.ts";
import { systemClock } from "../../platform/clock.ts";
import { loadConfig } from "../../platform/config/load.ts";
import { MIGRATION_NAMES } from "../../platform/db/migrate.ts";
import { openPlatform } from "../../platform/platform.ts";
import { finishFollower } from "./finish.ts";
import { PAGES_FILE } from "./folder-target.ts";
import { LogFollower } from "./follower.ts";
import { LOCAL_FOLDER } from "./local-files.ts";
import { drillLog } from "./restore-log.ts";

setDefaultTimeout(60_000);

let fixture: LogFixture;
let running: RunningLog | null = null;
beforeEach(async () => {
  fixture = await LogFixture.open(null, 3);
  running = await fixture.start();
  await running.settle();
});
afterEach(() => {
  running?.kill();
  running = null;
  fixture.close();
});

const source = () => fixture.backup.scratch.data_dir;
const nameOf = (data_dir: string) => JSON.stringify(contentOf(data_dir));

async function follow(folder = fixture.backup.path("standby/followed")): Promise<LogFollower> {
  return LogFollower.open({ folder, reader: await fixture.reader() });
}

/** Makes a data folder of what a follower has. */
async function finish(follower: LogFollower, settle?: (database: string, head: { migrations: string[] }) => void) {
  const data_dir = fixture.backup.path("standby");
  const finished = await finishFollower({ follower, data_dir, migrations: MIGRATION_NAMES, ...(settle && { settle }) });
  return { data_dir, ...finished };
}

test("follows each change, and becomes a data folder that equals the source", async () => {
  const follower = await follow();
  await follower.advance();
  for (let i = 0; i < 4; i++) {
    fixture.deliver();
    if (i === 2) {
      mkdirSync(join(source(), "blobs"), { recursive: true });
      writeFileSync(join(source(), "blobs", "file"), "content");
    }
    await running!.writer.flush();
    const { segments } = await follower.advance();
    expect(segments).toBe(1);
  }
  expect((await follower.advance()).segments).toBe(0);
  await follower.verify();
  const { data_dir, custody } = await finish(follower);
  expect(custody).toBe("file");
  expect(nameOf(data_dir)).toBe(nameOf(source()));
  expect(readFileSync(join(data_dir, "blobs/file"), "utf8")).toBe("content");
  expect(readdirSync(data_dir).sort()).toEqual(["blobs", "cache", "keys", "postroom.db"]);
});

test("killed at any moment, it continues, and reaches the same state", async () => {
  const folder = fixture.backup.path("standby/followed");
  const script = join(import.meta.dir, "../../../test/support/follow-log.ts");
  const key = Buffer.from(fixture.platform.keyring.master).toString("hex");
  const filled = new Database(join(source(), "postroom.db"));
  filled.run("PRAGMA busy_timeout = 10000");
  filled.run("CREATE TABLE filler (n INTEGER PRIMARY KEY, content BLOB)");
  let seed = 17;
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  for (let round = 0; round < 10; round++) {
    const child = Bun.spawn([process.execPath, script, fixture.store.place, folder, key], { stdout: "pipe" });
    const reader = child.stdout.getReader();
    await reader.read();
    for (let i = 0; i < 4; i++) {
      filled.query("INSERT OR REPLACE INTO filler VALUES (?, randomblob(?))").run(i, Math.floor(random() * 4_000_000));
      fixture.deliver();
      if (round === 4 && i === 1) running!.writer.requestBase();
      await running!.writer.flush();
    }
    await Bun.sleep(random() * 60);
    child.kill("SIGKILL");
    await child.exited;
  }
  filled.close();
  await running!.settle();
  const follower = await follow(folder);
  await follower.advance();
  await follower.verify();
  const { data_dir } = await finish(follower);
  expect(nameOf(data_dir)).toBe(nameOf(source()));
});

test("a promotion that was killed after the database was settled is completed by the next one", async () => {
  fixture.deliver();
  await running!.writer.flush();
  const first = await follow();
  await first.advance();
  const killed = () => {
    throw new Error("killed");
  };
  expect(await complaint(finish(first, killed))).toBe("killed");
  expect(existsSync(join(fixture.backup.path("standby"), "postroom.db"))).toBe(false);
  const { data_dir } = await finish(await follow());
  expect(nameOf(data_dir)).toBe(nameOf(source()));
});

test("a disk that returns something else is noticed before the folder gets its database", async () => {
  const follower = await follow();
  await follower.advance();
  const pages = join(follower.folder, PAGES_FILE);
  const bytes = readFileSync(pages);
  bytes[5_000]! ^= 1;
  writeFileSync(pages, bytes);
  expect(await complaint(finish(follower))).toContain("differs from what was written to it");
  expect(existsSync(join(fixture.backup.path("standby"), "postroom.db"))).toBe(false);
});

test("a server in the new folder accepts its access rows, and continues the log with the difference", async () => {
  const { platform, user } = fixture.backup.scratch;
  const { secret } = platform.keys.create({ user_id: user.id, name: "program", scopes: ["mail:read"] } as never) as {
    secret: string;
  };
  const actor = { kind: "user", id: user.id } as const;
  const client = { id: "client-1", name: "An assistant" };
  platform.assistantClients.put(client.id, { client_name: client.name });
  const scopes = ["mail:read"] as const;
  const granted = { user_id: user.id, client, scopes, asked: scopes, account_id: null } as never;
  const connection = platform.connections.grant(granted, { actor });
  await running!.writer.flush();
  const follower = await follow();
  await follower.advance();
  const { data_dir } = await finish(follower, (database, head) => {
    prepareRestored(database, head, systemClock);
  });
  running!.kill();
  const restored = openPlatform({ config: loadConfig({ data_dir, env: {} }), clock: fixture.backup.scratch.clock });
  try {
    expect(restored.users.get(user.id)?.email).toBe(user.email);
    expect(restored.keys.find(secret)).not.toBeNull();
    expect(restored.assistantClients.find(client.id)).toEqual({ client_name: client.name });
    expect(restored.connections.live(user.id, client.id).map(({ id }) => id)).toEqual([connection.id]);
    expect(restored.grants.differences()).toEqual([]);
    restored.keys.create({ user_id: user.id, name: "another", scopes: ["mail:read"] } as never);
    running = await fixture.start({ platform: restored });
    await running.settle();
    const { part } = (await fixture.reader()).history;
    expect(part.bases).toHaveLength(1);
    expect(part.ancestors).toEqual([{ token: 1, seq: 2 }]);
    expect(running.writer.status().warning).toBeNull();
    const again = await fixture.restore();
    expect(nameOf(again.data_dir)).toBe(nameOf(data_dir));
  } finally {
    running?.kill();
    restored.close();
  }
});

test("a drill restores the newest state, checks it, and leaves nothing", async () => {
  const { clock } = fixture.backup.scratch;
  clock.advance(5_000);
  fixture.deliver();
  await running!.writer.flush();
  const reader = await fixture.reader();
  const drill = await drillLog(reader, source(), MIGRATION_NAMES);
  expect(drill).toMatchObject({ at: clock.now(), restored: true });
  expect(existsSync(join(source(), LOCAL_FOLDER, "drill"))).toBe(false);
  expect(await complaint(drillLog(reader, source(), MIGRATION_NAMES.slice(0, -1)))).toContain("newer version");
});
