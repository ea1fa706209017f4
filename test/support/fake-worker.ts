/** A worker in name, that does what a test says. */
export class FakeWorker<To extends { type: string }, From extends { type: string }> {
  readonly got: To[] = [];
  /** The thread was torn down. */
  ended = false;
  /** It takes its time to stop: a test says when it has. */
  slow = false;
  /** Nothing can be said to it. */
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
