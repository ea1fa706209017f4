import { APP_HEADER } from "../../src/http/guard/app-guard.ts";
import { SESSION_COOKIE } from "../../src/http/guard/session-cookie.ts";
import type { Route } from "../../src/http/route.ts";
import { APP_PREFIX } from "../../src/http/table.ts";
import type { IdKind } from "../../src/kernel/ids.ts";
import { allRoutes } from "../support/all-routes.ts";
import { type Answer, createHarness, type Harness } from "../support/http-harness.ts";
import { MemoryContent } from "../support/memory-content.ts";
import { offlineAppRoutes } from "./offline-app-routes.ts";
import { idsOf } from "./own-paths.ts";
import { createObjects, gather } from "./populate.ts";

const FREE_OF_LIMITS = {
  "limits.requests_per_minute_session": 1_000_000_000,
  "limits.requests_per_minute_key": 1_000_000_000,
  "limits.requests_per_minute_user": 1_000_000_000,
  "limits.requests_per_minute_ip": 1_000_000_000,
  "limits.autopilot.requests_per_day": 1_000_000_000,
  "limits.autopilot.sends_per_day": 1_000_000_000,
  "limits.new_key_sends_per_day": 1_000_000_000,
  "limits.autopilot.webhook_endpoints": 1_000,
  "limits.team.requests_per_day": 1_000_000_000,
  "limits.team.sends_per_day": 1_000_000_000,
  "limits.team.webhook_endpoints": 1_000,
  "webhooks.allow": ["hooks.example"],
};

/** Less than the time for which a sign-in counts as recent. */
const SIGNED_IN_MS = 10 * 60_000;
const BETWEEN_MS = 3_000;
const PASSWORD = "a quiet morning in May";

/** One of two people who have nothing in common. */
export interface Person {
  name: string;
  user_id: string;
  key: string;
  /** Words that only they know: their password and address. */
  words: string[];
  /** A word that occurs in everything of theirs, and nowhere else. */
  canary: string;
  /** Their objects, by kind. */
  ids: Map<IdKind, string[]>;
  /** Cursors of their lists. */
  cursors: { route: Route; cursor: string }[];
}

interface Sent {
  body?: unknown;
  headers?: Record<string, string>;
}

export interface TwoPeople {
  h: Harness;
  routes: Route[];
  ada: Person;
  eve: Person;
  /** Ada makes requests as the owner of the installation. */
  ada_owns: boolean;
  /** Makes a request as this person: with their key under /v1, with their session under /app/api. */
  send(person: Person, method: string, path: string, request: Sent): Promise<Answer>;
  /** The same with a separate Idempotency-Key. */
  call(person: Person, method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  close(): void;
}

/**
 * Creates two people with something of every kind each, over the API as far as possible.
 * @param audience "api": they use /v1; "app": the settings page's own paths, Ada being the owner
 */
export async function createTwoPeople(audience: "api" | "app" = "api"): Promise<TwoPeople> {
  const content = new MemoryContent();
  const h = createHarness({
    routes: (platform) => allRoutes(platform, content),
    appRoutes: audience === "app" ? offlineAppRoutes : undefined,
    config: { ...FREE_OF_LIMITS, "mcp.enabled": true },
  });
  const apiRoutes = allRoutes(h.platform);
  const people = ["ada", "eve"].map((name): Person => {
    const role = name === "ada" && audience === "app" ? "owner" : "member";
    const user = h.platform.users.add({ email: `${name}@fuzz.example`, plan: "autopilot", role, timezone: "UTC" });
    const canary = `${name}canary${crypto.randomUUID().slice(0, 8)}`;
    const { secret: key } = h.newKey({ user_id: user.id });
    return { name, user_id: user.id, key, words: [user.email, PASSWORD], canary, ids: new Map(), cursors: [] };
  }) as [Person, Person];
  const withKey: TwoPeople["send"] = ({ key }, method, path, sent) => h.call(method, path, { key, ...sent });
  for (const person of people) {
    await createObjects(h, apiRoutes, idempotent(withKey), person);
    // Mail on the mail server.
    for (const id of [...idsOf(person, "message"), ...idsOf(person, "attachment")]) {
      content.files.set(id, Buffer.from(`${person.canary} in a file`));
    }
  }
  const [ada, eve] = people;
  const common = { h, ada, eve, ada_owns: audience === "app", close: () => h.close() };
  if (audience === "api") return { ...common, routes: apiRoutes, send: withKey, call: idempotent(withKey) };
  const routes = offlineAppRoutes(h.platform);
  const { passwords } = h.platform.signIn;
  for (const { user_id } of people) passwords.store(user_id, await passwords.hash(PASSWORD));
  const send = browsers(h);
  const client = { client_id: "postroom", client_secret: "a secret of the owner's" };
  await idempotent(send)(ada, "PUT", "/oauth-clients/google", client);
  for (const person of people) {
    person.cursors = [];
    await gather(routes, idempotent(send), person);
  }
  return { ...common, routes, send, call: idempotent(send) };
}

/**
 * People at their browsers, who sign in again after some minutes, or when they were signed out. Time passes between
 * requests.
 */
function browsers({ platform, clock, call }: Harness): TwoPeople["send"] {
  const open = new Map<string, { token: string; since: number }>();
  const tokenOf = ({ user_id }: Person): string => {
    const known = open.get(user_id);
    if (known && platform.sessions.find(known.token) && clock.now() - known.since < SIGNED_IN_MS) return known.token;
    const about = { user_id, method: "password", address: "127.0.0.1", user_agent: "fuzz" } as const;
    const { token } = platform.sessions.create(about);
    open.set(user_id, { token, since: clock.now() });
    return token;
  };
  return (person, method, path, { body, headers }) => {
    clock.advance(BETWEEN_MS);
    const cookie = `${SESSION_COOKIE}=${tokenOf(person)}`;
    const sent = { Cookie: cookie, [APP_HEADER]: "1", ...headers };
    return call(method, `/${APP_PREFIX}${path}`, { key: null, body, headers: sent });
  };
}

const idempotent =
  (send: TwoPeople["send"]): TwoPeople["call"] =>
  (person, method, path, body, headers = {}) =>
    send(person, method, path, { body, headers: { "Idempotency-Key": crypto.randomUUID(), ...headers } });
