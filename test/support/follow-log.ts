import { LogFollower } from "../../src/backup/log/follower.ts";
import { LogReader } from "../../src/backup/log/reader.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { FolderStore } from "../../src/platform/objects/folder-store.ts";

/* Follows the log in a folder until it is killed. Run as `bun follow-log.ts PLACE FOLDER KEY`. */

const [place = "", folder = "", key = ""] = process.argv.slice(2);
const store = new FolderStore(place, systemClock);
const reader = await LogReader.open(store, [{ kind: "master key", key: Buffer.from(key, "hex") }]);
const follower = await LogFollower.open({ folder, reader: reader! });
process.stdout.write("follows\n");
for (;;) {
  await follower.advance();
  await Bun.sleep(1);
}
