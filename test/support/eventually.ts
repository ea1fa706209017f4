/** How often a condition that another process brings about is looked at. */
const EVERY_MS = 15;

/**
 * Waits until `condition` holds: answers something truthy, and does not throw.
 * @throws its last error, or one that says what it answered last, after `deadline_ms`
 */
export async function eventually<T>(condition: () => T | Promise<T>, deadlineMs = 5_000): Promise<T> {
  const end = performance.now() + deadlineMs;
  for (;;) {
    let problem: unknown;
    try {
      const answer = await condition();
      if (answer) return answer;
      problem = new Error(`Still ${Bun.inspect(answer)} after ${deadlineMs} ms.`);
    } catch (error) {
      problem = error;
    }
    if (performance.now() >= end) throw problem;
    await Bun.sleep(EVERY_MS);
  }
}
