/** Both standard streams may lose their reader at any time: `postroom user list | head -1`. */
const NO_READER = new Set(["EPIPE", "ERR_STREAM_DESTROYED", "ECONNRESET"]);

/**
 * From now on a reader that goes away is no failure of the command: the command completes, and its exit code says
 * whether it succeeded. Other faults of a stream, such as a full disk, end the command with exit code 1.
 */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (!NO_READER.has(error.code ?? "")) process.exitCode = 1;
    });
  }
}
