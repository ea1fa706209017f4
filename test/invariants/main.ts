/**
 * Checks a data folder by hand: `./dev invariants DATA [--settled] [--servers] [--json]`. --servers also logs in to every
 * connected IMAP mailbox and compares it, message by message. Exits 1 when anything is not as it must be.
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { createMailbox } from "../../src/mailbox/mailbox.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { loadConfig } from "../../src/platform/config/load.ts";
import { openPlatform, type Platform } from "../../src/platform/platform.ts";
import { connectImap } from "../../src/wire/imap/connect.ts";
import { asLines, checkInvariants } from "./check.ts";
import type { Finding } from "./finding.ts";
import { compareWithServer } from "./server.ts";

const { values, positionals } = parseArgs({
  args: Bun.argv.slice(2),
  allowPositionals: true,
  options: {
    settled: { type: "boolean", default: false },
    servers: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});
const [data_dir] = positionals;
if (!data_dir) {
  console.error("usage: ./dev invariants DATA [--settled] [--servers] [--json]");
  process.exit(2);
}
const config = loadConfig({ data_dir, env: process.env });
const platform = openPlatform({ config, clock: systemClock });
const { findings, ...counts } = await checkInvariants(platform, { settled: values.settled });
const more: Finding[] = values.servers ? await servers(platform) : [];
platform.close();
const all = [...findings, ...more];
if (values.json) console.log(JSON.stringify({ ...counts, findings: all }, null, 2));
else {
  for (const line of asLines(all)) console.log(line);
  const looked = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
  console.log(`invariants: ${looked.join(", ")}: ${all.length === 0 ? "all hold" : `${all.length} do not hold`}`);
}
process.exit(all.length === 0 ? 0 : 1);

async function servers(platform: Platform): Promise<Finding[]> {
  const { accounts } = createMailbox(platform);
  const ca_file = platform.config.get("mail.ca_file");
  const ca = ca_file ? readFileSync(ca_file, "utf8") : null;
  const found: Finding[] = [];
  for (const account of accounts.list()) {
    const connection = accounts.connection(account);
    if (!connection || account.provider !== "imap") continue;
    const { username, password } = connection;
    try {
      const client = await connectImap({ ...connection.imap, username, password }, { ca });
      found.push(...(await compareWithServer(platform, account, client)).findings);
      client.close();
    } catch (error) {
      found.push({ rule: "the server's mail", what: `${account.id} cannot be compared: ${(error as Error).message}` });
    }
  }
  return found;
}
