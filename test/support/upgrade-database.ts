import { Database } from "bun:sqlite";
import { join } from "node:path";
import { copyBeforeUpgrade } from "../../src/platform/db/before-upgrade.ts";
import { MIGRATIONS, migrate } from "../../src/platform/db/migrate.ts";

/** Upgrades a database as a version with one more migration does, once: bun test/support/upgrade-database.ts FOLDER */
const [data_dir] = process.argv.slice(2);
const sql = new Database(join(data_dir!, "postroom.db"), { strict: true });
const added = { name: "9999_newer", sql: "CREATE TABLE newer (id INTEGER PRIMARY KEY) STRICT" };
migrate(sql, (upgrade) => void copyBeforeUpgrade(sql, upgrade, { data_dir: data_dir!, keep: 2, now: Date.now() }), [
  ...MIGRATIONS,
  added,
]);
sql.close();
