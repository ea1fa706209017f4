/** How often to check a condition that another process brings about. */
const EVERY_MS = 15;

/**
 * Waits until `condition` returns a truthy value without throwing.
 * @throws its last error, or one with its last answer, after `deadlineMs`
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
