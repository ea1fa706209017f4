import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "./measure.ts";
import { rawCopies } from "./raw-copies.ts";

/** A query in the language of each program; null where it has no equivalent. */
export interface PeerQuery {
  kind: string;
  notmuch: string;
  mu: string;
}

/**
 * Other programs that find mail by words on this machine, over mail generated the same way. Each search is a process,
 * as people run it.
 */
export const SEARCH_PEERS = [
  {
    name: "notmuch search",
    needs: "notmuch",
    async index(folder: string) {
      const config = join(folder, "notmuch-config");
      const user = "[user]\nname=A\nprimary_email=ada@example.org\n";
      writeFileSync(config, `[database]\npath=${join(folder, "mail")}\n\n${user}\n[new]\ntags=inbox;\n`);
      const env = { NOTMUCH_CONFIG: config };
      await runCommand(["notmuch", "new", "--quiet"], env);
      await runCommand(["notmuch", "tag", "+unread", "--", "path:INBOX/new/**"], env);
      return (query: PeerQuery) => runCommand(["notmuch", "search", "--limit=25", "--", query.notmuch], env);
    },
  },
  {
    name: "mu find",
    needs: "mu",
    async index(folder: string) {
      const home = `--muhome=${join(folder, "mu")}`;
      await runCommand(["mu", "init", home, `--maildir=${join(folder, "mail")}`, "--my-address=ada@example.org"]);
      await runCommand(["mu", "index", "--quiet", home]);
      return (query: PeerQuery) =>
        // Its exit code reports that nothing was found.
        runCommand(["mu", "find", home, "--maxnum=25", "--sortfield=date", "--reverse", query.mu]).catch(() => null);
    },
  },
];

/** Writes this many messages as a Maildir. */
export function writeMaildir(folder: string, messages: number): void {
  const inbox = join(folder, "mail", "INBOX");
  for (const name of ["cur", "new", "tmp"]) mkdirSync(join(inbox, name), { recursive: true });
  let n = 0;
  for (const raw of rawCopies(messages)) {
    const seen = n % 5 !== 0;
    writeFileSync(join(inbox, seen ? "cur" : "new", `${n}.host${seen ? ":2,S" : ""}`), raw);
    n++;
  }
}
