import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { complaint, contentOf, LogFixture, type RunningLog } from "../../../test/support/log-fixture.ts";
import { isoTime } from "../../kernel/clock.ts";
import { newRecoveryKey } from "../../platform/sealing/recovery-key.ts";
import { LOG_FOLDER } from "./crypt.ts";
import { verifyLog } from "./restore-log.ts";

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
const pathOf = (key: string) => join(fixture.store.place, key);
const objects = () => readdirSync(pathOf(LOG_FOLDER)).map((name) => LOG_FOLDER + name);
const restoredFolders = () => readdirSync(fixture.backup.path(".")).filter((name) => name.startsWith("restored-"));

async function change(): Promise<void> {
  fixture.backup.scratch.clock.advance(10_000);
  fixture.deliver();
  await running!.writer.flush();
}

/** Changes an object, requires that a restore and a verification fail, and puts it back. @returns the messages */
async function refused(key: string, spoil: (bytes: Buffer) => Buffer | null): Promise<string> {
  const path = pathOf(key);
  const original = readFileSync(path);
  const spoiled = spoil(Buffer.from(original));
  if (spoiled) writeFileSync(path, spoiled);
  else rmSync(path);
  try {
    const before = restoredFolders();
    const messages = [
      await complaint(fixture.restore()),
      await complaint(fixture.reader().then((reader) => verifyLog(reader, "newest"))),
    ];
    expect(restoredFolders()).toEqual(before);
    for (const message of messages) expect(message).toContain(fixture.store.place);
    return messages.join("\n");
  } finally {
    writeFileSync(path, original);
  }
}

test("a flipped bit, a missing, a shortened and a replaced object are named, and nothing is restored", async () => {
  await change();
  mkdirSync(join(source(), "blobs"), { recursive: true });
  // Large enough for several packs.
  writeFileSync(join(source(), "blobs", "large"), crypto.getRandomValues(Buffer.alloc(60_000)));
  for (let i = 0; i < 180; i++)
    writeFileSync(join(source(), "blobs", `b${i}`), crypto.getRandomValues(Buffer.alloc(60_000)));
  await change();
  await change();
  const all = objects();
  expect(all.length).toBeGreaterThan(5);
  const sizes = new Map(all.map((key) => [key, readFileSync(pathOf(key)).length]));
  for (const [i, key] of all.entries()) {
    const at = (i * 7_919) % sizes.get(key)!;
    const flip = (bytes: Buffer) => {
      bytes[at]! ^= 8;
      return bytes;
    };
    expect(await refused(key, flip)).toMatch(new RegExp(`${key} .*is damaged`));
    expect(await refused(key, () => null)).toMatch(new RegExp(`${key} .*is missing`));
    expect(await refused(key, (bytes) => bytes.subarray(0, -1))).toMatch(
      new RegExp(`${key} .*(is damaged|bytes instead)`),
    );
    const other = all.find((one) => one !== key && sizes.get(one) !== undefined)!;
    expect(await refused(key, () => readFileSync(pathOf(other)))).toMatch(
      new RegExp(`${key} .*(was replaced|is damaged|bytes instead)`),
    );
  }
  for (const key of ["keys", "primary"]) {
    expect(await refused(key, () => null)).toContain(`${key} is missing`);
    expect(await refused(key, (bytes) => bytes.fill(1, bytes.length - 20))).toContain(`${key} is damaged`);
  }
  expect(nameOf((await fixture.restore()).data_dir)).toBe(nameOf(source()));
});

test("objects of another installation are refused", async () => {
  await change();
  const other = await LogFixture.open(null, 2);
  const theirs = await other.start();
  try {
    await theirs.settle();
    const foreign = readdirSync(join(other.store.place, LOG_FOLDER)).map((name) =>
      join(other.store.place, LOG_FOLDER, name),
    );
    for (const key of objects()) {
      expect(await refused(key, () => readFileSync(foreign[0]!))).toContain(
        "is damaged, or belongs to another installation",
      );
    }
    expect(await refused("primary", () => readFileSync(join(other.store.place, "primary")))).toContain(
      "primary is damaged, or belongs to another installation",
    );
    const complained = await complaint(other.start({ store: fixture.store }));
    expect(complained).toContain("has the continuous copy of another installation");
    expect(complained).toContain("Nothing was sent");
  } finally {
    theirs.kill();
    other.close();
  }
});

test("a place that was put back as a whole is restored with its time; parts of an earlier one are refused", async () => {
  await change();
  const { clock } = fixture.backup.scratch;
  const [early, at] = [nameOf(source()), clock.now()];
  const copy = fixture.backup.path("early");
  cpSync(fixture.store.place, copy, { recursive: true });
  await running!.stop();
  running = await fixture.start();
  await change();
  await change();
  const late = fixture.backup.path("late");
  cpSync(fixture.store.place, late, { recursive: true });
  const put = (from: string, what: string) => {
    rmSync(pathOf(what), { recursive: true, force: true });
    cpSync(join(from, what), pathOf(what), { recursive: true });
  };
  // Only the object that names the newest state.
  put(copy, "primary");
  expect(await complaint(fixture.restore())).toContain("primary is older than the continuous copy");
  // Only the segments.
  put(late, "primary");
  put(copy, "log");
  expect(await complaint(fixture.restore())).toMatch(/\(change \d+\) is missing/);
  // Everything: no one can know, so the time is said.
  put(copy, "primary");
  expect(nameOf((await fixture.restore()).data_dir)).toBe(early);
  expect((await fixture.reader()).describe()).toContain(`reaches at least ${isoTime(at)}`);
  // The machine that wrote it notices it, and sends a base.
  await running.stop();
  running = await fixture.start();
  await running.settle();
  expect(running.writer.status().warning).not.toBeNull();
  expect(nameOf((await fixture.restore()).data_dir)).toBe(nameOf(source()));
});

test("keys that are missing, damaged or old are written again, and this is said", async () => {
  await change();
  const old = readFileSync(pathOf("keys"));
  for (const spoil of ["missing", "damaged"]) {
    if (spoil === "missing") rmSync(pathOf("keys"));
    else writeFileSync(pathOf("keys"), Buffer.from(old).fill(1, old.length - 20));
    await running!.own.check();
    expect(fixture.backup.scratch.log.at(-1)).toContain(`were ${spoil}`);
    expect(nameOf((await fixture.restore()).data_dir)).toBe(nameOf(source()));
  }
});

test("without a key, nothing can be read or added", async () => {
  await change();
  const stranger = await newRecoveryKey();
  const secrets = [{ kind: "recovery key" as const, secret: stranger.secret }];
  expect(await complaint(fixture.reader(secrets))).toContain("does not open");
  for (const key of [...objects(), "primary", "keys"]) {
    const text = readFileSync(pathOf(key)).toString("latin1");
    for (const word of ["SQLite", "postroom.db", "change", "pages", "token", "ada@"]) expect(text).not.toContain(word);
  }
  expect(objects().every((key) => /^log\/[0-9a-f]{64}$/.test(key))).toBe(true);
  // Something that the log does not have is ignored.
  writeFileSync(pathOf(`${LOG_FOLDER}${"0".repeat(64)}`), readFileSync(pathOf(objects()[0]!)));
  expect(nameOf((await fixture.restore()).data_dir)).toBe(nameOf(source()));
});

test("an object in the place of the next change that is too large does not keep a server from copying", async () => {
  await change();
  const { own, lease } = running!;
  const next = { level: "change", token: lease.token, seq: lease.log!.head!.seq + 1 } as const;
  await running!.stop();
  writeFileSync(pathOf(own.keys.crypt(own.keys.newest)!.name(next)), Buffer.alloc(33 * 1024 * 1024));
  running = await fixture.start();
  fixture.deliver();
  await running.settle();
  expect(running.writer.status().warning).toContain("more than Postroom writes");
  expect(nameOf((await fixture.restore()).data_dir)).toBe(nameOf(source()));
});
