import { rmSync } from "node:fs";
import { join } from "node:path";
import { LOCAL_FOLDER } from "./local-files.ts";

/** Returns the folder to which the continuous copy is restored for a test. */
export const drillFolder = (data_dir: string): string => join(data_dir, LOCAL_FOLDER, "drill");

/** Removes what a test that was killed has left. */
export function forgetDrill(data_dir: string): void {
  rmSync(drillFolder(data_dir), { recursive: true, force: true });
}
