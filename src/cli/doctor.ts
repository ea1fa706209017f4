import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { UserError } from "../kernel/errors.ts";
import { loadConfig } from "../platform/config/load.ts";
import { nativeReport } from "../platform/native/report.ts";
import { type CommonOptions, command, printRows, sourcesOf, withPlatform } from "./context.ts";

interface Finding {
  check: string;
  ok: boolean;
  detail: string;
  [name: string]: string | boolean;
}

export function doctorCommand(): Command {
  return command("doctor", "Check this installation and say what could be better.")
    .option("--json", "print JSON")
    .action(doctor);
}

async function doctor(options: CommonOptions): Promise<void> {
  const findings: Finding[] = [];
  for (const { name, version, ok, detail } of await nativeReport(join(options.data, "cache"))) {
    findings.push({ check: `${name} ${version}`, ok, detail });
  }
  if (existsSync(join(options.data, "postroom.db"))) {
    await withPlatform(options, ({ db, master_key_source, users }, { accounts }) => {
      const integrity =
        db.sql.query<{ quick_check: string }, []>("PRAGMA quick_check(1)").get()?.quick_check ?? "no answer";
      findings.push({ check: "database", ok: integrity === "ok", detail: integrity });
      findings.push({
        check: "master key",
        ok: true,
        detail:
          master_key_source === "file"
            ? "lies beside the data (keys/master.key): a stolen disk can be read. Use a passphrase or keep the key elsewhere."
            : `comes from outside the data folder (${master_key_source}): a stolen disk cannot be read without it.`,
      });
      for (const person of users.list()) {
        for (const account of accounts.list(person.id)) {
          const ok = account.status === "active" || account.status === "paused" || account.status === "connecting";
          findings.push({ check: `mailbox ${account.email}`, ok, detail: account.last_error ?? account.status });
        }
      }
    });
  } else {
    findings.push({ check: "data folder", ok: true, detail: "is new; 'postroom serve' fills it." });
  }
  printRows(
    findings.map(({ check, ok, detail }) => ({ check, result: ok ? "ok" : "FAULT", detail })),
    options.json,
  );
  if (findings.some(({ ok }) => !ok)) process.exitCode = 1;
}

export function healthCommand(): Command {
  return command(
    "health",
    "Exit 0 when a server is running on this data folder's port, for container health checks.",
  ).action(health);
}

async function health(options: CommonOptions): Promise<void> {
  const port = loadConfig(sourcesOf(options)).get("http.port");
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
  if (!answer?.ok) throw new UserError(`Nothing healthy answers at port ${port}.`);
  console.log("ready");
}
