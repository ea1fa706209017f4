import { afterEach, expect, test } from "bun:test";
import { connect, createServer, type Server, type Socket } from "node:net";
import { eventually } from "../support/eventually.ts";
import { dice } from "./campaign.ts";
import { type LineProxy, startLineProxy, units } from "./line-proxy.ts";

test("an answer is split into lines, each with its literals", () => {
  const text = "* 1 FETCH (BODY[] {9}\r\na\r\nb\r\nc\r\n X {2}\r\nhi)\r\n* 2 EXISTS\r\nA1 OK done\r\nhalf";
  const parts = units(Buffer.from(text)).map(String);
  expect(parts).toEqual([
    "* 1 FETCH (BODY[] {9}\r\na\r\nb\r\nc\r\n X {2}\r\nhi)\r\n",
    "* 2 EXISTS\r\n",
    "A1 OK done\r\n",
    "half",
  ]);
  expect(parts.join("")).toBe(text);
});

let proxy: LineProxy | null = null;
let server: Server | null = null;
afterEach(async () => {
  await proxy?.close();
  server?.close();
});

/** A scripted server, a client, and the proxy between them. */
async function line(protocol: "imap" | "smtp", hidden?: RegExp) {
  const seen = { server: "", client: "", ended: false };
  const taken: Socket[] = [];
  server = createServer((socket) => {
    taken.push(socket);
    socket.on("error", () => {});
    socket.on("data", (chunk: Buffer) => {
      seen.server += chunk;
    });
    socket.on("close", () => {
      seen.ended = true;
    });
  });
  await new Promise<void>((resolve) => server!.listen(0, "127.0.0.1", resolve));
  proxy = await startLineProxy((server.address() as { port: number }).port, protocol, dice(1), hidden);
  const client = connect(proxy.port, "127.0.0.1");
  client.on("error", () => {});
  client.on("data", (chunk: Buffer) => {
    seen.client += chunk;
  });
  await eventually(() => taken.length === 1);
  return { seen, proxy, client, say: (text: string) => taken[0]!.write(text) };
}

test("a client is cut in the middle of a literal, and lines in it are no commands", async () => {
  const { seen, proxy, client, say } = await line("imap");
  const literal = "A9 LOGOUT\r\nand so on\r\n".repeat(20);
  client.write(`A1 APPEND Drafts {${literal.length}}\r\n`);
  await eventually(() => seen.server.includes("APPEND"));
  say("+ go on\r\n");
  await eventually(() => seen.client.includes("+ go on"));
  client.write(`${literal}\r\n`);
  await eventually(() => seen.server.endsWith(`${literal}\r\n`));
  say("A1 OK done\r\n");
  expect([...proxy.seen]).toEqual(["greeting", "APPEND", "literal"]);

  proxy.arm("APPEND", "cut_writing");
  client.write(`A2 APPEND Drafts {${literal.length}+}\r\n${literal}\r\n`);
  await eventually(() => seen.ended);
  const [, second = ""] = seen.server.split("A2 APPEND Drafts ");
  const [head, ...rest] = second.split("}\r\n");
  expect(head).toBe(`{${literal.length}+`);
  expect(rest.join("}\r\n").length).toBeGreaterThan(0);
  expect(literal.startsWith(rest.join("}\r\n"))).toBe(true);
  expect(rest.join("}\r\n").length).toBeLessThan(literal.length);
  expect(proxy.spoiled).toBe(1);
});

test("a fault whose connection ends first is left to the next connection", async () => {
  const { proxy, client, seen } = await line("smtp");
  proxy.arm("MAIL", "cut");
  client.write("MAIL FROM:<a@b.example>\r\n");
  await eventually(() => seen.server.includes("MAIL"));
  proxy.cut();
  await eventually(() => seen.ended);
  expect(proxy.spoiled).toBe(0);
  const again = connect(proxy.port, "127.0.0.1");
  again.on("error", () => {});
  server!.on("connection", (socket) => socket.on("data", () => socket.write("250 ok\r\n")));
  again.write("MAIL FROM:<a@b.example>\r\n");
  await eventually(() => proxy.spoiled === 1);
});

test("hidden parts of the greeting do not reach the client", async () => {
  const { seen, say } = await line("imap", /\[CAPABILITY [^\]]*\] /);
  say("* OK [CAPABILITY IMAP4rev1 AUTH=PLAIN] ready\r\n");
  await eventually(() => seen.client.endsWith("\r\n"));
  expect(seen.client).toBe("* OK ready\r\n");
});
