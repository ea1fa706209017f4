import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hostTarget, RUNTIME_VERSION, TARGETS, type TargetName } from "./targets.ts";

/**
 * Returns the path of Bun's executable for a target, to which the bundle is appended. Null for the building machine,
 * where the running Bun copies itself if it is the pinned one. Downloads the executable once with Bun's package manager, and checks it against
 * `targets.ts`.
 * @param cache absolute path of the folder for downloads, which is created if necessary
 * @throws Error if the download fails or has another hash
 */
export async function runtimeFor(target: TargetName, cache: string): Promise<string | null> {
  const { runtime } = TARGETS[target];
  if (target === hostTarget() && sha256Of(process.execPath) === runtime.sha256) return null;
  const kept = join(cache, RUNTIME_VERSION, target, "bun");
  if (existsSync(kept) && sha256Of(kept) === runtime.sha256) return kept;
  mkdirSync(join(cache, RUNTIME_VERSION, target), { recursive: true });
  const workshop = mkdtempSync(join(cache, ".fetch-"));
  try {
    const dependencies = { [runtime.package]: RUNTIME_VERSION };
    writeFileSync(join(workshop, "package.json"), JSON.stringify({ private: true, dependencies }));
    const [system, processor] = TARGETS[target].platform.split("-");
    const install = ["install", `--os=${system}`, `--cpu=${processor}`, "--ignore-scripts", "--no-save"];
    const { exitCode, stderr } = Bun.spawnSync([process.execPath, ...install], { cwd: workshop, stderr: "pipe" });
    const fetched = join(workshop, "node_modules", runtime.package, "bin/bun");
    if (exitCode !== 0 || !existsSync(fetched)) {
      throw new Error(`cannot get ${runtime.package}@${RUNTIME_VERSION} from the package registry: ${stderr}`);
    }
    const found = sha256Of(fetched);
    if (found !== runtime.sha256) {
      throw new Error(
        `${runtime.package}@${RUNTIME_VERSION} has another hash (${found}) than tools/build/targets.ts expects`,
      );
    }
    renameSync(fetched, kept);
    return kept;
  } finally {
    rmSync(workshop, { recursive: true, force: true });
  }
}

function sha256Of(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}
