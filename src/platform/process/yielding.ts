/** Lets the event loop serve waiting work, then continues. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** So long at a time; other requests wait no longer. */
const SLICE_MS = 3;

/** For long work on a thread that others need, too: call it between small steps, and it gives way whenever a slice is over. */
export function yieldInSlices(sliceMs = SLICE_MS): () => Promise<void> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < sliceMs) return;
    await yieldToEventLoop();
    began = performance.now();
  };
}
