import { Database } from "bun:sqlite";
import { randomBytes } from "node:crypto";

/*
 * Writes to a database until its input ends: transactions of all sizes, deletes, and a counter that must equal the
 * number of rows that were ever inserted. Run as `bun busy-writer.ts PATH SEED`.
 */

const [path = "", seedText = "1"] = process.argv.slice(2);
let seed = Number(seedText);
const random = () => {
  seed = (seed * 48_271) % 2_147_483_647;
  return seed / 2_147_483_647;
};

const sql = new Database(path);
sql.run("PRAGMA busy_timeout = 10000");
sql.run("PRAGMA synchronous = NORMAL");
sql.run("CREATE TABLE IF NOT EXISTS busy_rows (n INTEGER PRIMARY KEY AUTOINCREMENT, content BLOB, filler TEXT)");
sql.run("CREATE TABLE IF NOT EXISTS busy_count (id INTEGER PRIMARY KEY, inserted INTEGER, deleted INTEGER)");
sql.run("INSERT OR IGNORE INTO busy_count VALUES (1, 0, 0)");
const insert = sql.query("INSERT INTO busy_rows (content, filler) VALUES (?, ?)");
const count = sql.query("UPDATE busy_count SET inserted = inserted + ?, deleted = deleted + ?");

let stopped = false;
process.stdin.on("end", () => {
  stopped = true;
});
process.stdin.resume();
while (!stopped) {
  const rows = random() < 0.1 ? 200 : 1 + Math.floor(random() * 5);
  sql.transaction(() => {
    for (let i = 0; i < rows; i++) insert.run(randomBytes(Math.floor(random() * 4_000)), "x".repeat(rows));
    const { changes } = sql.run("DELETE FROM busy_rows WHERE n % 3 = 0 AND n < (SELECT max(n) - 300 FROM busy_rows)");
    count.run(rows, changes);
  })();
  if (random() < 0.05) sql.run("PRAGMA wal_checkpoint(PASSIVE)");
  await Bun.sleep(random() * 4);
}
sql.close();
