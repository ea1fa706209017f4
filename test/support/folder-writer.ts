import { systemClock } from "../../src/platform/clock.ts";
import { FolderStore } from "../../src/platform/objects/folder-store.ts";
import { StoreFault } from "../../src/platform/objects/store.ts";

/**
 * A process that counts in an object of a folder, each time only from the number that it has read, and prints each
 * number that it wrote. Its clock is wrong, so it considers every lock of another process to be left over.
 */
const [place = "", skewMs = "0"] = process.argv.slice(2);
const clock = { ...systemClock, now: () => systemClock.now() + Number(skewMs) };
const store = new FolderStore(place, clock);
for (;;) {
  try {
    const found = await store.get("number", 100);
    const next = found ? Number(Buffer.from(found.bytes).toString()) + 1 : 1;
    await store.put("number", Buffer.from(String(next)), found ? { etag: found.etag } : { absent: true });
    process.stdout.write(`${next}\n`);
  } catch (error) {
    if (!(error instanceof StoreFault)) throw error;
  }
}
