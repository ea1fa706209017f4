import { setPriority } from "node:os";

/** Niceness of threads whose work can wait. HTTP replies get precedence, and an idle machine is used in full. */
const NICE = 10;

/**
 * Ranks the calling thread, and the threads that it starts, behind the others. On Linux priorities belong to threads
 * (setpriority(2), NOTES); elsewhere this would slow the whole process down, so nothing is done.
 */
export function workInBackground(): void {
  if (process.platform !== "linux") return;
  try {
    setPriority(0, NICE);
  } catch {
    // A sandbox may forbid it; then requests wait a little longer during a first sync.
  }
}
