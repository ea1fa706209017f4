/** Lets the event loop serve waiting work, then continues. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Length of a time slice, ms. Other requests wait no longer. */
const SLICE_MS = 3;

/**
 * Returns a function for long work on a shared thread. Call it between small steps: it yields to the event loop at the
 * end of each time slice.
 */
export function yieldInSlices(sliceMs = SLICE_MS): () => Promise<void> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < sliceMs) return;
    await yieldToEventLoop();
    began = performance.now();
  };
}
