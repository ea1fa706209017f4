import { uidWindows } from "../../src/inbound/sync/uid-windows.ts";
import { connectImap } from "../../src/wire/imap/connect.ts";
import { fetchByUid, mergeResponses } from "../../src/wire/imap/responses.ts";

/** Makes the program's requests to a server, one after the other, as far as possible. @throws the error that ends it */
export async function askEverything(port: number): Promise<void> {
  const login = { host: "127.0.0.1", port, security: "none", username: "a", password: "b" } as const;
  const client = await connectImap(login, { ca: null, connectTimeoutMs: 10_000, socketTimeoutMs: 10_000 });
  try {
    await client.list();
    await client.mailboxOpen("INBOX", { readOnly: true });
    mergeResponses(await client.fetchAll("1:2000", { uid: true, flags: true }, { uid: true }));
    await fetchByUid(client, 1, { bodyStructure: true });
    await client.status("INBOX", { messages: true });
    await client.search({ header: { "message-id": "<a@b>" } }, { uid: true });
    for await (const _ of uidWindows(client, 1, 10_000)) void _;
  } finally {
    client.close();
  }
}
