import { act, change, type Route, read } from "../../http/route.ts";
import { isoTime } from "../../kernel/clock.ts";
import {
  NewNotificationTarget,
  NotificationSettingsPatch,
  Notifications,
  type NotificationTarget,
  NotificationTargetPatch,
  NotificationTargetReply,
} from "./model.ts";
import type { NotificationService, TargetState } from "./service.ts";

/** Returns the routes of the page "Notifications". A person's notifications never follow the sandbox switch. */
export function notificationAppRoutes(service: NotificationService): Route[] {
  const everything = (caller: Parameters<NotificationService["settings"]>[0] & { user_id: string }) => ({
    settings: service.settings(caller),
    targets: service.list(caller).map(view),
    link_base: service.linkBase(),
  });
  const id = { id: "notificationTarget" } as const;
  return [
    read({
      method: "GET",
      path: "/notifications",
      audience: "session",
      response: Notifications,
      handle: ({ caller }) => everything(caller),
    }),
    change({
      method: "PATCH",
      path: "/notifications/settings",
      audience: "session",
      body: NotificationSettingsPatch,
      response: Notifications,
      handle: ({ body, caller }) => {
        service.changeSettings(caller, body);
        return everything(caller);
      },
    }),
    change({
      method: "POST",
      path: "/notifications/targets",
      audience: "session",
      recentAuth: true,
      body: NewNotificationTarget,
      response: NotificationTargetReply,
      handle: ({ body, caller }) => ({ data: view(service.create(caller, body)) }),
    }),
    change({
      method: "PATCH",
      path: "/notifications/targets/:id",
      audience: "session",
      recentAuth: true,
      params: id,
      body: NotificationTargetPatch,
      response: NotificationTargetReply,
      handle: ({ params, body, caller }) => ({ data: view(service.update(caller, params.id, body)) }),
    }),
    change({
      method: "DELETE",
      path: "/notifications/targets/:id",
      audience: "session",
      params: id,
      handle: ({ params, caller }) => service.remove(caller, params.id),
    }),
    act({
      method: "POST",
      path: "/notifications/targets/:id/test",
      audience: "session",
      params: id,
      response: NotificationTargetReply,
      handle: async ({ params, caller, commit }) => {
        const store = await service.test(caller, params.id);
        return commit(() => ({ data: view(store()) }));
      },
    }),
  ];
}

function view({ target, waiting }: TargetState): NotificationTarget {
  const { id, address, kinds, detail, digest, digest_hours, digest_at, status, failure_count, outcome } = target;
  const { name, service, url, topic, tag, urls, credentials } = address;
  const time = (at: number | null) => (at === null ? null : isoTime(at));
  return {
    id,
    name,
    service,
    url,
    topic,
    tag,
    has_urls: urls !== "",
    auth: credentials.auth,
    username: credentials.auth === "password" ? credentials.username : "",
    kinds: kinds as NotificationTarget["kinds"],
    detail,
    digest,
    digest_hours,
    digest_at,
    status,
    failure_count,
    failing_since: time(target.streak_since),
    sent_at: time(target.sent_at),
    waiting,
    outcome: outcome && { ...outcome, at: isoTime(outcome.at) },
    created_at: isoTime(target.created_at),
  };
}
