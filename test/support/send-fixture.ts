import { createDispatcher } from "../../src/app/sending.ts";
import { draftRoutes } from "../../src/features/drafts/routes.ts";
import type { Send as SendView } from "../../src/features/sends/model.ts";
import { sendRoutes } from "../../src/features/sends/routes.ts";
import { usageRoutes } from "../../src/features/usage/routes.ts";
import type { Connection } from "../../src/mailbox/accounts/tables.ts";
import { createMailbox, type Mailbox } from "../../src/mailbox/mailbox.ts";
import { createOutbound, type Outbound } from "../../src/outbound/outbound.ts";
import { type DispatchParts, SETTLE_JOB, STORE_JOB } from "../../src/outbound/sends/dispatch.ts";
import { DISPATCH_JOB } from "../../src/outbound/sends/store.ts";
import { JobRunner } from "../../src/platform/jobs/runner.ts";
import type { SubmitResult } from "../../src/wire/smtp/result.ts";
import type { OutgoingMessage } from "../../src/wire/smtp/session.ts";
import { createHarness, type Harness, type HarnessOptions } from "./http-harness.ts";
import { type SeededMailbox, seedMailbox } from "./seed-mail.ts";

/** A mailbox that can send, and the routes of drafts and sends. Nothing is dispatched until the test starts it. */
export interface SendFixture {
  h: Harness;
  mailbox: Mailbox;
  outbound: Outbound;
  seeded: SeededMailbox;
  /** Returns events of the harness's user by name, oldest first. */
  events(name: string): unknown[];
  /** Starts to dispatch due sends, with `submit` as the mail server. */
  dispatch(submit: Submit): JobRunner;
  /** Advances the clock and waits until everything due is done. */
  advance(ms: number): Promise<void>;
  /** Returns one send as the API shows it. */
  view(send_id: string): Promise<SendView>;
  /** Calls a send route with a fresh Idempotency-Key. */
  send(path: string, body: unknown, key?: string): ReturnType<Harness["call"]>;
}

export type Submit = DispatchParts["submit"];

export const ACCEPTED: SubmitResult = { outcome: "accepted", response: "250 2.0.0 Ok", rejected: [] };

/** A mail server that accepts everything and records it. */
export function acceptsAll(taken: OutgoingMessage[] = []): Submit {
  return async (_account, _login, message) => {
    await message.beforeEnd?.();
    taken.push(message);
    return ACCEPTED;
  };
}

export const NOWHERE: Connection = {
  imap: { host: "127.0.0.1", port: 1, security: "none" },
  smtp: { host: "127.0.0.1", port: 1, security: "none" },
  username: "ada",
  password: "secret",
};

export function createSendFixture(options: HarnessOptions = {}): SendFixture {
  let mailbox!: Mailbox;
  let outbound!: Outbound;
  const h = createHarness({
    ...options,
    routes: (platform) => {
      mailbox = createMailbox(platform);
      outbound = createOutbound(platform, mailbox);
      const { accounts } = mailbox;
      return [
        ...draftRoutes({ accounts, drafts: outbound.drafts, files: outbound.draftFiles }),
        ...sendRoutes(outbound),
        ...usageRoutes(platform, outbound.sends),
      ];
    },
  });
  const seeded = seedMailbox(h.platform, h.user.id, { mailbox, connection: NOWHERE });
  let runner: JobRunner | null = null;
  return {
    h,
    mailbox,
    outbound,
    seeded,
    events: (name) =>
      h.platform.events
        .after(h.user.id, 0, 10_000)
        .filter(({ event }) => event === name)
        .map(({ data }) => data),
    dispatch(submit) {
      const { platform, clock } = h;
      const dispatcher = createDispatcher(platform, mailbox, outbound, { submit });
      dispatcher.resume();
      const handlers = {
        [DISPATCH_JOB]: dispatcher.handler,
        [SETTLE_JOB]: dispatcher.settleHandler,
        [STORE_JOB]: dispatcher.storeHandler,
      };
      runner = new JobRunner(platform.jobs, clock, platform.log, handlers);
      runner.start();
      return runner;
    },
    async advance(ms) {
      h.clock.advance(ms);
      await runner?.idle();
    },
    view: async (send_id) => (await h.call("GET", `/sends/${send_id}`)).json,
    send: (path, body, key = crypto.randomUUID()) =>
      h.call("POST", path, { body, headers: { "Idempotency-Key": key } }),
  };
}
