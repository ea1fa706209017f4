import { setPriority } from "node:os";

/** Niceness of background threads: HTTP replies take precedence, but an idle machine is fully used. */
const NICE = 10;

/**
 * Lowers the priority of the calling thread and of threads that it starts. Only on Linux, where priorities belong to
 * threads (setpriority(2), NOTES). Elsewhere this would slow the whole process down.
 */
export function workInBackground(): void {
  if (process.platform !== "linux") return;
  try {
    setPriority(0, NICE);
  } catch {
    // A sandbox may forbid it. Requests then wait a little longer during a first sync.
  }
}
