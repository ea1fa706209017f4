import { expect, test } from "bun:test";
import type { FetchMessageObject, ImapFlow } from "imapflow";
import { range } from "./remote-parts.ts";

const server = (...answers: Partial<FetchMessageObject>[]) =>
  ({ fetchAll: async () => answers }) as unknown as ImapFlow;
const flags = { seq: 1, uid: 1, flags: new Set<string>() };
const text = async (client: ImapFlow, part: string | null) => {
  const bytes = await range(client, 1, part, 0, 100);
  return bytes && Buffer.from(bytes).toString();
};

test("only the response with the bytes answers the request, not a flag update before it", async () => {
  expect(await text(server(flags, { seq: 1, uid: 1, source: Buffer.from("Hello") }), null)).toBe("Hello");
  const part = { seq: 1, uid: 1, bodyParts: new Map([["2", Buffer.from("file")]]) };
  expect(await text(server({ ...flags, uid: 9 }, part), "2")).toBe("file");
});

test("flag updates alone do not mark the end of the message: the bytes are missing", async () => {
  expect(await text(server(flags), null)).toBeNull();
  expect(await text(server(flags), "2")).toBeNull();
});

test("past the end, an empty text and NIL are both accepted", async () => {
  // imapflow gives `false` for NIL.
  const nil = { seq: 1, uid: 1, source: false as unknown as Buffer };
  expect(await text(server({ seq: 1, uid: 1, source: Buffer.alloc(0) }), null)).toBe("");
  expect(await text(server(nil), null)).toBe("");
});
