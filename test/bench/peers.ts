import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Run, runCommand, together } from "./measure.ts";

export interface ImapPlace {
  port: number;
  username: string;
  password: string;
}

/** Other programs that index a mailbox, identified by the package to install. */
export const PEERS: { name: string; needs: string[]; run: (folder: string, from: ImapPlace) => Promise<Run> }[] = [
  {
    name: "mbsync + mu index",
    needs: ["mbsync", "mu"],
    async run(folder, from) {
      const fetched = await mbsync(folder, from);
      const home = [`--muhome=${join(folder, "mu")}`];
      await runCommand(["mu", "init", ...home, `--maildir=${join(folder, "mail")}`, `--my-address=${from.username}`]);
      return together([fetched, await runCommand(["mu", "index", "--quiet", ...home])]);
    },
  },
  {
    name: "mbsync + notmuch new",
    needs: ["mbsync", "notmuch"],
    async run(folder, from) {
      const fetched = await mbsync(folder, from);
      const config = join(folder, "notmuch-config");
      const user = `[user]\nname=A\nprimary_email=${from.username}\n`;
      writeFileSync(config, `[database]\npath=${join(folder, "mail")}\n\n${user}\n[new]\ntags=unread;inbox;\n`);
      return together([fetched, await runCommand(["notmuch", "new", "--quiet"], { NOTMUCH_CONFIG: config })]);
    },
  },
];

async function mbsync(folder: string, { port, username, password }: ImapPlace): Promise<Run> {
  const mail = join(folder, "mail");
  mkdirSync(mail, { recursive: true });
  const config = join(folder, "mbsyncrc");
  const sections = [
    `IMAPAccount there\nHost 127.0.0.1\nPort ${port}\nUser ${username}\nPass ${password}\nSSLType None\nAuthMechs LOGIN`,
    "IMAPStore far\nAccount there",
    `MaildirStore near\nPath ${mail}/\nInbox ${mail}/INBOX\nSubFolders Verbatim`,
    "Channel all\nFar :far:\nNear :near:\nPatterns INBOX\nCreate Near\nSync Pull\nSyncState *",
  ];
  writeFileSync(config, `${sections.join("\n\n")}\n`, { mode: 0o600 });
  return runCommand(["mbsync", "--quiet", "--config", config, "all"]);
}
