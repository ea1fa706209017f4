/**
 * Starts to count the processor time of this process, ms. Counts work and not waiting, because other tests or the host
 * may occupy the machine. Bounds on it are far above what is measured and far below what anything quadratic takes.
 */
export function workFromNow(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  };
}
