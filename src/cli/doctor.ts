import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { webhookSettings } from "../app/webhooks.ts";
import { examine } from "../features/diagnostics/diagnostics.ts";
import { type Finding, fault, ok } from "../features/diagnostics/finding.ts";
import { diskFinding, folderFindings } from "../features/diagnostics/folder.ts";
import { deleteCopiesWithLegacyIndex } from "../mailbox/search/legacy-copies.ts";
import { loadConfig } from "../platform/config/load.ts";
import { askServer } from "../platform/control/client.ts";
import { nativeReport } from "../platform/native/report.ts";
import { type CommonOptions, command, explained, requireData, sourcesOf, withPlatform } from "./context.ts";
import { sentenceOf } from "./failures.ts";
import { settingsFinding } from "./settings-finding.ts";
import { printRows } from "./table.ts";

interface DoctorOptions extends CommonOptions {
  deep?: boolean;
  offline?: boolean;
  deleteOldCopies?: boolean;
}

export function doctorCommand(): Command {
  return explained(
    command("doctor", "Check this installation and its mail servers, and say what could be better.")
      .option("--deep", "compare every index of the database, and open a thousand sealed messages of each person")
      .option("--offline", "do not log in to the mail servers")
      .option("--delete-old-copies", "first delete copies from before upgrades that have a readable search index")
      .option("--json", "print JSON"),
    {
      notes: `Results: ok; advice, for what works but could be better or safer; FAULT, for what does not work. Exit code 0
when there is no FAULT, 1 when there is one. It needs the master key, like every command, works beside a running
server, and repairs nothing automatically. It connects to your mail servers and to nothing else.

Copies of the database in upgrades/ that an earlier version made have a search index from which most words can be
read without a key. With --delete-old-copies they are overwritten and deleted. You cannot go back to that version then.`,
      examples: ["postroom doctor", "postroom doctor --deep --offline", "postroom doctor --data /srv/postroom --json"],
    },
  ).action(doctor);
}

async function doctor(options: DoctorOptions): Promise<void> {
  if (options.deleteOldCopies) {
    requireData(options);
    const deleted = deleteCopiesWithLegacyIndex(options.data);
    console.error(deleted.length === 0 ? "There are no such copies." : `Deleted: ${deleted.join(", ")}`);
  }
  const findings: Finding[] = [];
  for (const { name, version, ok: works, detail } of await nativeReport(join(options.data, "cache"))) {
    findings.push((works ? ok : fault)(`${name} ${version}`, detail));
  }
  findings.push(...(await attempt("configuration", async () => [readSettings(options)])));
  if (!existsSync(join(options.data, "postroom.db"))) {
    findings.push(ok("data folder", "is new; 'postroom serve' fills it"));
  } else {
    const whole = await attempt("data", () => examineFolder(options));
    findings.push(...whole);
    // What needs no key is still worth knowing where the folder does not open.
    if (whole.some(({ check }) => check === "data"))
      findings.push(...folderFindings(options.data), diskFinding(options.data));
  }
  printRows(
    findings.map(({ check, result, detail }) => ({ check, result, detail })),
    options.json,
    "",
  );
  if (findings.some(({ result }) => result === "FAULT")) process.exitCode = 1;
}

/** What cannot be looked at is a finding too. */
async function attempt(check: string, work: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await work();
  } catch (error) {
    const sentence = sentenceOf(error);
    if (sentence === null) throw error;
    return [fault(check, sentence)];
  }
}

function readSettings(options: CommonOptions): Finding {
  webhookSettings(loadConfig(sourcesOf(options)));
  return settingsFinding(process.env);
}

function examineFolder(options: DoctorOptions): Promise<Finding[]> {
  return withPlatform(options, async (platform, mailbox) =>
    examine(platform, mailbox, {
      deep: options.deep ?? false,
      servers: !options.offline,
      untrustedProxies: await untrustedProxiesOf(options.data),
    }),
  );
}

/** What only the running server knows; nothing where none runs, or one of an older version. */
async function untrustedProxiesOf(data_dir: string): Promise<string[]> {
  const answered = await askServer(data_dir, "untrustedProxies", null).catch(() => null);
  return answered?.running ? answered.reply : [];
}
