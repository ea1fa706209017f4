import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { writeSecretFile } from "../../platform/sealing/master-key.ts";

/** Outcome of a test restore. */
export interface DrillResult {
  /** `id` of the place that was tested (src/backup/target.ts). */
  place: string;
  /** When it ended, and how long it took, ms. */
  at: number;
  ms: number;
  ok: boolean;
  /** What is wrong, as a sentence. */
  error: string | null;
  /** Time of the state that was read, ms; null if it failed. */
  state_at: number | null;
  /** False if everything was read and verified, but the disk had too little space to restore it. */
  restored: boolean;
}

const fileOf = (data_dir: string) => join(data_dir, "run", "drill.json");

/** Notes the outcome in `run/`: it is about this machine. */
export function writeDrill(data_dir: string, result: DrillResult): void {
  mkdirSync(join(data_dir, "run"), { recursive: true, mode: 0o700 });
  writeSecretFile(fileOf(data_dir), JSON.stringify(result));
}

/** Returns the last outcome for a place; null if it was not tested yet. */
export function readDrill(data_dir: string, place: string): DrillResult | null {
  try {
    const result = JSON.parse(readFileSync(fileOf(data_dir), "utf8")) as DrillResult;
    return result.place === place ? result : null;
  } catch {
    return null;
  }
}
