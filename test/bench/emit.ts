/** Writes events of the sandbox of the first person straight into the log: bun emit.ts DATA COUNT */
import { systemClock } from "../../src/platform/clock.ts";
import { loadConfig } from "../../src/platform/config/load.ts";
import { openPlatform } from "../../src/platform/platform.ts";

const [data_dir, count] = process.argv.slice(2) as [string, string];
const BATCH = 50;
const platform = openPlatform({ config: loadConfig({ data_dir, env: {} }), clock: systemClock, durability: "normal" });
const { id } = platform.users.sandboxOf(platform.users.list()[0]!.id);
for (let made = 0; made < Number(count); made += BATCH) {
  platform.db.write(() => {
    for (let i = made; i < Math.min(made + BATCH, Number(count)); i++) {
      platform.events.emit(id, "draft.created", { draft_id: `drf_${i}`, thread_id: null });
    }
  });
}
platform.close();
