import { HeldView } from "../../src/backup/lease/held.ts";
import { systemSteadyClock } from "../../src/platform/steady-clock.ts";

declare const self: Worker;

/** A thread that says, when asked, whether it may act. */
let view: HeldView | null = null;
self.onmessage = ({ data }: MessageEvent<SharedArrayBuffer | number | null>) => {
  if (data instanceof SharedArrayBuffer) view = new HeldView(systemSteadyClock, data);
  else self.postMessage(view?.mayAct(data ?? undefined));
};
