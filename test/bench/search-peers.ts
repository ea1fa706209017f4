import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { spamAssassin } from "../corpus.ts";
import { runCommand } from "./measure.ts";

/** A query in the language of each program; null where it has no such thing. */
export interface PeerQuery {
  kind: string;
  notmuch: string;
  mu: string;
}

/** What else finds mail by words on this machine, over mail of the same making. Each search is a process, as people run it. */
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
        // It says that nothing was found by its exit code.
        runCommand(["mu", "find", home, "--maxnum=25", "--sortfield=date", "--reverse", query.mu]).catch(() => null);
    },
  },
];

/** Writes so many messages as a Maildir: the corpus many times over, with other ids, subjects and order of lines in each copy. */
export function writeMaildir(folder: string, messages: number): void {
  const inbox = join(folder, "mail", "INBOX");
  for (const name of ["cur", "new", "tmp"]) mkdirSync(join(inbox, name), { recursive: true });
  const corpus = spamAssassin().map(({ raw }) => Buffer.from(raw).toString("latin1"));
  for (let n = 0; n < messages; n++) {
    const copy = Math.floor(n / corpus.length);
    const text = corpus[n % corpus.length]!;
    const end = text.indexOf("\r\n\r\n");
    const head = text
      .slice(0, end)
      .replace(/^((?:Message-ID|In-Reply-To|References):[^<]*)</gim, `$1<${copy}.`)
      .replace(/^Subject: (.*)$/im, `Subject: $1 ${copy}`);
    const seen = n % 5 !== 0;
    writeFileSync(
      join(inbox, seen ? "cur" : "new", `${n}.host${seen ? ":2,S" : ""}`),
      `${head}${text.slice(end)}`,
      "latin1",
    );
  }
}
