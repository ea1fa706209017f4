/**
 * Checks a data folder by hand: `./dev invariants DATA [--settled] [--servers] [--json]`. --servers also logs in to
 * every IMAP mailbox that a password opens and compares it, message by message. Exits 1 when an invariant is violated,
 * and 2 when the folder cannot be checked.
 */
import { parseArgs } from "node:util";
import { UserError } from "../../src/kernel/errors.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { loadConfig } from "../../src/platform/config/load.ts";
import { openPlatform } from "../../src/platform/platform.ts";
import { asLines, checkInvariants } from "./check.ts";
import { compareServers, refuseForeign } from "./manual.ts";

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
const platform = open(data_dir);
const { findings, ...counts } = await checkInvariants(platform, { settled: values.settled });
const servers = values.servers ? await compareServers(platform) : { findings: [], notCompared: [] };
platform.close();
const all = [...findings, ...servers.findings];
if (values.json) {
  console.log(JSON.stringify({ ...counts, findings: all, notCompared: servers.notCompared }, null, 2));
} else {
  for (const line of asLines(all)) console.log(line);
  for (const line of servers.notCompared) console.log(`not compared with its server: ${line}`);
  const looked = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
  console.log(`invariants: ${looked.join(", ")}: ${all.length === 0 ? "all hold" : `${all.length} do not hold`}`);
}
process.exit(all.length === 0 ? 0 : 1);

function open(data_dir: string) {
  try {
    refuseForeign(data_dir);
    return openPlatform({ config: loadConfig({ data_dir, env: process.env }), clock: systemClock });
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    console.error(error.message);
    process.exit(2);
  }
}
