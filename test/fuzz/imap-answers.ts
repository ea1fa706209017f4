import { createServer, type Socket } from "node:net";
import fc from "fast-check";
import type { FetchMessageObject, MessageStructureObject } from "imapflow";
import { fetchByUid, mergeAnswers } from "../../src/wire/imap/answers.ts";
import { connectImap } from "../../src/wire/imap/connect.ts";
import { planParts } from "../../src/wire/mime/structure.ts";
import { between, type Campaign, pick } from "../faults/campaign.ts";
import { mutate } from "./mutate.ts";
import { IMAP_SEEDS, IMAP_WORDS } from "./seeds.ts";

/** A server that says nothing more is given up after this long; what takes longer than LONGEST_MS counts as a hang. */
const SILENCE_MS = 250;
const LONGEST_MS = 4_000;
const MOST_GROWTH_BYTES = 200 * 1024 * 1024;
const AT_ONCE = 8;
/** How an answer ends: mostly well; "" never. */
const ENDS = [...Array.from({ length: 16 }, () => "OK"), "NO", "BAD", "", "cut"];
/** Which commands each seed answers. */
const FITTING = [["LIST", "LSUB"], ["SELECT", "EXAMINE"], ["FETCH"], ["STATUS"], ["SEARCH"], []];
/** Of a conversation, either every answer may be spoiled, or those to one command only: or few would come as far as the mail. */
const SPOILED = ["LIST", "SELECT", "FETCH", "FETCH", "STATUS", "SEARCH", "any", "any"];

/**
 * A server whose answers are mutations of real ones, under the program's own client: it connects, lists, opens a folder
 * and fetches; each may fail, and must end. Then trees of parts of every shape, as a server may describe a message.
 */
export const imapAnswersCampaign: Campaign = async ({ short, random, say }) => {
  const seeds = IMAP_SEEDS.map((seed) => new Uint8Array(Buffer.from(seed, "latin1")));
  // What fits the question, mostly, and mostly changed; else anything at all.
  const nonsense = (command: string, honest: boolean): Uint8Array => {
    const fitting = FITTING.findIndex((commands) => commands.includes(command));
    if (honest) return seeds[fitting] ?? new Uint8Array();
    const seed = fitting >= 0 && random() < 0.85 ? seeds[fitting]! : pick(random, seeds);
    return random() < (command === "FETCH" ? 0.2 : 0.7)
      ? seed
      : mutate(random, [seed, pick(random, seeds)], IMAP_WORDS);
  };
  const server = await startNonsense(nonsense, random);
  const misses: string[] = [];
  const runs = short ? 80 : 1_000;
  let slowest_ms = 0;
  let got = 0;
  Bun.gc(true);
  const before = process.memoryUsage().rss;
  const uncaught: unknown[] = [];
  const note = (error: unknown) => void uncaught.push(error);
  process.on("uncaughtException", note);
  process.on("unhandledRejection", note);
  try {
    for (let done = 0; done < runs && misses.length < 10; done += AT_ONCE) {
      const results = await Promise.all(Array.from({ length: AT_ONCE }, () => converse(server.port)));
      for (const { ms, messages, hung } of results) {
        slowest_ms = Math.max(slowest_ms, ms);
        got += messages;
        if (hung) misses.push(`a conversation did not end within ${LONGEST_MS} ms`);
      }
    }
    await Bun.sleep(50);
  } finally {
    process.off("uncaughtException", note);
    process.off("unhandledRejection", note);
    await server.close();
  }
  for (const error of uncaught) misses.push(`nobody caught: ${(error as Error)?.stack ?? error}`);
  Bun.gc(true);
  const growth = process.memoryUsage().rss - before;
  if (growth > MOST_GROWTH_BYTES) misses.push(`the memory grew by ${Math.round(growth / 1e6)} MB`);
  const trees = fuzzStructures(short ? 300 : 10_000, between(random, 0, 2 ** 31));
  misses.push(...trees.misses);
  say(`${runs} conversations, slowest ${Math.round(slowest_ms)} ms; ${trees.runs} trees of parts`);
  return {
    figures: {
      conversations: runs,
      messages_read: got,
      slowest_ms: Math.round(slowest_ms),
      structures: trees.runs,
      memory_growth_mb: Math.round(growth / 1e6),
    },
    misses,
  };
};

async function converse(port: number): Promise<{ ms: number; messages: number; hung: boolean }> {
  const began = performance.now();
  let messages = 0;
  const login = { host: "127.0.0.1", port, security: "none", username: "a", password: "b" } as const;
  const talk = async () => {
    const client = await connectImap(login, { ca: null, socket_timeout_ms: SILENCE_MS });
    try {
      await client.list();
      await client.mailboxOpen("INBOX", { readOnly: true });
      const query = { uid: true, flags: true, size: true, source: true, bodyStructure: true, internalDate: true };
      const found = mergeAnswers((await client.fetchAll("1:*", query)) as FetchMessageObject[]);
      messages = found.length;
      for (const { bodyStructure } of found) if (bodyStructure) planParts(bodyStructure);
      await fetchByUid(client, 5, { flags: true });
      await client.status("INBOX", { messages: true, uidNext: true });
      await client.search({ seen: true }, { uid: true });
    } finally {
      client.close();
    }
  };
  const ended = await Promise.race([
    talk().then(
      () => true,
      () => true,
    ),
    Bun.sleep(LONGEST_MS).then(() => false),
  ]);
  const ms = performance.now() - began;
  return { ms, messages, hung: !ended };
}

/** Greets and lets everybody in; what else is asked gets nonsense, and mostly an end. */
async function startNonsense(nonsense: (command: string, honest: boolean) => Uint8Array, random: () => number) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    socket.write(
      random() < 0.95
        ? "* OK [CAPABILITY IMAP4rev1 LITERAL+ ENABLE CONDSTORE QRESYNC ESEARCH] hello\r\n"
        : nonsense("", false),
    );
    let text = "";
    const spoiled = pick(random, SPOILED);
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      for (let end = text.indexOf("\r\n"); end >= 0; end = text.indexOf("\r\n")) {
        const line = text.slice(0, end);
        text = text.slice(end + 2);
        answer(socket, line, spoiled);
      }
    });
  });
  const answer = (socket: Socket, line: string, spoiled: string) => {
    const [tag = "*", first = "", second = ""] = line.split(" ");
    const command = (first.toUpperCase() === "UID" ? second : first).toUpperCase();
    if (/^(LOGIN|AUTHENTICATE|CAPABILITY|NAMESPACE|ID|ENABLE)$/i.test(command) && random() < 0.95) {
      socket.write(`${tag} OK done\r\n`);
      return;
    }
    const named = command === "EXAMINE" ? "SELECT" : command;
    const honest = spoiled !== "any" && spoiled !== named;
    socket.write(nonsense(command, honest));
    const last = honest ? "OK" : pick(random, ENDS);
    if (last === "cut") socket.destroy();
    else if (last !== "") socket.write(`${honest ? "" : "\r\n"}${tag} ${last} done\r\n`);
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as { port: number }).port,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const word = fc.oneof(
  fc.constantFrom("text/plain", "text/html", "multipart/mixed", "message/rfc822", "a/b", ""),
  fc.string(),
);
const { structure } = fc.letrec<{ structure: MessageStructureObject }>((tie) => ({
  structure: fc.record(
    {
      part: fc.oneof(fc.constantFrom("1", "1.2", "1.TEXT"), fc.string()),
      type: word,
      parameters: fc.dictionary(fc.constantFrom("charset", "name", "boundary", "__proto__", "format"), fc.string()),
      encoding: fc.constantFrom("7bit", "base64", "quoted-printable", "x-odd", ""),
      size: fc.oneof(fc.nat(), fc.constantFrom(-1, Number.NaN, Number.MAX_SAFE_INTEGER)),
      id: fc.string(),
      disposition: fc.constantFrom("attachment", "inline", "", "ATTACHMENT"),
      dispositionParameters: fc.dictionary(fc.constantFrom("filename", "filename*0", "size"), fc.string()),
      childNodes: fc.array(tie("structure"), { maxLength: 6 }),
    },
    { requiredKeys: ["type"] },
  ) as fc.Arbitrary<MessageStructureObject>,
}));

function fuzzStructures(runs: number, seed: number): { runs: number; misses: string[] } {
  const result = fc.check(
    fc.property(structure, (tree) => {
      const { text, attachments } = planParts(tree);
      return text.length <= 100 && attachments.every(({ size }) => size >= 0 || Number.isNaN(size));
    }),
    { numRuns: runs, seed },
  );
  const misses = result.failed
    ? [`a tree of parts: ${JSON.stringify(result.counterexample)?.slice(0, 600)} ${result.errorInstance ?? ""}`]
    : [];
  return { runs: result.numRuns, misses };
}
