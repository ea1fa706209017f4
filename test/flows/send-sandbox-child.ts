/** Sends with a test key in a process in which every network call throws, and prints the result. */
import { Socket } from "node:net";
import { apiRoutes } from "../../src/app/routes.ts";
import { seed } from "../../src/app/sandbox.ts";
import { createDispatcher } from "../../src/app/sending.ts";
import { createMailbox } from "../../src/mailbox/mailbox.ts";
import type { ContentSource } from "../../src/mailbox/store/content-source.ts";
import { createOutbound } from "../../src/outbound/outbound.ts";
import { SETTLE_JOB } from "../../src/outbound/sends/dispatch.ts";
import { DISPATCH_JOB } from "../../src/outbound/sends/store.ts";
import { JobRunner } from "../../src/platform/jobs/runner.ts";
import { SmtpPool } from "../../src/wire/smtp/pool.ts";
import { idleWebhooks } from "../support/all-routes.ts";
import { createHarness } from "../support/http-harness.ts";

let attempts = 0;
const refuse = (): never => {
  attempts++;
  throw new Error("There is no network here.");
};
Socket.prototype.connect = refuse;
Bun.connect = refuse;
globalThis.fetch = Object.assign(async () => refuse(), { preconnect: refuse });

let parts!: { mailbox: ReturnType<typeof createMailbox>; outbound: ReturnType<typeof createOutbound> };
const h = createHarness({
  routes: (platform) => {
    const mailbox = createMailbox(platform);
    parts = { mailbox, outbound: createOutbound(platform, mailbox) };
    return apiRoutes(platform, mailbox, parts.outbound, {} as ContentSource, idleWebhooks(platform));
  },
});
const { platform, clock, user } = h;
const sandbox = platform.users.sandboxOf(user.id);
await seed(platform, parts.mailbox, sandbox.id);
const smtp = new SmtpPool({ clock });
const dispatcher = createDispatcher(platform, parts.mailbox, parts.outbound, smtp);
const handlers = { [DISPATCH_JOB]: dispatcher.handler, [SETTLE_JOB]: dispatcher.settleHandler };
const runner = new JobRunner(platform.jobs, clock, platform.log, handlers);
runner.start();

const { secret: key } = h.newKey({ test: true });
const body = { to: ["maria@acme.example"], subject: "Round and back", body: "Do I hear myself?" };
const headers = { "Idempotency-Key": "one" };
const { json } = await h.call("POST", "/messages/send", { key, headers, body });
clock.advance(10_000);
await runner.idle();
const send = (await h.call("GET", `/sends/${json.send_id}`, { key })).json;
const thread = (await h.call("GET", `/threads/${send.thread_id}`, { key })).json;
const inbox = (await h.call("GET", "/threads?limit=1", { key })).json.data[0];
const events = platform.events.after(sandbox.id, 0, 100).map(({ event }) => event);
console.log(JSON.stringify({ attempts, status: send.status, state: thread.state, newest: inbox.subject, events }));
h.close();
process.exit(0);
