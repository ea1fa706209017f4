import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { contentOf, LogFixture, type RunningLog } from "../../../test/support/log-fixture.ts";
import { type S3Server, startS3 } from "../../../test/support/s3-server.ts";
import { LOCAL_FOLDER } from "./local-files.ts";

setDefaultTimeout(60_000);

let s3: S3Server;
let fixture: LogFixture;
let running: RunningLog | null = null;
beforeAll(async () => {
  s3 = await startS3();
});
afterAll(() => s3.close());
beforeEach(() => {
  s3.disturb = () => null;
});
afterEach(() => {
  running?.kill();
  running = null;
  fixture.close();
});

const source = () => fixture.backup.scratch.data_dir;

async function expectRestoredEquals(): Promise<string> {
  const { data_dir } = await fixture.restore();
  expect(contentOf(data_dir)).toEqual(contentOf(source()));
  return data_dir;
}

describe.each(["a bucket", "a folder"])("%s", (kind) => {
  const open = async () => {
    fixture = await LogFixture.open(kind === "a bucket" ? s3 : null);
  };

  test("has what was committed before a flush", async () => {
    await open();
    running = await fixture.start();
    await running.settle();
    await expectRestoredEquals();
    for (let i = 0; i < 5; i++) {
      fixture.deliver();
      await running.writer.flush();
      await expectRestoredEquals();
    }
    expect((await fixture.reader()).history.part).toMatchObject({ head: { seq: 6, token: 1 }, step: null });
    expect((await fixture.reader()).history.part.bases).toHaveLength(1);
  });

  test("has new, changed and deleted files", async () => {
    await open();
    const blobs = join(source(), "blobs", "messages");
    mkdirSync(blobs, { recursive: true });
    writeFileSync(join(source(), "postroom.toml"), "[log]\nlevel = 'info'\n");
    writeFileSync(join(blobs, "one"), "first");
    running = await fixture.start();
    await running.settle();
    writeFileSync(join(source(), "postroom.toml"), "[log]\nlevel = 'warn'\n");
    rmSync(join(blobs, "one"));
    const large = crypto.getRandomValues(Buffer.alloc(60_000));
    const content = Buffer.concat(Array.from({ length: 200 }, () => large));
    writeFileSync(join(blobs, "large"), content);
    await running.writer.flush();
    const restored = await expectRestoredEquals();
    expect(readFileSync(join(restored, "postroom.toml"), "utf8")).toContain("warn");
    expect(readFileSync(join(restored, "blobs/messages/large")).equals(content)).toBe(true);
    expect(() => readFileSync(join(restored, "blobs/messages/one"))).toThrow("ENOENT");
  });

  test("gets the difference after a restart, also after a kill, and no new base", async () => {
    await open();
    running = await fixture.start();
    await running.settle();
    fixture.deliver();
    await running.writer.flush();
    running.kill();
    fixture.deliver();
    running = await fixture.start();
    await running.settle();
    expect(running.writer.status()).toMatchObject({ seq: 3, token: 2, segments: 1, warning: null });
    await expectRestoredEquals();
    fixture.deliver();
    await running.writer.flush();
    await running.stop();
    running = await fixture.start();
    await running.settle();
    expect(running.writer.status()).toMatchObject({ seq: 4, segments: 0 });
    expect((await fixture.reader()).history.part.bases).toHaveLength(1);
    await expectRestoredEquals();
  });

  test("gets a new base after the notes of this machine were lost", async () => {
    await open();
    running = await fixture.start();
    await running.settle();
    await running.stop();
    rmSync(join(source(), LOCAL_FOLDER), { recursive: true });
    fixture.deliver();
    running = await fixture.start();
    await running.settle();
    expect((await fixture.reader()).history.part.bases.map(({ fresh }) => fresh)).toEqual([true, true]);
    await expectRestoredEquals();
  });
});
