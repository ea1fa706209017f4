/** A campaign that watchdog.test.ts starts: `FOLDER loop|promise|none`. */
import { openWatchdog } from "./watchdog.ts";

const [folder, kind] = Bun.argv.slice(2);
const watchdog = await openWatchdog("trial", { patience_ms: 600, folder });
await watchdog.during("harmless", "the first", () => {});
if (kind === "loop") {
  await watchdog.during("a loop", "the second", () => {
    watchdog.add(new Uint8Array([0, 255]));
    for (;;);
  });
}
if (kind === "promise")
  await watchdog.during("a promise", "the third", () => new Promise(() => setInterval(() => {}, 50)));
// Longer than the watchdog's limit, but not within an input.
await Bun.sleep(1_500);
watchdog.close();
console.log("came to its end");
