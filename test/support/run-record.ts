import { cpus, totalmem } from "node:os";
import { join } from "node:path";

/** Where and when something was measured. */
export interface RunRecord {
  at: string;
  commit: string;
  machine: { cpu: string; cores: number; memory_bytes: number; versions: Record<string, string> };
  /** "full": a complete run; otherwise what was left out, or "short". */
  form: string;
}

/** @param programs other programs that take part, by command name */
export function recordNow(form: string, programs: readonly string[]): RunRecord {
  const [cpu] = cpus();
  return {
    at: new Date().toISOString(),
    commit: commitOf(),
    machine: {
      cpu: cpu?.model ?? "unknown",
      cores: cpus().length,
      memory_bytes: totalmem(),
      versions: { bun: Bun.version, ...versionsOf(programs) },
    },
    form,
  };
}

/** Returns the commit that ran, with a plus where files differ from it; "unknown" outside a repository. */
export function commitOf(): string {
  const git = (...args: string[]) => Bun.spawnSync(["git", ...args], { cwd: import.meta.dir, stderr: "ignore" });
  const head = git("rev-parse", "--short", "HEAD");
  if (head.exitCode !== 0) return process.env.POSTROOM_COMMIT ?? "unknown";
  const changed = git("status", "--porcelain", "--untracked-files=no").stdout.length > 0;
  return `${head.stdout.toString().trim()}${changed ? "+" : ""}`;
}

/** Returns the first line of each program's version output; programs that are not installed are left out. */
function versionsOf(programs: readonly string[]): Record<string, string> {
  const installed = programs.filter((program) => Bun.which(program));
  return Object.fromEntries(
    installed.map((program) => [
      program,
      Bun.spawnSync([program, "--version"]).stdout.toString().split("\n")[0]!.trim(),
    ]),
  );
}

/** Results name files of the project, not of this machine. */
export const withoutRoot = (text: string): string => text.replaceAll(`${join(import.meta.dir, "../..")}/`, "");
