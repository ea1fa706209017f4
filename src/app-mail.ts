import { mailSteps, Pipeline } from "./inbound/pipeline.ts";
import type { Mailbox } from "./mailbox/mailbox.ts";
import type { Platform } from "./platform/platform.ts";

/** The steps that every message goes through on its way in, in flow order, after it has been threaded, sealed and stored. */
export function mailPipeline(platform: Platform, mailbox: Mailbox): Pipeline {
  const { importer, copies, labels, snooze } = mailbox;
  const steps = mailSteps({ platform, importer, labels, wake: (thread_id) => snooze.wakeOnNewMail(thread_id) });
  return new Pipeline({
    platform,
    importer,
    copies,
    labels,
    steps: [steps.correspondents, steps.wake, steps.announce],
  });
}
