import { type NotificationServices, openNotifications } from "../../src/app/notifications.ts";
import { notificationAppRoutes } from "../../src/features/notifications/app-routes.ts";
import type { Notifications } from "../../src/features/notifications/model.ts";
import type { NotificationService } from "../../src/features/notifications/service.ts";
import { createOutbound } from "../../src/outbound/outbound.ts";
import type { Pause } from "../../src/platform/acting.ts";
import type { ConfigValues } from "../../src/platform/config/table.ts";
import type { Answer, Browser, Harness } from "./http-harness.ts";
import { type HttpsReceiver, startReceiver } from "./https-receiver.ts";
import { type PeopleFixture, peopleFixture } from "./people-fixture.ts";
import { runDueJobs } from "./run-jobs.ts";

/** A person with a mailbox, and a server on loopback that receives the notifications, on a clock that the test sets. */
export interface NotificationFixture {
  p: PeopleFixture;
  h: Harness;
  me: Browser;
  receiver: HttpsReceiver;
  /** Results of the checks of the installation. */
  findings: { check: string; result: string; detail: string }[];
  /** The last backup. */
  backup: { state: string; error: string | null } | null;
  /** Adds an ntfy target. @returns its id */
  target(more?: Record<string, unknown>): Promise<string>;
  create(more?: Record<string, unknown>): Promise<Answer>;
  patch(id: string, body: Record<string, unknown>): Promise<Answer>;
  view(id: string): Promise<Notifications["targets"][number]>;
  settings(body: Record<string, unknown>): Promise<Answer>;
  /** Receives a message from a VIP. */
  vipMail(more?: Parameters<PeopleFixture["arrive"]>[0]): { message_id: string; thread_id: string };
  /** Runs everything that is due. */
  settle(): Promise<void>;
  /** Settles, advances the clock, and settles again. */
  advance(ms: number): Promise<void>;
  /** The published messages. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads bodies of both services
  sent(): any[];
  /** Replaces the running module, as another process on the same data would. @param orderly false: like a kill */
  restart(orderly?: boolean): Promise<void>;
  /** Replaces the running module by one of a paused server, whose database is read-only. */
  pause(pause: Pause): void;
  /** Ends the pause. */
  act(): void;
  close(): Promise<void>;
}

export const VIP = "vera@harbourline.example";
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;

export async function notificationFixture(
  options: { config?: Partial<ConfigValues>; role?: "owner" | "member"; allow?: string[] } = {},
): Promise<NotificationFixture> {
  const receiver = await startReceiver(null);
  receiver.behave = () => ({ status: 200, body: '{"id":"x"}' });
  let running!: NotificationServices;
  const outside: Pick<NotificationFixture, "findings" | "backup"> = { findings: [], backup: null };
  const build = () => {
    const { platform } = p.h;
    running = openNotifications({
      platform,
      mailbox: p.mailbox,
      outbound: createOutbound(platform, p.mailbox),
      people: p.people,
      examine: () => Promise.resolve(outside.findings),
      backups: () =>
        ({ state: () => ({ running: null, next_at: null, runs: outside.backup ? [outside.backup] : [] }) }) as never,
    });
    if (platform.acting.pause) running.startPaused();
    else running.start();
  };
  const current = new Proxy({} as NotificationService, {
    get: (_, name: keyof NotificationService) => running.service[name].bind(running.service),
  });
  const p = peopleFixture(() => [], {
    appRoutes: () => notificationAppRoutes(current),
    role: options.role ?? "owner",
    config: { "webhooks.allow": options.allow ?? ["127.0.0.1"], ...options.config },
  });
  build();
  // Signs in again for each call, because re-authentication lasts 15 minutes.
  const me: Browser = { ...p.h.session(), call: (...given) => p.h.session().call(...given) };
  const settle = async () => {
    // Announced work begins in the next turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    await runDueJobs(p.h.platform, running.jobs);
  };
  const change = (pause: Pause | null) => {
    running.stop();
    running.close();
    const { acting, db } = p.h.platform;
    acting.set(pause);
    db.setReadOnly(pause !== null);
    build();
  };
  const create: NotificationFixture["create"] = (more = {}) =>
    me.call("POST", "/notifications/targets", {
      body: { name: "Phone", service: "ntfy", url: receiver.origin, topic: "postroom", ...more },
    });
  await me.call("PATCH", "/notifications/settings", { body: { senders: [VIP] } });
  const fixture: NotificationFixture = Object.assign(outside, {
    p,
    h: p.h,
    me,
    receiver,
    create,
    async target(more: Record<string, unknown> = {}) {
      const { status, json, text } = await create(more);
      if (status !== 200) throw new Error(text);
      await settle();
      return json.data.id;
    },
    patch: (id: string, body: Record<string, unknown>) => me.call("PATCH", `/notifications/targets/${id}`, { body }),
    async view(id: string) {
      const { json } = await me.call("GET", "/notifications");
      return (json as Notifications).targets.find((target) => target.id === id)!;
    },
    settings: (body: Record<string, unknown>) => me.call("PATCH", "/notifications/settings", { body }),
    vipMail: (more: Parameters<PeopleFixture["arrive"]>[0] = {}) =>
      p.arrive({ from: { name: "Vera Quist", email: VIP }, ...more }),
    settle,
    async advance(ms: number) {
      await settle();
      p.h.clock.advance(ms);
      await settle();
    },
    sent: () => receiver.received.map(({ body }) => JSON.parse(body)),
    async restart(orderly = true) {
      const { db } = p.h.platform;
      const write = db.writeLazily;
      // A process that is killed writes nothing any more.
      if (!orderly) {
        db.writeLazily = () => {
          throw new Error("killed");
        };
      }
      running.stop();
      running.close();
      db.writeLazily = write;
      build();
      await settle();
    },
    pause: (pause: Pause) => change(pause),
    act: () => change(null),
    async close() {
      running.stop();
      running.close();
      await receiver.stop();
      p.h.close();
    },
  });
  return fixture;
}
