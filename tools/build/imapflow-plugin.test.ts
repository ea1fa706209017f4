import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { imapflowPlugin } from "./imapflow-plugin.ts";

const ROOT = resolve(import.meta.dir, "../..");

/** Reads the answers of a server by imapflow, and prints what it made of them. */
const PROGRAM = `
  import { ImapFlow } from "imapflow";
  import { createServer } from "node:net";
  const server = createServer((socket) => {
    socket.write("* OK [CAPABILITY IMAP4rev1] ready\\r\\n");
    socket.on("data", (bytes) => {
      for (const line of bytes.toString().split("\\r\\n")) {
        const [tag, command, sub] = line.split(" ");
        const words = command === "UID" ? sub : command;
        if (words === "SELECT" || words === "EXAMINE")
          socket.write("* 1 EXISTS\\r\\n* OK [UIDVALIDITY 7] ok\\r\\n* OK [UIDNEXT 8] ok\\r\\n");
        if (words === "LIST") socket.write('* LIST () "/" INBOX\\r\\n');
        if (words === "FETCH")
          socket.write(
            "* 1 FETCH (UID 7 FLAGS (\\\\Seen Work) RFC822.SIZE 5 BODY[HEADER] {6}\\r\\na: b\\r\\n BODY[]<0> {2}\\r\\nhi)\\r\\n");
        if (tag) socket.write(tag + " OK done\\r\\n");
      }
    });
    socket.on("error", () => {});
  });
  server.listen(0, "127.0.0.1", async () => {
    const auth = { user: "a", pass: "b" };
    const client = new ImapFlow({ host: "127.0.0.1", port: server.address().port, secure: false, doSTARTTLS: false, auth, logger: false });
    await client.connect();
    await client.mailboxOpen("INBOX");
    const one = await client.fetchOne("7", { uid: true, flags: true, size: true, headers: true, source: { start: 0, maxLength: 2 } }, { uid: true });
    console.log(JSON.stringify([one.uid, one.size, [...one.flags], one.headers?.toString(), one.source?.toString()]));
    await client.logout();
    server.close();
  });`;

async function run(patched: boolean): Promise<unknown> {
  const probe = join(ROOT, "probe.ts");
  const result = await Bun.build({
    entrypoints: [probe],
    files: { [probe]: PROGRAM },
    target: "bun",
    format: "esm",
    plugins: patched ? [imapflowPlugin()] : [],
    throw: false,
  });
  expect(result.logs.map(String)).toEqual([]);
  const text = await result.outputs[0]!.text();
  expect(text.includes('let logCompiled = ""')).toBe(patched);
  const folder = mkdtempSync(join(tmpdir(), "imapflow-"));
  try {
    await Bun.write(join(folder, "program.js"), text);
    const child = Bun.spawn([process.execPath, join(folder, "program.js")], { stderr: "inherit" });
    return JSON.parse(await new Response(child.stdout).text());
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test("answers are read as without the plugin", async () => {
  const plain = await run(false);
  expect(plain).toEqual([7, 5, ["\\Seen", "Work"], "a: b\r\n", "hi"]);
  expect(await run(true)).toEqual(plain);
});
