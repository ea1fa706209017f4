import { waitingPause } from "../backup/continuous/pauses.ts";
import type { HttpPipeline } from "../http/pipeline.ts";
import type { Pause } from "../platform/acting.ts";
import { errorFields } from "../platform/log.ts";
import type { Parts } from "./parts.ts";
import { type Run, type RunOptions, startRun } from "./run.ts";

/**
 * Keeps the run that fits: when the server may no longer act, everything that acts is stopped, and the parts start again
 * paused; when it may act again, the reverse. The HTTP server stays open all the time.
 */
export class RunSwitch {
  /** Answers with the current run. */
  readonly pipeline: HttpPipeline = {
    fetch: (request, connection) => this.#run.parts.pipeline.fetch(request, connection),
    drain: () => this.#run.parts.pipeline.drain(),
    close: () => this.#run.parts.pipeline.close(),
  };
  #isPausedRun = false;
  #run: Run;
  #wanted: Pause | null;
  #switching: Promise<void> | null = null;
  #stopped = false;

  private constructor(
    private readonly options: Omit<RunOptions, "onKeyMoved">,
    pause: Pause | null,
  ) {
    this.#wanted = pause;
    this.#run = this.#start();
  }

  /** Starts the first run, paused or not. It waits a moment for the lease, so that a usual start is not paused. */
  static async start(options: Omit<RunOptions, "onKeyMoved">): Promise<RunSwitch> {
    const { copying, platform } = options;
    platform.acting.setCheck(() => (copying.mayAct() ? null : waitingPause(platform.clock.now())));
    const told: { runs: RunSwitch | null; pause: Pause | null } = { runs: null, pause: null };
    told.pause = await copying.start((pause) => {
      told.pause = pause;
      told.runs?.change(pause);
    });
    if (told.pause) platform.log.warn("this server starts paused", reasonOf(told.pause));
    told.runs = new RunSwitch(options, told.pause);
    return told.runs;
  }

  /** The parts that answer and act now. */
  get parts(): Parts {
    return this.#run.parts;
  }

  /** Resolves when everything of the current run has started. */
  get started(): Promise<void> {
    return this.#run.started;
  }

  /** Pauses the server, or lets it act. Changes are refused at once; the rest follows. */
  change(pause: Pause | null): void {
    const { platform } = this.options;
    const same = (this.#wanted === null) === (pause === null);
    this.#wanted = pause;
    if (pause) platform.acting.set(pause);
    if (same || this.#stopped) return;
    this.#switching ??= this.#switch().finally(() => {
      this.#switching = null;
    });
  }

  /** Stops the run. @param endRequests stops the HTTP server */
  async stop(endRequests: () => Promise<void>): Promise<void> {
    this.#stopped = true;
    await this.#switching;
    await this.#run.stop(endRequests);
  }

  async #switch(): Promise<void> {
    const { log } = this.options.platform;
    while (!this.#stopped && this.#isPausedRun !== (this.#wanted !== null)) {
      log.warn(this.#wanted ? "this server pauses" : "this server acts", this.#wanted ? reasonOf(this.#wanted) : {});
      const { parts } = this.#run;
      await this.#run.stop(async () => parts.pipeline.drain());
      parts.pipeline.close();
      this.#run = this.#stopped ? stoppedRun(parts) : this.#start();
      await this.#run.started.catch((error: unknown) => log.error("a part failed to start", errorFields(error)));
    }
  }

  #start(): Run {
    const { platform, copying } = this.options;
    const pause = this.#wanted;
    this.#isPausedRun = pause !== null;
    // Also for what no check covers, such as a callback of a sign-in at a provider.
    platform.db.setReadOnly(pause !== null);
    platform.acting.set(pause);
    return startRun({ ...this.options, onKeyMoved: () => copying.renew() });
  }
}

/** Stands for a run that was stopped when the program ended in the middle of a switch. */
function stoppedRun(parts: Parts): Run {
  return { parts, started: Promise.resolve(), stop: (endRequests) => endRequests() };
}

function reasonOf({ reason, message }: Pause): { reason: string; detail: string } {
  return { reason, detail: message };
}
