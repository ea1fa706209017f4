/** Entry point of the log worker. Keeps the lease, and sends all changes of the data folder to the place of `backup.to`. */
import type { FromLogWorker, ToLogWorker } from "../backup/continuous/messages.ts";
import { LogRunner } from "../backup/continuous/runner.ts";
import { systemClock } from "../platform/clock.ts";
import { loadConfig } from "../platform/config/load.ts";
import { openPlatform } from "../platform/platform.ts";
import { systemSteadyClock } from "../platform/steady-clock.ts";

declare const self: Worker;

/** Not in the background: a renewal of the lease that is late ends everything that acts. */
let runner: LogRunner | null = null;
let close: () => void = () => {};

const post = (message: FromLogWorker) => self.postMessage(message);

self.onmessage = ({ data }: MessageEvent<ToLogWorker>) => {
  if (data.type === "start") begin(data);
  else if (data.type === "flush") void runner?.flush().then((fault) => post({ type: "flushed", id: data.id, fault }));
  else {
    void (runner?.stop(data.release) ?? Promise.resolve()).finally(() => {
      close();
      post({ type: "stopped" });
    });
  }
};

function begin({ sources, inherited, session, held }: ToLogWorker & { type: "start" }): void {
  const platform = openPlatform({ config: loadConfig(sources), clock: systemClock, inherited });
  close = () => platform.close();
  runner = new LogRunner({ platform, steady: systemSteadyClock, session, held, post });
  runner.start();
}
