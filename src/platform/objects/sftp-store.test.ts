import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "../../../test/support/eventually.ts";
import { type Scratch, scratchPlatform } from "../../../test/support/scratch-platform.ts";
import { blobOf, makeKey, type SftpServer, SSHD, startSftp } from "../../../test/support/sftp-server.ts";
import { ManualClock, systemClock } from "../clock.ts";
import type { SftpOptions } from "./sftp-client.ts";
import { fingerprintOf } from "./sftp-login.ts";
import { SftpStore } from "./sftp-store.ts";
import type { PutCondition, StoreFault, UploadState } from "./store.ts";

setDefaultTimeout(60_000);

const MIB = 1024 * 1024;
const text = (words: string) => Buffer.from(words);
const faultOf = (work: Promise<unknown>) => work.then(() => null).catch((error) => error as StoreFault);
const source = (bytes: Uint8Array) => ({
  bytes: bytes.length,
  read: async (at: number, length: number) => bytes.subarray(at, at + length),
});
const fresh = { resume: null, saved: () => {} };

const opened: { close(): void }[] = [];
afterEach(() => {
  for (const item of opened.splice(0)) item.close();
});

describe.skipIf(!SSHD)("a folder over SSH in trouble", () => {
  let server: SftpServer;
  let scratch: Scratch;
  beforeAll(async () => {
    server = await startSftp();
    scratch = scratchPlatform();
  });
  afterEach(() => {
    server.cut = () => null;
  });
  afterAll(async () => {
    scratch.close();
    await server.close();
  });

  const open = (folder: string, more: Partial<SftpOptions & { partBytes: number }> = {}) => {
    const calls = scratch.platform.storeCalls;
    const store = new SftpStore({ ...server.options(folder), clock: systemClock, calls, partBytes: MIB, ...more });
    opened.push(store);
    return store;
  };

  test("connects again after a connection breaks", async () => {
    const store = open("again");
    await store.put("index", text("one"));
    server.breakAll();
    expect(Buffer.from((await store.get("index", 10))!.bytes).toString()).toBe("one");
  });

  test("cut at any byte, an upload is complete or not there, and the next one completes it", async () => {
    const store = open("cuts", { pauseMs: 1 });
    const bytes = randomBytes(3 * MIB + 11);
    let seed = 11;
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return Math.floor((seed / 2_147_483_647) * below);
    };
    for (let round = 0; round < 10; round++) {
      // The first connections of a round break: in the handshake, in the data, or before an answer.
      const cuts = Array.from({ length: 3 }, () =>
        random(2) === 0 ? { up: random(3 * MIB) } : { down: random(9_000) },
      );
      const from = server.connections;
      server.cut = (connection) => cuts[connection - from] ?? null;
      server.breakAll();
      const key = `objects/${round}`;
      const upload = faultOf(store.upload(key, source(bytes), fresh));
      const watcher = open("cuts");
      const seen = await watcher.head(key);
      expect(seen === null || seen.bytes === bytes.length).toBe(true);
      expect(await upload).toBeNull();
      expect(Buffer.compare(await store.read(key, 0, bytes.length), bytes)).toBe(0);
    }
  });

  test("cut at any byte, a write on a condition succeeds once or says that it did not", async () => {
    let value = "start";
    let etag = await open("conditions").put("index", text(value), { absent: true });
    for (let round = 0; round < 24; round++) {
      const store = open("conditions", { pauseMs: 1 });
      const from = server.connections;
      // From the beginning of the handshake to beyond the last answer, for one or two connections.
      const cut = round % 2 === 0 ? { down: 1_500 + round * 140 } : { up: 1_500 + round * 140 };
      server.cut = (connection) => (connection - from < 1 + (round % 3 === 0 ? 1 : 0) ? cut : null);
      const next = `round ${round}`;
      const put = await store.put("index", text(next), { etag }).catch((error: StoreFault) => error);
      server.cut = () => null;
      const found = (await store.get("index", 100))!;
      expect({ round, put }).toEqual({ round, put: found.etag });
      expect(Buffer.from(found.bytes).toString()).toBe(next);
      expect((await faultOf(store.put("index", text("late"), { etag })))?.reason).toBe("conflict");
      [value, etag] = [next, found.etag];
    }
    expect(readdirSync(join(server.root, "conditions")).filter((name) => name.endsWith(".lock"))).toEqual([]);
  });

  test("one of many machines wins, and the lock of a killed one is broken", async () => {
    const machines = Array.from({ length: 6 }, () => open("machines"));
    const put = (condition: PutCondition) =>
      Promise.allSettled(machines.map((store, i) => store.put("index", text(`machine ${i}`), condition)));
    const won = (await put({ absent: true })).filter(({ status }) => status === "fulfilled");
    expect(won).toHaveLength(1);
    const lock = join(server.root, "machines/index.lock");
    mkdirSync(lock);
    writeFileSync(join(lock, "0123456789ab"), "never written");
    // Pauses between attempts are shorter, and count as long ones.
    const clock = { ...systemClock, after: (ms: number, fn: () => void) => systemClock.after(ms < 1_000 ? 1 : ms, fn) };
    const { etag } = (await machines[0]!.get("index", 100))!;
    await open("machines", { clock }).put("index", text("after the lock"), { etag });
    expect(readdirSync(join(server.root, "machines"))).toEqual(["index"]);
    expect(readFileSync(join(server.root, "machines/index"), "utf8")).toBe("after the lock");
  });

  test("an upload continues with the part after the last one that arrived", async () => {
    const bytes = randomBytes(4 * MIB);
    const stop = new AbortController();
    let state: UploadState | null = null;
    const saved = (now: UploadState) => {
      state = structuredClone(now);
      if (now.etags.length === 2) stop.abort();
    };
    const first = open("resume").upload("objects/aa", source(bytes), { resume: null, saved, signal: stop.signal });
    expect(await faultOf(first)).not.toBeNull();
    const store = open("resume");
    expect(await store.head("objects/aa")).toBeNull();
    const read: number[] = [];
    const rest = {
      bytes: bytes.length,
      read: async (at: number, length: number) => {
        read.push(at);
        return bytes.subarray(at, at + length);
      },
    };
    await store.upload("objects/aa", rest, { resume: state, saved: () => {} });
    expect(read).toEqual([2 * MIB, 3 * MIB]);
    expect(Buffer.compare(await store.read("objects/aa", 0, bytes.length), bytes)).toBe(0);
    // The crash was after the last step.
    await store.upload("objects/aa", rest, { resume: { ...state!, etags: ["", "", "", ""] }, saved: () => {} });
    expect(read).toHaveLength(2);
  });

  test("an upload starts again if the server no longer has its parts", async () => {
    const bytes = randomBytes(2 * MIB + 5);
    const store = open("gone");
    const resume = { uploadId: "0123456789ab", partBytes: MIB, etags: ["", ""] };
    await store.upload("objects/aa", source(bytes), { resume, saved: () => {} });
    expect(Buffer.compare(await store.read("objects/aa", 0, bytes.length), bytes)).toBe(0);
    expect(readdirSync(join(server.root, "gone/objects"))).toEqual(["aa"]);
  });

  test("every operation is recorded before it leaves", async () => {
    const { storeCalls } = scratch.platform;
    const before = storeCalls.totals(0);
    const seen: number[] = [];
    server.cut = () => {
      seen.push(storeCalls.totals(0).calls - before.calls);
      return null;
    };
    const store = open("ledger");
    await store.put("index", text("12345"));
    await store.get("index", 10);
    expect(seen).toEqual([1]);
    const after = storeCalls.totals(0);
    expect(after.calls - before.calls).toBe(2);
    expect([after.bytes_out - before.bytes_out, after.bytes_in - before.bytes_in]).toEqual([5, 5]);
  });

  test("closes an idle connection, and opens another one when it is needed", async () => {
    const clock = new ManualClock();
    const store = open("idle", { clock });
    const before = server.connections;
    await store.put("index", text("one"));
    await store.get("index", 10);
    expect(server.connections - before).toBe(1);
    clock.advance(31_000);
    await store.get("index", 10);
    expect(server.connections - before).toBe(2);
  });

  test("a connection on which the server falls silent is given up after a while", async () => {
    const clock = new ManualClock();
    const store = open("silent", { clock, pauseMs: 1 });
    await store.put("index", text("one"));
    const before = server.connections;
    server.silent = true;
    server.cut = () => {
      server.silent = false;
      return null;
    };
    let isDone = false;
    const found = store.get("index", 10).finally(() => {
      isDone = true;
    });
    await eventually(() => {
      clock.advance(server.silent ? 10_000 : 1);
      return isDone;
    }, 30_000);
    expect(Buffer.from((await found)!.bytes).toString()).toBe("one");
    expect(server.connections).toBeGreaterThan(before);
  });

  test("an aborted signal ends what runs", async () => {
    const stop = new AbortController();
    const store = open("abort", { signal: stop.signal });
    await store.put("index", text("one"));
    const bytes = randomBytes(8 * MIB);
    const upload = store.upload("objects/aa", source(bytes), { resume: null, saved: () => stop.abort() });
    expect((await faultOf(upload))?.message).toContain("was canceled");
    expect(await open("abort").head("objects/aa")).toBeNull();
  });

  describe("what is wrong is said", () => {
    const messageOf = async (more: Partial<SftpOptions>) => {
      const fault = await faultOf(open("said", more).get("index", 10));
      return `${fault?.reason}: ${fault?.message}`;
    };
    const { login, place } = {
      login: (more: Partial<SftpOptions["login"]>) => ({ login: { ...server.options("said").login, ...more } }),
      place: (more: Partial<SftpOptions["place"]>) => ({ place: { ...server.options("said").place, ...more } }),
    };

    test("the first connection shows the fingerprint, and sends nothing", async () => {
      const message = await messageOf({ hostKey: "" });
      expect(message).toContain(`refused: The host key of 127.0.0.1 is not confirmed yet. Its fingerprint is`);
      expect(message).toContain(server.fingerprints.ed25519);
      expect(message).toContain("backup.sftp.host_key");
    });

    test("each host key of the server can be the confirmed one", async () => {
      for (const hostKey of Object.values(server.fingerprints)) {
        expect(await open("said", { hostKey }).get("index", 10)).toBeNull();
      }
      expect(await open("said", { hostKey: `${server.fingerprints.rsa}=` }).get("index", 10)).toBeNull();
    });

    test("another host key is refused and named", async () => {
      const hostKey = fingerprintOf(text("another"));
      const message = await messageOf({ hostKey });
      expect(message).toContain("refused: The host key of 127.0.0.1 has changed, or another machine answers there");
      for (const fingerprint of [hostKey, ...Object.values(server.fingerprints)])
        expect(message).toContain(fingerprint);
    });

    test("a host that does not exist, a port where nothing listens, an address that is no store", async () => {
      const unknown = Object.assign(new Error(), { code: "ENOTFOUND" });
      const elsewhere = { ...place({ host: "nas.lan" }), resolve: () => Promise.reject(unknown) };
      expect(await messageOf(elsewhere)).toMatch(
        /^unavailable: .*nas\.lan.* cannot be reached: the host name does not/,
      );
      expect(await messageOf(place({ port: 1 }))).toContain("cannot be reached: nothing is listening");
      const metadata = { ...place({ host: "nas.lan" }), resolve: async () => ["169.254.169.254"] };
      expect(await messageOf(metadata)).toMatch(/^refused: .*the host has no public address \(metadata\)/);
    });

    test("a key that the server does not accept", async () => {
      const other = makeKey("ecdsa");
      const message = await messageOf(login({ key: other.private }));
      expect(message).toContain("refused: 127.0.0.1 refused the key SHA256:");
      expect(message).toContain(fingerprintOf(blobOf(other.public)));
      expect(await messageOf(login({ key: null, password: "secret" }))).toContain(
        "kind of sign-in: publickey. Set a private key (backup.sftp.key_file)",
      );
    });

    test("a key file that cannot be read, is public, or needs another passphrase", async () => {
      expect(await messageOf(login({ key: "no key" }))).toContain("not a private key that Postroom can read");
      const { public: line } = makeKey("ed25519");
      expect(await messageOf(login({ key: line }))).toContain("This is a public key");
      const locked = makeKey("ed25519", "open sesame").private;
      expect(await messageOf(login({ key: locked }))).toContain(
        "is encrypted. Set its passphrase (backup.sftp.key_passphrase)",
      );
      const wrong = await messageOf(login({ key: locked, passphrase: "open barley" }));
      expect(wrong).toContain("(backup.sftp.key_passphrase) does not open");
      expect(await messageOf(login({ key: locked, passphrase: "open sesame" }))).toContain("refused the key");
    });

    test("a folder that does not exist, or is a file", async () => {
      const path = join(server.root, "nowhere");
      expect(await messageOf(place({ path }))).toMatch(
        /^refused: There is no folder sftp:\/\/.*\/nowhere\. Create it there/,
      );
      writeFileSync(path, "file");
      expect(await messageOf(place({ path }))).toContain("is not a folder");
    });

    test("an object that is missing, too large or shorter than expected", async () => {
      const store = open("said");
      await store.put("small", text("12345"));
      expect((await faultOf(store.get("small", 4)))?.message).toContain("/small is too large");
      expect(await faultOf(store.read("none", 0, 1))).toMatchObject({ reason: "missing" });
      expect(await faultOf(store.read("small", 3, 9))).toMatchObject({ reason: "missing" });
    });
  });
});
