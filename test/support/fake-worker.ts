/** A stand-in for a worker that does what a test scripts. */
export class FakeWorker<To extends { type: string }, From extends { type: string }> {
  readonly got: To[] = [];
  /** Whether the thread was terminated. */
  ended = false;
  /** Takes time to stop: the test decides when it has stopped. */
  slow = false;
  /** Messages to it cannot be posted. */
  deaf = false;
  readonly #listeners = new Map<string, (event: never) => void>();

  addEventListener(type: string, listener: (event: never) => void): void {
    this.#listeners.set(type, listener);
  }
  postMessage(message: To): void {
    if (this.deaf) throw new Error("it cannot be cloned");
    this.got.push(message);
    if (message.type === "stop" && !this.slow) this.say({ type: "stopped" } as From);
  }
  terminate(): void {
    this.ended = true;
  }
  say(data: From): void {
    this.#listeners.get("message")?.({ data } as never);
  }
  die(): void {
    this.#listeners.get("close")?.({} as never);
  }
}
