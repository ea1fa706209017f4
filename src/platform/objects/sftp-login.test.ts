import { afterAll, afterEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "../../../test/support/eventually.ts";
import { blobOf, makeKey } from "../../../test/support/sftp-server.ts";
import {
  type LibraryServer,
  type LibraryServerOptions,
  SFTP_SERVER,
  startSshLibrary,
} from "../../../test/support/ssh-library-server.ts";
import { ManualClock, systemClock } from "../clock.ts";
import type { SftpOptions } from "./sftp-client.ts";
import { fingerprintOf } from "./sftp-login.ts";
import { SftpStore } from "./sftp-store.ts";
import type { StoreFault } from "./store.ts";

setDefaultTimeout(60_000);

const text = (words: string) => Buffer.from(words);
const faultOf = (work: Promise<unknown>) => work.then(() => null).catch((error) => error as StoreFault);

const opened: { close(): void }[] = [];
afterEach(() => {
  for (const item of opened.splice(0)) item.close();
});

describe.skipIf(!SFTP_SERVER)("an SSH server", () => {
  const folder = mkdtempSync(join(tmpdir(), "postroom-ssh-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const storeAt = (port: number, more: Partial<SftpOptions> = {}) => {
    const store = new SftpStore({
      place: { kind: "sftp", user: "anna", host: "127.0.0.1", port, path: folder },
      login: { password: "secret", key: null, passphrase: "" },
      hostKey: "",
      clock: systemClock,
      calls: null,
      pauseMs: 1,
      ...more,
    });
    opened.push(store);
    return store;
  };
  const start = async (options: LibraryServerOptions, more: Partial<SftpOptions> = {}) => {
    const server: LibraryServer = await startSshLibrary(options);
    opened.push(server);
    return { server, store: storeAt(server.port, { hostKey: fingerprintOf(blobOf(server.hostKey)), ...more }) };
  };

  test("that asks for a password gets it, only after its host key is confirmed", async () => {
    const { server, store } = await start({});
    await store.put("index", text("by password"));
    expect(readFileSync(join(folder, "index"), "utf8")).toBe("by password");
    server.tried.length = 0;
    expect(await faultOf(storeAt(server.port).get("index", 99))).toMatchObject({ reason: "refused" });
    expect(server.tried).toEqual([]);
    const wrong = storeAt(server.port, {
      hostKey: fingerprintOf(blobOf(server.hostKey)),
      login: { password: "wrong", key: null, passphrase: "" },
    });
    expect((await faultOf(wrong.get("index", 99)))?.message).toContain("refused the password of the user anna");
  });

  test("that asks for the password as a question gets it, after the key that it refuses", async () => {
    const login = { password: "secret", key: makeKey("rsa").private, passphrase: "" };
    const { server, store } = await start({ methods: ["publickey", "keyboard-interactive"] }, { login });
    await store.put("index", text("by question"));
    expect([...new Set(server.tried)].slice(-2)).toEqual(["publickey", "keyboard-interactive"]);
    expect(readFileSync(join(folder, "index"), "utf8")).toBe("by question");
  });

  test("without SFTP, or with outdated encryption, is named", async () => {
    const { store } = await start({ command: null });
    expect((await faultOf(store.get("index", 9)))?.message).toContain("lets the user anna in, but not use SFTP");
    const old = await start({ kex: ["diffie-hellman-group14-sha1"] });
    expect((await faultOf(old.store.get("index", 9)))?.message).toContain("offers only outdated encryption");
  });

  test("that permits only reading, or cannot replace a file", async () => {
    writeFileSync(join(folder, "index"), "kept");
    const { store } = await start({ command: [SFTP_SERVER!, "-P", "write,remove"] });
    expect(Buffer.from((await store.get("index", 9))!.bytes).toString()).toBe("kept");
    expect(await faultOf(store.put("index", text("new")))).toMatchObject({
      reason: "refused",
      message: expect.stringContaining("has no permission for"),
    });
    expect(await store.delete("index")).toBe("kept");
    expect(existsSync(join(folder, "index"))).toBe(true);
    const plain = await start({ command: [SFTP_SERVER!, "-P", "posix-rename"] });
    expect((await faultOf(plain.store.get("index", 9)))?.message).toContain("cannot replace a file in one step");
  });

  const canMount = process.getuid?.() === 0 && Bun.spawnSync(["unshare", "--mount", "true"]).exitCode === 0;
  test.skipIf(!canMount)("whose drive is full", async () => {
    const small = join(folder, "small");
    mkdirSync(small);
    const inside = 'mount -t tmpfs -o size=1m tmpfs "$0" && exec "$1"';
    const command = ["unshare", "--mount", "sh", "-c", inside, small, SFTP_SERVER!];
    const place = { kind: "sftp", user: "anna", host: "127.0.0.1", port: 0, path: small } as const;
    const { server } = await start({ command });
    const hostKey = fingerprintOf(blobOf(server.hostKey));
    const store = storeAt(server.port, { place: { ...place, port: server.port }, hostKey });
    await store.put("index", text("fits"));
    expect(await faultOf(store.put("large", randomBytes(2 * 1024 * 1024)))).toMatchObject({
      reason: "refused",
      message: expect.stringMatching(/The drive of sftp:.* is full/),
    });
    expect(await store.head("large")).toBeNull();
  });

  describe("that is none", () => {
    let listener: Server;
    const sockets = new Set<Socket>();
    const listen = async (greet: (socket: Socket) => void) => {
      listener = createServer((socket) => {
        sockets.add(socket.on("error", () => {}));
        greet(socket);
      });
      await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
      return (listener.address() as { port: number }).port;
    };
    afterEach(() => {
      for (const socket of sockets) socket.destroy();
      listener.close();
    });

    test("but another program", async () => {
      const port = await listen((socket) => socket.end("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n"));
      expect((await faultOf(storeAt(port).get("index", 9)))?.message).toContain(
        `cannot be reached: no SSH server answers at port ${port}`,
      );
    });

    test("and stays silent", async () => {
      const port = await listen(() => {});
      const clock = new ManualClock();
      const fault = faultOf(storeAt(port, { clock }).get("index", 9));
      let isDone = false;
      void fault.then(() => {
        isDone = true;
      });
      await eventually(() => {
        clock.advance(10_000);
        return isDone;
      });
      expect((await fault)?.message).toContain("the SSH handshake took longer than 20 seconds");
    });
  });
});
