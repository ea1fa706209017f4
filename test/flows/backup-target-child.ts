/** Chooses a place for copies as the settings page does, then ends as if it was killed. */
import { TargetService } from "../../src/backup/target-service.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { loadConfig } from "../../src/platform/config/load.ts";
import { openPlatform } from "../../src/platform/platform.ts";

const [data_dir = "", when, chosen = "null"] = process.argv.slice(2);
const platform = openPlatform({ config: loadConfig({ data_dir, env: {} }), clock: systemClock });
const targets = new TargetService(platform);
const [user] = platform.users.list();
const die = () => process.kill(process.pid, "SIGKILL");
platform.db.write(() => {
  targets.choose(JSON.parse(chosen), { user_id: user!.id, actor: { kind: "user", id: user!.id } });
  if (when === "before the commit") die();
});
die();
