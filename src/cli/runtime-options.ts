import { accessSync, constants } from "node:fs";
import { execPath, execve, platform } from "node:process";

/**
 * Options of the JavaScript engine, which it reads from the environment before any code runs.
 *
 * - Only code that runs for minutes is given to its slowest compiler. By default, a first sync spends a sixth of its
 *   processor time on compiling code that is then hardly faster.
 * - Heaps grow as on a small machine, and by three quarters before garbage is collected instead of doubling. Otherwise
 *   each thread may hold several times what it uses. Only heaps of more than a fifth of that machine's memory, 100 MB,
 *   grow by half (`mediumHeapGrowthFactor`): the main thread's under load. If all did, a first sync would take longer.
 * - The timer of a heap's full collections, which run beside the program, may take ten times its share of the processor.
 *   It is still at most a twentieth.
 */
const OPTIONS = {
  BUN_JSC_thresholdForFTLOptimizeAfterWarmUp: "2000000",
  BUN_JSC_thresholdForFTLOptimizeSoon: "500000",
  BUN_JSC_forceRAMSize: "500000000",
  BUN_JSC_smallHeapGrowthFactor: "1.75",
  BUN_JSC_smallHeapRAMFraction: "0.2",
  BUN_JSC_percentCPUPerMBForFullTimer: "0.003",
};

/** Commands that run long enough for the options to repay another start of the runtime, about 10 ms. */
const COMMANDS = new Set(["serve", "import"]);

/** In the executable, the path of the main module. */
const IN_EXECUTABLE = /\/\$bunfs\/root\//;

/** Returns the environment with which a command is started once more; null if it continues as it is. */
export function environmentFor(
  command: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> | null {
  if (!COMMANDS.has(command ?? "")) return null;
  // A person may set any of them, and a program that was started once more has all of them.
  return Object.keys(OPTIONS).some((name) => env[name] !== undefined) ? null : { ...env, ...OPTIONS };
}

/**
 * Replaces this process by one with OPTIONS, if the command profits. The process keeps its id, arguments and open
 * streams. Call it before other code is loaded.
 */
export function applyRuntimeOptions(): void {
  if (platform === "win32" || !IN_EXECUTABLE.test(import.meta.url)) return;
  const [, , ...args] = process.argv;
  const env = environmentFor(args[0], process.env);
  if (!env || !execve) return;
  try {
    accessSync(execPath, constants.X_OK);
    execve(execPath, [process.argv0, ...args], env as NodeJS.ProcessEnv);
  } catch {
    // Without the options it works as well, only slower.
  }
}
