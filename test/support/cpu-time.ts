/**
 * Counts the processor time of this process from now on, ms: work, not waiting, for other tests or the host may hold the machine.
 * Bounds on it lie far above what is measured and far below what anything quadratic takes.
 */
export function workFromNow(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  };
}
