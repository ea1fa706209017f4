import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { webhookSettings } from "../app-webhooks.ts";
import { loadConfig } from "../platform/config/load.ts";
import { nativeReport } from "../platform/native/report.ts";
import { type CommonOptions, command, explained, sourcesOf, withPlatform } from "./context.ts";
import { sentenceOf } from "./failures.ts";
import { accountFinding, diskFinding, type Finding, folderFinding, keyFindings, unknownVariables } from "./findings.ts";
import { printRows } from "./table.ts";

export function doctorCommand(): Command {
  return explained(
    command("doctor", "Check this installation and say what could be better.").option("--json", "print JSON"),
    {
      notes: `Results: ok; advice, for what works but could be safer; FAULT, for what does not work. Exit code 1 when there is
a FAULT. It needs the master key, like every command, and repairs nothing by itself.`,
      examples: ["postroom doctor", "postroom doctor --data /srv/postroom --json"],
    },
  ).action(doctor);
}

async function doctor(options: CommonOptions): Promise<void> {
  const findings: Finding[] = [];
  for (const { name, version, ok, detail } of await nativeReport(join(options.data, "cache"))) {
    findings.push({ check: `${name} ${version}`, result: ok ? "ok" : "FAULT", detail });
  }
  findings.push(await attempt("configuration", async () => [checkConfig(options)]).then((found) => found[0]!));
  if (existsSync(join(options.data, "postroom.db"))) {
    findings.push(folderFinding(options.data), diskFinding(options.data));
    findings.push(...(await attempt("data", () => dataFindings(options))));
  } else {
    findings.push({ check: "data folder", result: "ok", detail: "is new; 'postroom serve' fills it" });
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
    return [{ check, result: "FAULT", detail: sentence }];
  }
}

function checkConfig(options: CommonOptions): Finding {
  webhookSettings(loadConfig(sourcesOf(options)));
  const unknown = unknownVariables(process.env);
  return unknown.length === 0
    ? { check: "configuration", result: "ok", detail: "every value is valid" }
    : { check: "configuration", result: "advice", detail: `no setting belongs to ${unknown.join(", ")}; misspelt?` };
}

function dataFindings(options: CommonOptions): Promise<Finding[]> {
  return withPlatform(options, ({ db, master_key_source, users }, { accounts }) => {
    const answer = db.sql.query<{ quick_check: string }, []>("PRAGMA quick_check(1)").get()?.quick_check ?? "no answer";
    return [
      { check: "database", result: answer === "ok" ? "ok" : "FAULT", detail: answer },
      ...keyFindings(options.data, master_key_source),
      ...users.list().flatMap((person) => accounts.list(person.id).map(accountFinding)),
    ];
  });
}
