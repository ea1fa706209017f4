import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { BlobFiles, PARTIAL } from "../../src/platform/blobs/files.ts";
import { SealedFile } from "../../src/platform/blobs/sealed-file.ts";
import { SYSTEM } from "../../src/platform/sealing/keyring.ts";
import { type Fixture, rows, sealerOf } from "./finding.ts";

/** Further references of a row, where the schema has no foreign key: column, target, and affected rows. */
const REFERENCES: readonly (readonly [from: string, column: string, to: string, which?: string])[] = [
  ["locations", "message_id", "SELECT id FROM messages"],
  ["drafts", "send_id", "SELECT id FROM sends"],
  // A returned draft belongs to its owner, who may have deleted it.
  ["sends", "draft_id", "SELECT id FROM drafts", "status NOT IN ('failed', 'undone')"],
  // A revoked key stays in the list of keys.
  ["api_keys", "account_id", "SELECT id FROM accounts", "revoked_at IS NULL"],
  ["assistant_connections", "account_id", "SELECT id FROM accounts", "revoked_at IS NULL"],
  // The usage of a team stays counted after it is dissolved, until it is pruned.
  ["meters", "user_id", "SELECT id FROM users", "user_id NOT GLOB 'tea_*'"],
  ["idempotency", "user_id", "SELECT id FROM users"],
  ["audit", "user_id", "SELECT id FROM users"],
  ["events", "user_id", "SELECT id FROM users"],
  ["jobs", "user_id", "SELECT id FROM users"],
  ["data_keys", "user_id", `SELECT id FROM users UNION ALL SELECT '${SYSTEM}'`],
  ["vectors", "user_id", "SELECT id FROM users"],
  ["embed_queue", "user_id", "SELECT id FROM users"],
  ["rule_runs", "user_id", "SELECT id FROM users"],
  ["thread_aliases", "thread_id", "SELECT id FROM threads"],
];

/** Runs SQLite's own checks, then checks references that no foreign key guards. */
export function checkRows({ platform, miss }: Fixture): void {
  for (const { line } of rows<{ line: string }>(
    platform,
    "SELECT integrity_check AS line FROM pragma_integrity_check",
  )) {
    if (line !== "ok") miss("database", line);
  }
  const broken = rows<{ table: string; parent: string; c: number }>(
    platform,
    `SELECT "table", parent, count(*) AS c FROM pragma_foreign_key_check GROUP BY 1, 2`,
  );
  for (const { table, parent, c } of broken)
    miss("orphan rows", `${c} rows of ${table} refer to a row of ${parent} that does not exist`);
  for (const [from, column, to, which = "TRUE"] of REFERENCES) {
    const [found] = rows<{ c: number }>(
      platform,
      `SELECT count(*) AS c FROM ${from} WHERE ${column} IS NOT NULL AND ${column} NOT IN (${to}) AND ${which}`,
    );
    if (found!.c > 0) miss("orphan rows", `${found!.c} rows of ${from} have a ${column} that does not exist`);
  }
}

/** Checks files on disk against their rows. Reads every file to its end. @returns how many */
export async function checkFiles(fixture: Fixture): Promise<number> {
  const { platform, miss } = fixture;
  const files = new BlobFiles(platform);
  let read = 0;
  const users = rows<{ id: string }>(platform, "SELECT id FROM users").map(({ id }) => id);
  const folders = new Map(
    users.flatMap((id) => (sealerOf(platform, id) === null ? [] : [[files.userName(id), id] as const])),
  );
  for (const folder of list(files.root("blobs"))) {
    const user_id = folders.get(folder);
    if (!user_id) {
      miss("orphan files", `blobs/messages/${folder} belongs to no one`);
      continue;
    }
    const owners = new Set(ownersOf(fixture, user_id).map((id) => files.messageName(user_id, id)));
    for (const { path, message } of files.ofUser("blobs", user_id)) {
      if (path.endsWith(PARTIAL)) {
        if (fixture.settled) miss("orphan files", `${path} was never finished`);
      } else if (!owners.has(message)) miss("orphan files", `${path} belongs to no message, draft or file`);
    }
  }
  for (const name of kept(fixture)) {
    read++;
    if (sealerOf(platform, name.user_id) === null) {
      miss("files", `${name.part} of ${name.message_id} belongs to ${name.user_id}, who has no data key`);
      continue;
    }
    const path = files.path("blobs", name);
    if (!existsSync(path)) miss("files", `${name.part} of ${name.message_id} is not on the disk`);
    else if (!(await opens(fixture, path, name))) miss("files", `${name.part} of ${name.message_id} does not open`);
  }
  for (const file of list(join(platform.config.data_dir, "vectors"))) {
    if (!users.includes(file.split(".")[0]!)) miss("orphan files", `vectors/${file} belongs to no one`);
  }
  return read;
}

interface Kept {
  user_id: string;
  message_id: string;
  part: string;
}

/** Files that no server has: those of drafts and of the personal context, and the sources of sample and imported mail. */
function kept({ platform }: Fixture): Kept[] {
  return [
    ...rows<Kept>(
      platform,
      "SELECT d.user_id, d.id AS message_id, a.id AS part FROM draft_attachments a JOIN drafts d ON d.id = a.draft_id",
    ),
    ...rows<Kept>(platform, "SELECT user_id, id AS message_id, 'raw' AS part FROM context_files"),
    ...rows<Kept>(
      platform,
      `SELECT m.user_id, m.id AS message_id, 'raw' AS part FROM messages m JOIN accounts a ON a.id = m.account_id
       WHERE a.provider IN ('sandbox', 'imported')`,
    ),
  ];
}

function ownersOf({ platform }: Fixture, user_id: string): string[] {
  return rows<{ id: string }>(
    platform,
    `SELECT id FROM messages WHERE user_id = ?1 UNION ALL SELECT id FROM drafts WHERE user_id = ?1
     UNION ALL SELECT id FROM context_files WHERE user_id = ?1`,
    user_id,
  ).map(({ id }) => id);
}

async function opens({ platform }: Fixture, path: string, name: Kept): Promise<boolean> {
  const sealed = { sealer: platform.keyring.forUser(name.user_id), context: `${name.message_id}:${name.part}` };
  try {
    const file = await SealedFile.open([path], sealed);
    try {
      const size = await file.size();
      for (let index = 0; index * 65_536 < Math.max(1, size); index++) await file.frame(index, size);
      return true;
    } finally {
      await file.close();
    }
  } catch {
    return false;
  }
}

const list = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : []);
