import { afterEach, describe, expect, test } from "bun:test";
import { FLOODS, type Flood, startFlood } from "../../../test/fuzz/floods.ts";
import { type ScriptServer, startScript } from "../../../test/support/imap-script.ts";
import { ResponseTooLarge } from "./bounds.ts";
import { connectImap } from "./connect.ts";
import { explainImapFailure } from "./failures.ts";

const login = (port: number) =>
  ({ host: "127.0.0.1", port, security: "none", username: "alice", password: "secret" }) as const;

/** Returns the result of a search on a server that answers with these lines. */
async function searched(flood: Flood): Promise<unknown> {
  const server = await startFlood(flood);
  try {
    const client = await connectImap(login(server.port), { ca: null, socketTimeoutMs: 5_000 });
    await client.mailboxOpen("INBOX", { readOnly: true });
    return await client.search({ all: true }, { uid: true });
  } catch (error) {
    return error;
  } finally {
    await server.close();
  }
}

test("an oversized answer ends the connection, and the account reports that the server sent it", async () => {
  const error = await searched(FLOODS.search_line!);
  expect(error).toBeInstanceOf(ResponseTooLarge);
  const { status, sentence } = explainImapFailure(error);
  expect(status).toBe("unreachable");
  expect(sentence).toStartWith(
    "The mail server sent an answer beyond what Postroom accepts (a line of more than 4 MB).",
  );
});

test("a refused answer is never taken for an empty one", async () => {
  for (const name of ["line_within_bounds", "one_number", "search_range", "line_without_end"]) {
    expect(await searched(FLOODS[name]!)).toBeInstanceOf(ResponseTooLarge);
  }
});

test("an unsolicited literal ends the connection before its bytes are kept", async () => {
  for (const name of ["literal_flag", "literal_subject", "literal_mail", "literals_of_mail", "long_ranges"]) {
    const server = await startFlood(FLOODS[name]!);
    const client = await connectImap(login(server.port), { ca: null, socketTimeoutMs: 5_000 });
    await client.mailboxOpen("INBOX", { readOnly: true });
    const answer = client.fetchAll("1:2000", { uid: true, flags: true }, { uid: true });
    expect(await answer.catch((error: unknown) => error)).toBeInstanceOf(ResponseTooLarge);
    await server.close();
  }
});

test("folders with thousands of levels, or with a name of megabytes, are refused", async () => {
  for (const name of ["literal_folder", "deep_folders", "long_folders"]) {
    const server = await startFlood(FLOODS[name]!);
    const connected = connectImap(login(server.port), { ca: null, socketTimeoutMs: 5_000 });
    const listed = connected.then((client) => client.list());
    expect(await listed.catch((error: unknown) => error)).toBeInstanceOf(ResponseTooLarge);
    await server.close();
  }
});

test("an answer far beyond the requested range is refused; a server that ignores ranges is accepted", async () => {
  const script = await startScript();
  script.addFolder("INBOX");
  let bytes = 100_000;
  script.answer = (command) =>
    command.name === "UID FETCH"
      ? `* 1 FETCH (UID 1 BODY[]<0> {${bytes}}\r\n${"x".repeat(bytes)})\r\n${command.tag} OK done\r\n`
      : null;
  const client = await connectImap(login(script.port), { ca: null, socketTimeoutMs: 5_000 });
  await client.mailboxOpen("INBOX");
  const ask = () => client.fetchAll("1", { uid: true, source: { maxLength: 100_000 } }, { uid: true });
  expect((await ask())[0]!.source).toHaveLength(100_000);
  // A server that ignores ranges.
  bytes = 900_000;
  expect((await ask())[0]!.source).toHaveLength(900_000);
  bytes = 17_000_000;
  expect(await ask().catch((error: unknown) => error)).toBeInstanceOf(ResponseTooLarge);
  await script.close();
});

describe("answers that real mailboxes produce", () => {
  let script: ScriptServer;
  afterEach(() => script?.close());

  async function answered(name: string, text: string) {
    script = await startScript();
    script.addFolder("INBOX");
    script.answer = (command) => (command.name === name ? `${text}${command.tag} OK done\r\n` : null);
    const client = await connectImap(login(script.port), { ca: null, socketTimeoutMs: 5_000 });
    return client;
  }

  test("5,000 UIDs in one SEARCH answer are all read", async () => {
    const uids = Array.from({ length: 5_000 }, (_, i) => 4_000_000_000 + i * 3);
    const client = await answered("UID SEARCH", `* SEARCH ${uids.join(" ")}\r\n`);
    await client.mailboxOpen("INBOX");
    expect(await client.search({ all: true }, { uid: true })).toEqual(uids);
    client.close();
  });

  test("10,000 folders are all listed", async () => {
    const lines = Array.from({ length: 10_000 }, (_, i) => `* LIST (\\HasNoChildren) "/" "Projects/Customer ${i}"\r\n`);
    const client = await answered("LIST", `* LIST () "/" INBOX\r\n${lines.join("")}`);
    expect((await client.list()).length).toBe(10_001);
    client.close();
  });

  test("a message with 200 keywords keeps them all", async () => {
    const words = Array.from({ length: 200 }, (_, i) => `label-${i}`);
    const client = await answered("UID FETCH", `* 1 FETCH (UID 1 FLAGS (${words.join(" ")}))\r\n`);
    script.folder("INBOX").messages.push({
      uid: 1,
      raw: "",
      flags: new Set(),
      labels: new Set(),
      thread: "1",
      date: new Date(0),
      modseq: 1,
    });
    await client.mailboxOpen("INBOX");
    const [found] = await client.fetchAll("1", { uid: true, flags: true }, { uid: true });
    expect([...found!.flags!]).toEqual(words);
    client.close();
  });

  test("a structure of 10,000 parts is dropped without ending the connection", async () => {
    const part = '("TEXT" "PLAIN" ("CHARSET" "UTF-8") NIL NIL "7BIT" 10 1 NIL NIL NIL NIL)';
    const client = await answered("UID FETCH", `* 1 FETCH (UID 1 BODYSTRUCTURE (${part.repeat(10_000)} "MIXED"))\r\n`);
    script.add("INBOX", { raw: "Subject: x\r\n\r\n" });
    await client.mailboxOpen("INBOX");
    expect(await client.fetchAll("1", { uid: true, bodyStructure: true }, { uid: true })).toEqual([]);
    expect(client.usable).toBe(true);
    client.close();
  });
});

test("a server that keeps sending structures is cut off, although each one alone is skipped", async () => {
  const script = await startScript();
  script.addFolder("INBOX");
  const structure = `* 1 FETCH (BODYSTRUCTURE (${'("a")'.repeat(60_000)}))\r\n`;
  script.answer = ({ name, tag }) =>
    name === "UID SEARCH" ? `${structure.repeat(20)}* SEARCH 1\r\n${tag} OK done\r\n` : null;
  const client = await connectImap(login(script.port), { ca: null, socketTimeoutMs: 5_000 });
  await client.mailboxOpen("INBOX");
  const error = await client.search({ all: true }, { uid: true }).catch((refused: unknown) => refused);
  expect(error).toBeInstanceOf(ResponseTooLarge);
  await script.close();
});
