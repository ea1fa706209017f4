/** A separate process for one flood, so that its peak memory can be measured: `PORT`; prints the outcome as JSON. */

import { askEverything } from "./flooded-client.ts";
import { MemoryGauge } from "./memory.ts";

const memory = new MemoryGauge();
let ended = "";
await memory.during("the flood", async () => {
  await askEverything(Number(Bun.argv[2])).catch((error: unknown) => {
    ended = error instanceof Error ? error.message : String(error);
  });
});
console.log(JSON.stringify({ ended, ...memory.figures() }));
process.exit(0);
