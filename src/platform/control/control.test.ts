import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UserError } from "../../kernel/errors.ts";
import { systemClock } from "../clock.ts";
import { createLog } from "../log.ts";
import { askServer } from "./client.ts";
import { type ControlHandlers, LONGEST_LINE_BYTES, socketPath } from "./protocol.ts";
import { type ControlServer, startControl } from "./server.ts";

let data_dir: string;
let server: ControlServer | null = null;
const logLines: string[] = [];
const log = createLog({ level: "debug", format: "json", clock: systemClock, write: (line) => logLines.push(line) });
beforeEach(() => {
  data_dir = mkdtempSync(join(tmpdir(), "postroom-control-"));
  writeFileSync(join(data_dir, "postroom.db"), "");
  logLines.length = 0;
});
afterEach(() => {
  server?.close();
  server = null;
  rmSync(data_dir, { recursive: true, force: true });
});

const start = async (handlers: ControlHandlers) => {
  server = await startControl({ data_dir, handlers, log });
};
const path = () => socketPath(data_dir)!;

/** Sends raw bytes, as a foreign program might. @returns all bytes received until the end */
function raw(bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    const socket = connect(path(), () => socket.write(bytes));
    socket.on("data", (piece) => (text += piece.toString()));
    socket.on("error", () => {});
    socket.on("close", () => resolve(text));
  });
}

describe("a call", () => {
  test("reaches its handler, and returns the reply", async () => {
    const looked: string[] = [];
    await start({
      sync: ({ account_id }) => void looked.push(account_id) as unknown as null,
      backupProgress: async () => ({ done: 3, total: 9 }),
    });
    expect(await askServer(data_dir, "sync", { account_id: "acc_1" })).toEqual({ running: true, reply: null });
    expect(looked).toEqual(["acc_1"]);
    expect(await askServer(data_dir, "backupProgress", null)).toEqual({ running: true, reply: { done: 3, total: 9 } });
  });

  test("that the server refuses shows the server's message; an internal error stays in its log", async () => {
    await start({
      sync: () => {
        throw new UserError("There is no account acc_1.");
      },
      erase: () => {
        throw new Error("a secret detail");
      },
    });
    await expect(askServer(data_dir, "sync", { account_id: "acc_1" })).rejects.toThrow("There is no account acc_1.");
    await expect(askServer(data_dir, "erase", { user_id: "usr_1" })).rejects.toThrow("Its log has the details");
    await askServer(data_dir, "status", null).catch(() => {});
    expect(logLines.join()).toContain("a command's call failed");
  });

  test("unknown to an older server is refused with a message, even if named like a property of every object", async () => {
    await start({});
    await expect(askServer(data_dir, "backupProgress", null)).rejects.toThrow(
      "does not support the call backupProgress",
    );
    expect(await raw('{"call":"toString","args":null}\n')).toContain("does not support the call");
  });

  test("gets its own reply among many concurrent calls", async () => {
    await start({ sync: ({ account_id }) => account_id as unknown as null });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => askServer(data_dir, "sync", { account_id: `acc_${i}` })),
    );
    expect(answers.map((answer) => answer.running && answer.reply) as unknown[]).toEqual(
      Array.from({ length: 20 }, (_, i) => `acc_${i}`),
    );
  });
});

describe("without a server", () => {
  test("there is no reply, and no error", async () => {
    expect(await askServer(data_dir, "status", null)).toEqual({ running: false });
  });

  test("a socket of a dead server counts as no server, and does not block a later one", async () => {
    const code = `require("node:net").createServer().listen(process.argv[1], () => process.kill(process.pid, "SIGKILL"))`;
    await start({}); // creates the folder
    server!.close();
    await Bun.spawn([process.execPath, "-e", code, path()], { stdout: "ignore", stderr: "ignore" }).exited;
    expect(existsSync(path())).toBe(true);
    expect(await askServer(data_dir, "keysChanged", null)).toEqual({ running: false });
    await start({ keysChanged: () => null });
    expect(await askServer(data_dir, "keysChanged", null)).toEqual({ running: true, reply: null });
  });

  test("a folder whose path is too long for a socket is served anyway", async () => {
    const deep = join(data_dir, "d".repeat(100));
    expect(socketPath(deep)).toBeNull();
    server = await startControl({ data_dir: deep, handlers: {}, log });
    expect(await askServer(deep, "status", null)).toEqual({ running: false });
  });
});

describe("the socket", () => {
  test("is accessible to the same user only, even if the folder had another mode", async () => {
    await start({});
    server!.close();
    chmodSync(join(data_dir, "run"), 0o777);
    await start({});
    expect(statSync(join(data_dir, "run")).mode & 0o777).toBe(0o700);
    expect(statSync(path()).mode & 0o777).toBe(0o600);
  });

  test.skipIf(process.getuid?.() !== 0 || !Bun.which("setpriv"))("another user cannot connect", async () => {
    await start({ status: () => ({ version: "1", commit: "c", pid: 1, started_at: 0, url: "" }) });
    chmodSync(data_dir, 0o755);
    const code = `const s = require("node:net").connect(process.argv[1], () => { console.log("connected"); process.exit(0); });
      s.on("error", (e) => { console.log(e.code); process.exit(0); });`;
    const other = Bun.spawn(
      ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", process.execPath, "-e", code, path()],
      { stdout: "pipe", stderr: "pipe", cwd: "/" },
    );
    expect((await new Response(other.stdout).text()).trim()).not.toBe("connected");
  });

  test("closes when a caller sends anything but a call, or a line that is too long", async () => {
    await start({});
    expect(await raw("hello\n")).toContain("This is not a valid call.");
    expect(await raw("x".repeat(LONGEST_LINE_BYTES + 1))).toBe("");
    expect(await raw("null\n")).toContain("does not support the call");
  });
});
