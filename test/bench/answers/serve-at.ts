/**
 * Runs the whole program from source with a clock that begins at a given time, as `postroom serve` otherwise does:
 * bun serve-at.ts TIME serve --data DIR --port N. Ends on SIGTERM.
 */
import { parseArgs } from "node:util";
import { startApp } from "../../../src/app/app.ts";
import { systemClock } from "../../../src/platform/clock.ts";

const [start, ...args] = process.argv.slice(2) as [string, ...string[]];
const { values } = parseArgs({
  args,
  allowPositionals: true,
  options: { data: { type: "string" }, port: { type: "string" } },
});
const offset = Date.now() - Date.parse(start);
const clock = { now: () => Date.now() - offset, after: systemClock.after };
const flags = { "http.port": values.port!, "log.level": "warn" } as const;
const app = await startApp({ data_dir: values.data!, env: process.env, flags }, clock);
process.on("SIGTERM", () => void app.stop().then(() => process.exit(0)));
