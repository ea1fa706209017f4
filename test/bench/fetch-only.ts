/**
 * The lower bound of a first sync: imapflow fetches every source and drops it. Run: bun fetch-only.ts PORT USER
 * PASSWORD
 */
import { connectImap } from "../../src/wire/imap/connect.ts";

const [port, username, password] = process.argv.slice(2) as [string, string, string];
const login = { host: "127.0.0.1", port: Number(port), security: "none", username, password } as const;
const client = await connectImap(login, { ca: null });
const box = await client.mailboxOpen("INBOX", { readOnly: true });
if (!box) throw new Error("INBOX did not open");
let messages = 0;
for (let from = 1; from < box.uidNext; from += 200) {
  messages += (await client.fetchAll(`${from}:${from + 199}`, { uid: true, source: true }, { uid: true })).length;
}
await client.logout();
console.log(messages);
