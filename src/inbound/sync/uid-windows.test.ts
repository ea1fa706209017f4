import { afterEach, describe, expect, test } from "bun:test";
import { type ScriptServer, startScript } from "../../../test/support/imap-script.ts";
import { ResponseTooLarge } from "../../wire/imap/bounds.ts";
import { connectImap } from "../../wire/imap/connect.ts";
import { ImplausibleResponse } from "./folders.ts";
import type { Range } from "./uid-ranges.ts";
import { existingUids, listable, uidWindows } from "./uid-windows.ts";

let script: ScriptServer;
afterEach(() => script?.close());

/** Opens a folder with these UIDs. `longest` is the longest response to a SEARCH so far, in bytes. */
async function folderOf(uids: readonly number[], capabilities: string[], lie?: (answer: string) => string) {
  script = await startScript({ capabilities: ["IMAP4rev1", ...capabilities] });
  script.addFolder("INBOX");
  const seen = { questions: 0, longest: 0 };
  const last = uids.at(-1) ?? 0;
  script.answer = ({ name, args, tag }) => {
    if (name === "EXAMINE") {
      const lines = [`${uids.length} EXISTS`, "OK [UIDVALIDITY 1] ok", `OK [UIDNEXT ${last + 1}] ok`];
      return `${lines.map((line) => `* ${line}\r\n`).join("")}${tag} OK [READ-ONLY] open\r\n`;
    }
    if (name !== "UID SEARCH") return null;
    seen.questions++;
    const [, wish = "", set = ""] = /^(?:RETURN \((.*?)\) )?UID (\S+)/.exec(args) ?? [];
    const found = set.split(",").flatMap((item) => {
      const [a, b = a] = item.split(":").map((end) => (end === "*" ? last : Number(end))) as [number, number?];
      return uids.slice(lower(uids, Math.min(a, b!)), lower(uids, Math.max(a, b!) + 1));
    });
    const all = wish.includes("ALL") && found.length > 0 ? ` ALL ${found.join(",")}` : "";
    const plain = `* SEARCH ${found.join(" ")}\r\n`;
    const answer = wish === "" ? plain : `* ESEARCH (TAG "${tag}") UID${all} COUNT ${found.length}\r\n`;
    seen.longest = Math.max(seen.longest, answer.length);
    return `${lie ? lie(answer) : answer}${tag} OK done\r\n`;
  };
  const login = { host: "127.0.0.1", port: script.port, security: "none", username: "a", password: "b" } as const;
  const client = await connectImap(login, { ca: null });
  await client.mailboxOpen("INBOX", { readOnly: true });
  return { client, seen };
}

/** Returns where a UID is, or would be inserted. */
function lower(uids: readonly number[], uid: number): number {
  let [low, high] = [0, uids.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (uids[middle]! < uid) low = middle + 1;
    else high = middle;
  }
  return low;
}

async function collect(windows: AsyncIterable<Range[]>): Promise<number[]> {
  const uids: number[] = [];
  for await (const ranges of windows) {
    for (const [first, last] of ranges) for (let uid = first; uid <= last; uid++) uids.push(uid);
  }
  return uids;
}

const WAYS = { "with ESEARCH": ["ESEARCH"], "without ESEARCH": [] };

describe.each(Object.entries(WAYS))("a folder's UIDs %s", (_, capabilities) => {
  test("a million consecutive ones are all found, in responses of limited length", async () => {
    const uids = Array.from({ length: 1_000_000 }, (_, i) => i + 1);
    const { client, seen } = await folderOf(uids, capabilities);
    expect((await collect(uidWindows(client, 1, null))).length).toBe(1_000_000);
    expect(seen.longest).toBeLessThan(100_000);
    client.close();
  }, 60_000);

  test("200,000 with gaps between them are all found, in responses of limited length", async () => {
    const uids = Array.from({ length: 200_000 }, (_, i) => i * 3 + 7);
    const { client, seen } = await folderOf(uids, capabilities);
    expect(await collect(uidWindows(client, 1, null))).toEqual(uids);
    expect(seen.longest).toBeLessThan(100_000);
    client.close();
  }, 60_000);

  test("a gap of billions takes few queries", async () => {
    const uids = [...Array.from({ length: 6_000 }, (_, i) => i + 1), 4_000_000_000];
    const { client, seen } = await folderOf(uids, capabilities);
    expect(await collect(uidWindows(client, 1, null))).toEqual(uids);
    expect(seen.questions).toBeLessThan(50);
    client.close();
  });

  test("known UIDs that are gone are missing, even if the folder contains others", async () => {
    const uids = Array.from({ length: 30_000 }, (_, i) => i * 2 + 1);
    const { client, seen } = await folderOf(uids, capabilities);
    const known = Array.from({ length: 2_000 }, (_, i) => i * 17 + 1);
    expect(await collect(existingUids(client, known))).toEqual(known.filter((uid) => uid % 2 === 1));
    expect(seen.longest).toBeLessThan(20_000);
    client.close();
  });

  test("a window that follows a gap is cut to what may be listed at once", async () => {
    const uids = Array.from({ length: 50_000 }, (_, i) => i + 1);
    const { client } = await folderOf(uids, capabilities);
    const [low, high] = await listable(client, [1, 40_000], "high");
    expect(high).toBe(40_000);
    expect(high - low).toBeLessThan(5_000);
    const [first, last] = await listable(client, [1, 40_000], "low");
    expect([first, last < 5_001]).toEqual([1, true]);
    client.close();
  });
});

describe("an impossible response is rejected", () => {
  const UIDS = Array.from({ length: 10 }, (_, i) => i + 1);
  const LIES: [string, string[], (answer: string) => string][] = [
    ["something that is no number", [], () => "* SEARCH 1 2 three 4\r\n"],
    ["a number beyond all UIDs", [], () => "* SEARCH 1 99999999999\r\n"],
    ["more messages than the folder has", [], () => `* SEARCH ${UIDS.join(" ")} 11 12 13\r\n`],
    ["a range of billions", ["ESEARCH"], () => '* ESEARCH (TAG "x") UID ALL 1:100000 COUNT 100000\r\n'],
    ["a count that is not that of the list", ["ESEARCH"], () => '* ESEARCH (TAG "x") UID ALL 1:5 COUNT 10\r\n'],
    ["a list with words in it", ["ESEARCH"], () => '* ESEARCH (TAG "x") UID ALL 1:5,six COUNT 5\r\n'],
  ];
  test.each(LIES)("%s", async (_, capabilities, lie) => {
    const { client } = await folderOf(UIDS, capabilities, lie);
    const error = await collect(uidWindows(client, 1, 100)).catch((error: unknown) => error);
    expect(error instanceof ImplausibleResponse || error instanceof ResponseTooLarge).toBe(true);
    client.close();
  });
});
