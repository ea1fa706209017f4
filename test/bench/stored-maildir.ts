import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type Dovecot, MAIL_UID, startDovecot, type TestUser } from "../support/dovecot.ts";
import { rawCopies } from "./raw-copies.ts";

const USER: TestUser = "alice";
const FIRST_AT_S = Date.parse("2006-06-01T00:00:00Z") / 1_000;
const STEP_S = 600;
/**
 * Otherwise the server lists all files whenever the folder is opened, and becomes slower than the program. For a million
 * files it needs more than its default of 256 MB.
 */
const SETTINGS = "maildir_very_dirty_syncs = yes\ndefault_vsz_limit = 2G";

/**
 * Writes mailboxes as Maildirs that later runs reuse. The smaller ones are hard links to the files of the largest.
 * Existing mailboxes are not written again.
 */
export function storeMaildirs(folder: string, sizes: readonly number[], say: (line: string) => void): void {
  const [largest, ...others] = [...sizes].sort((a, b) => b - a);
  if (largest === undefined) return;
  const from = store(folder, largest, (place) => {
    let n = 0;
    for (const raw of rawCopies(largest)) {
      const path = join(place, fileName(n, raw.length));
      writeFileSync(path, raw);
      const at = FIRST_AT_S + n * STEP_S;
      utimesSync(path, at, at);
      own(path);
      n++;
    }
    say(`  Maildir of ${largest} messages written`);
  });
  for (const messages of others) {
    store(folder, messages, (place) => {
      // In their order: the names begin with the number. The server may have changed what follows.
      for (const name of readdirSync(from).sort().slice(0, messages)) linkSync(join(from, name), join(place, name));
    });
  }
}

/**
 * Starts a server on a stored Maildir, and waits until the server has indexed it, which happens once. `stop` keeps the
 * mail.
 */
export async function serveMaildir(folder: string, messages: number): Promise<Dovecot> {
  const dovecot = await startDovecot({
    extraConfig: `mail_location = maildir:${rootOf(folder, messages)}/%n\n${SETTINGS}`,
  });
  try {
    const client = await dovecot.connect(USER);
    const status = await client.status("INBOX", { messages: true });
    const found = status ? status.messages : 0;
    if (found !== messages) {
      throw new Error(`the server found ${found} of ${messages} messages in ${folder}: ${dovecot.log().slice(-500)}`);
    }
    await client.logout();
    return dovecot;
  } catch (error) {
    await dovecot.stop();
    throw error;
  }
}

const rootOf = (folder: string, messages: number) => join(folder, `maildir-${messages}`);

/** Makes a mailbox completely or not at all. @returns the folder of its messages */
function store(folder: string, messages: number, fill: (place: string) => void): string {
  const root = rootOf(folder, messages);
  const current = join(root, USER, "cur");
  if (existsSync(root)) return current;
  const part = `${root}.part`;
  rmSync(part, { recursive: true, force: true });
  for (const name of ["cur", "new", "tmp"]) mkdirSync(join(part, USER, name), { recursive: true });
  fill(join(part, USER, "cur"));
  for (const path of [part, join(part, USER), ...["cur", "new", "tmp"].map((name) => join(part, USER, name))]) {
    own(path);
    chmodSync(path, 0o755);
  }
  // A folder made for one run is its owner's alone, and the server's user is another one.
  chmodSync(folder, 0o755);
  renameSync(part, root);
  return current;
}

/** Sizes in the name, so that the server need not read a message to know them; lines already end with CRLF. */
const fileName = (n: number, bytes: number) => `${1_600_000_000 + n}.M${n}P1.bench,S=${bytes},W=${bytes}:2,S`;

function own(path: string): void {
  if (process.getuid?.() === 0) chownSync(path, MAIL_UID, MAIL_UID);
}
