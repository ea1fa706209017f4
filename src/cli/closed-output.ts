import { writeSync } from "node:fs";
import { format } from "node:util";
import { errorSentence } from "./failures.ts";

/** Either standard stream can lose its reader at any time: `postroom user list | head -1`. */
const NO_READER = new Set(["EPIPE", "ERR_STREAM_DESTROYED", "ECONNRESET"]);
const FULL_PIPE_WAIT_MS = 2;

/**
 * Lets a command complete when a reader closes its stream early. The exit code then says whether the command succeeded.
 * Other stream errors, such as a full disk, end the command with exit code 1.
 */
export function ignoreClosedOutput(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => noteFault(error, stream === process.stdout));
  }
  // Bun's console.log ignores failed writes: a new key could be lost while the command reports success.
  console.log = (...values: unknown[]) => {
    try {
      writeAll(Buffer.from(`${format(...values)}\n`));
    } catch (error) {
      noteFault(error as NodeJS.ErrnoException, true);
    }
  };
}

/** Waits for a slow reader, so that an immediate `process.exit` loses no output. */
function writeAll(bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(1, bytes, at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
      Bun.sleepSync(FULL_PIPE_WAIT_MS);
    }
  }
}

function noteFault(error: NodeJS.ErrnoException, isOutput: boolean): void {
  if (NO_READER.has(error.code ?? "")) return;
  if (isOutput && process.exitCode !== 1) process.stderr.write(`postroom: ${unwritten(error)}\n`);
  process.exitCode = 1;
}

function unwritten(error: NodeJS.ErrnoException): string {
  const why = errorSentence(error);
  const reason = why === null ? `${error.code ?? error.name}.` : `${why[0]!.toLowerCase()}${why.slice(1)}`;
  return `The output could not be written: ${reason}`;
}
