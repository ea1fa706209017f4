import { rmSync, statSync } from "node:fs";
import type { InboundStep } from "../inbound/message/arrival.ts";
import { readContents } from "../inbound/message/parsed-message.ts";
import { mailSteps, Pipeline, toIncoming } from "../inbound/message/pipeline.ts";
import type { Mailbox } from "../mailbox/mailbox.ts";
import { LocalFolder } from "../mailbox/store/local-folder.ts";
import { Bounces } from "../outbound/bounces/bounces.ts";
import { createOutbound } from "../outbound/outbound.ts";
import type { LocalDelivery } from "../outbound/sends/sent-mail.ts";
import { BlobFiles, type BlobName } from "../platform/blobs/files.ts";
import { errorFields } from "../platform/log.ts";
import type { Platform } from "../platform/platform.ts";
import { VERSION } from "../version.ts";
import { fullTextStep } from "./fulltext.ts";
import { createPeople, peopleSteps } from "./people.ts";
import { semanticStep } from "./search.ts";
import { filesStep } from "./search-files.ts";

/** Longer than a reader needs to open a file that was found. */
const SOURCE_HOLD_MS = 60_000;

/**
 * Returns the steps that every arriving message passes through, in order, after it has been threaded, sealed and
 * stored.
 */
export function mailPipeline(platform: Platform, mailbox: Mailbox): Pipeline {
  const { accounts, folders, importer, locationSync, labels, snooze } = mailbox;
  const steps = mailSteps({
    platform,
    importer,
    labels,
    wake: (thread_id) => snooze.wakeOnNewMail(thread_id),
    isSnoozed: (thread_id) => mailbox.threadQueries.current(thread_id)?.state === "snoozed",
  });
  const sending = sendingSteps(platform, mailbox);
  const people = peopleSteps(platform, createPeople(platform, mailbox));
  return new Pipeline({
    platform,
    accounts,
    folders,
    importer,
    locationSync,
    version: VERSION,
    steps: [
      steps.correspondents,
      sending.copy,
      steps.wake,
      people.rules,
      people.contacts,
      people.invitations,
      sending.bounce,
      steps.announce,
      semanticStep(platform),
      filesStep(platform, mailbox),
      // Last, because that is faster (see Steps.run).
      fullTextStep(platform, mailbox),
    ],
  });
}

/**
 * Returns the steps that relate arriving mail to sent mail: they recognize the server's own copy, and delivery status
 * notifications.
 */
function sendingSteps(platform: Platform, mailbox: Mailbox): { copy: InboundStep; bounce: InboundStep } {
  const { sends, bounces: store } = createOutbound(platform, mailbox);
  const bounces = new Bounces({ platform, sends, bounces: store });
  const files = new BlobFiles(platform);
  return {
    copy: {
      name: "the server's copy takes the place of ours",
      run: ({ target, folder, roles, imported: { message_id } }) => {
        if (!roles.includes("sent") || LocalFolder.is(folder) || !mailbox.localFolder.giveUp(message_id)) return;
        sends.markCopySeen(message_id);
        const name = { user_id: target.user_id, message_id, part: "raw" };
        // From now on the source is fetched from the server. Deleted after the commit, because a rollback must not lose
        // the only copy.
        queueMicrotask(() => {
          if (mailbox.localFolder.gaveUp(message_id)) giveUpSource(platform, files, name);
        });
      },
    },
    bounce: {
      name: "tie a delivery status notification to its send",
      run: ({ target, roles, incoming, imported, live }) => {
        if (live && !roles.includes("sent")) bounces.note(target, incoming, imported.message_id);
      },
    },
  };
}

/**
 * Drops a local source that the server also has. A reader may have it open, so the file moves to the cache first and is
 * deleted after SOURCE_HOLD_MS. If it is read within that time, it stays in the cache, which evicts files when it runs
 * out of space.
 */
function giveUpSource({ clock, log }: Platform, files: BlobFiles, name: BlobName): void {
  try {
    const path = files.demote(name);
    if (path === null) return;
    const usedAt = statSync(path).mtimeMs;
    clock.after(SOURCE_HOLD_MS, () => {
      if (statSync(path, { throwIfNoEntry: false })?.mtimeMs === usedAt) rmSync(path, { force: true });
    });
  } catch (error) {
    log.warn("a source that the server has could not be moved to the cache", errorFields(error));
    rmSync(files.path("blobs", name), { force: true });
  }
}

/** Delivers messages that were sent from here through the same pipeline. */
export function localDelivery(platform: Platform, mailbox: Mailbox): LocalDelivery {
  const pipeline = mailPipeline(platform, mailbox);
  return {
    async read(raw) {
      const { contents } = await readContents({ source: raw });
      return (at) => toIncoming(contents, at);
    },
    take: (account, folder, incoming) => void pipeline.take(account, folder, [incoming]),
  };
}
