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
import { refuseStandby } from "../platform/process/standby-folder.ts";
import { type CommonOptions, command, explained, requireData, sourcesOf, withPlatform } from "./context.ts";
import { errorSentence } from "./failures.ts";
import { languageModelFinding } from "./language-model-finding.ts";
import { settingsFinding } from "./settings-finding.ts";
import { printRows } from "./table.ts";

interface DoctorOptions extends CommonOptions {
  deep?: boolean;
  offline?: boolean;
  deleteOldCopies?: boolean;
}

/** Defines `postroom doctor`. */
export function doctorCommand(): Command {
  return explained(
    command("doctor", "Check this installation and its mail servers, and suggest improvements.")
      .option("--deep", "compare every database index, and open a thousand sealed messages of each person")
      .option("--offline", "do not log in to the mail servers, and look for no model servers")
      .option(
        "--delete-old-copies",
        "first delete database copies from before upgrades that have a readable search index",
      )
      .option("--json", "print JSON"),
    {
      notes: `Each check ends with one of three results. "ok" means that the check passed. "advice" means that something
works but could be better or safer. "FAULT" means that something does not work. The exit code is 1 when
there is a FAULT, otherwise 0. Like other commands, doctor requires the master key and also works while a
server is running. It repairs nothing. It connects to your mail servers, and to model servers
on this machine.

Copies of the database that an earlier version left in upgrades/ have a search index that reveals most
words of your mail without a key. --delete-old-copies overwrites and deletes these copies. You cannot
return to that version afterwards.`,
      examples: ["postroom doctor", "postroom doctor --deep --offline", "postroom doctor --data /srv/postroom --json"],
    },
  ).action(doctor);
}

async function doctor(options: DoctorOptions): Promise<void> {
  refuseStandby(options.data);
  if (options.deleteOldCopies) {
    requireData(options);
    const deleted = deleteCopiesWithLegacyIndex(options.data);
    console.error(deleted.length === 0 ? "There are no copies to delete." : `Deleted: ${deleted.join(", ")}`);
  }
  const findings: Finding[] = [];
  for (const { name, version, ok: works, detail } of await nativeReport(join(options.data, "cache"))) {
    findings.push((works ? ok : fault)(`${name} ${version}`, detail));
  }
  findings.push(...(await attempt("configuration", async () => [readSettings(options)])));
  if (!existsSync(join(options.data, "postroom.db"))) {
    findings.push(ok("data folder", "Contains no data yet. 'postroom serve' creates it."));
  } else {
    const whole = await attempt("data", () => examineFolder(options));
    findings.push(...whole);
    // Checks that need no key are still useful when the data folder does not open.
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

/** Runs a check; a check that fails to run is a finding, too. */
async function attempt(check: string, work: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await work();
  } catch (error) {
    const sentence = errorSentence(error);
    if (sentence === null) throw error;
    return [fault(check, sentence)];
  }
}

function readSettings(options: CommonOptions): Finding {
  webhookSettings(loadConfig(sourcesOf(options)));
  return settingsFinding(process.env);
}

function examineFolder(options: DoctorOptions): Promise<Finding[]> {
  return withPlatform(options, async (platform, mailbox) => {
    const findings = await examine(platform, mailbox, {
      deep: options.deep ?? false,
      servers: !options.offline,
      untrustedProxies: await untrustedProxiesOf(options.data),
    });
    return options.offline ? findings : [...findings, await languageModelFinding(platform)];
  });
}

/** Returns the untrusted proxies that the running server has seen; none without a server, or with an older one. */
async function untrustedProxiesOf(data_dir: string): Promise<string[]> {
  const answered = await askServer(data_dir, "untrustedProxies", null).catch(() => null);
  return answered?.running ? answered.reply : [];
}
