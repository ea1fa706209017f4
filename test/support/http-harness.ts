import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { APP_HEADER } from "../../src/http/guard/app-guard.ts";
import { SESSION_COOKIE } from "../../src/http/guard/session-cookie.ts";
import type { Page } from "../../src/http/page.ts";
import { createHttpPipeline, type HttpPipeline, type HttpPipelineOptions } from "../../src/http/pipeline.ts";
import type { Connection } from "../../src/http/request-log-entry.ts";
import type { Route } from "../../src/http/route.ts";
import { APP_PREFIX } from "../../src/http/table.ts";
import type { Plan } from "../../src/kernel/plans.ts";
import { SCOPES, type Scope } from "../../src/kernel/scopes.ts";
import { ManualClock } from "../../src/platform/clock.ts";
import { loadConfig, withValues } from "../../src/platform/config/load.ts";
import type { ConfigValues } from "../../src/platform/config/table.ts";
import type { NewKey } from "../../src/platform/identity/keys.ts";
import type { User } from "../../src/platform/identity/users.ts";
import { createLog } from "../../src/platform/log.ts";
import type { MetricSource } from "../../src/platform/metrics.ts";
import { openPlatform, type Platform } from "../../src/platform/platform.ts";

export interface HarnessOptions {
  routes?: (platform: Platform) => Route[];
  /** Paths of the settings page, under /app/api; call them with `session()`. */
  appRoutes?: (platform: Platform) => Route[];
  pages?: Page[];
  /** The tool server and its authorization server, which call the given routes. */
  assistants?: (platform: Platform, routes: Route[]) => Pick<HttpPipelineOptions, "guard" | "pages" | "bearerPages">;
  metrics?: MetricSource[];
  config?: Partial<ConfigValues>;
  plan?: Plan;
  /** Role of the user, `member` by default. */
  role?: "owner" | "member";
  /** An existing data folder, for tests that stop and restart; the caller removes it. */
  data_dir?: string;
}

export interface CallOptions {
  /** The secret. Absent: the harness's own key with all scopes. Null: no Authorization header. */
  key?: string | null;
  /** Sent as JSON, unless it is a string, bytes or FormData. */
  body?: unknown;
  headers?: Record<string, string>;
  peer?: string;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed body; undefined when it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads answers of every shape
  json: any;
}

/** A signed-in browser: it sends its cookie and the headers of the page's own requests. */
export interface Browser {
  user: User;
  sessionId: string;
  /** "postroom_session=…" */
  cookie: string;
  /** Calls a path under /app/api, or an absolute path that starts with "//", such as "//v1/threads". */
  call(method: string, path: string, options?: Omit<CallOptions, "key">): Promise<Answer>;
}

/** A real platform in its own folder, a clock that stays at one time, and the HTTP pipeline as a client sees it. */
export interface Harness {
  platform: Platform;
  clock: ManualClock;
  pipeline: HttpPipeline;
  /** A user on the chosen plan, autopilot by default. */
  user: User;
  /** A live key of `user` with all scopes. */
  key: string;
  /** Lines of the log, JSON. */
  log: string[];
  /** Calls a path under /v1, or an absolute path that starts with "//", such as "//healthz". */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** Like `call`, for streams and raw bodies. */
  fetch(method: string, path: string, options?: CallOptions): Promise<Response>;
  newKey(options?: Partial<NewKey>): { id: string; secret: string };
  newUser(email: string, plan?: Plan): User;
  /** Signs a user in: the harness's own, or another one, who is added first if necessary. */
  session(email?: string, role?: "owner" | "member"): Browser;
  close(): void;
}

export function createHarness(options: HarnessOptions = {}): Harness {
  const data_dir = options.data_dir ?? mkdtempSync(join(tmpdir(), "postroom-http-"));
  const clock = new ManualClock();
  const log: string[] = [];
  const config = withValues(loadConfig({ data_dir, env: {} }), options.config ?? {});
  const platform = openPlatform({
    config,
    clock,
    passwordCost: { memoryCost: 1_024, timeCost: 2 },
    log: createLog({ level: "debug", format: "json", clock, write: (line) => log.push(line) }),
  });
  const newUser = (email: string, plan: Plan = "autopilot", role: "owner" | "member" = "member") =>
    platform.users.findByEmail(email) ?? platform.users.add({ email, plan, role, timezone: "UTC" });
  const user = newUser("ada@example.org", options.plan, options.role);
  const newKey = (more: Partial<NewKey> = {}) => {
    const test = more.test ?? false;
    const user_id = more.user_id ?? (test ? platform.users.sandboxOf(user.id).id : user.id);
    const scopes: Scope[] = more.scopes ?? [...SCOPES];
    const made = platform.keys.create({ name: "test", ...more, user_id, scopes, test });
    return { id: made.key.id, secret: made.secret };
  };
  const key = newKey().secret;
  const close = () => {
    platform.close();
    if (!options.data_dir) rmSync(data_dir, { recursive: true, force: true });
  };
  const pipeline = orElse(close, () => {
    const routes = options.routes?.(platform) ?? [];
    return createHttpPipeline({
      platform,
      routes,
      appRoutes: options.appRoutes?.(platform),
      pages: options.pages,
      metrics: options.metrics,
      version: "0.0.0-test",
      checkReplies: true,
      ...options.assistants?.(platform, routes),
    });
  });
  const send: Harness["fetch"] = (method, path, call = {}) => {
    const headers = new Headers(call.headers);
    const secret = call.key === undefined ? key : call.key;
    if (secret !== null) headers.set("Authorization", `Bearer ${secret}`);
    const raw =
      call.body === undefined ||
      typeof call.body === "string" ||
      call.body instanceof FormData ||
      call.body instanceof Uint8Array;
    const body = raw
      ? (call.body as string | FormData | Uint8Array<ArrayBuffer> | undefined)
      : JSON.stringify(call.body);
    if (!raw && !headers.has("Content-Type")) headers.set("Content-Type", "application/json");
    // A single letter as the host would confuse Elysia's search for the path.
    const url = `http://localhost${path.startsWith("//") ? path.slice(1) : `/v1${path}`}`;
    const connection: Connection | undefined = call.peer ? { peer: call.peer, keepOpen: () => {} } : undefined;
    return pipeline.fetch(new Request(url, { method, headers, body }), connection);
  };
  const call: Harness["call"] = async (method, path, options) => {
    const response = await send(method, path, options);
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: isJson && text !== "" ? JSON.parse(text) : undefined,
    };
  };
  return {
    platform,
    clock,
    pipeline,
    user,
    key,
    log,
    fetch: send,
    call,
    newKey,
    newUser,
    session(email = user.email, role) {
      const person = newUser(email, undefined, role);
      const about = { user_id: person.id, method: "password", address: "127.0.0.1", user_agent: "test" } as const;
      const { session, token } = platform.sessions.create(about);
      const cookie = `${SESSION_COOKIE}=${token}`;
      return {
        user: person,
        sessionId: session.id,
        cookie,
        call: (method, path, { headers, ...more } = {}) =>
          call(method, path.startsWith("//") ? path : `//${APP_PREFIX.slice(1)}${path}`, {
            ...more,
            key: null,
            headers: { Cookie: cookie, [APP_HEADER]: "1", ...headers },
          }),
      };
    },
    close() {
      pipeline.close();
      close();
    },
  };
}

/** Building the HTTP pipeline throws on invalid routes; nothing may be left behind then. */
function orElse<T>(undo: () => void, make: () => T): T {
  try {
    return make();
  } catch (error) {
    undo();
    throw error;
  }
}
