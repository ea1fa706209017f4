import { generateSync } from "otplib";
import { Auth } from "../../src/features/auth/auth.ts";
import { authPages } from "../../src/features/auth/pages.ts";
import { authAppRoutes } from "../../src/features/auth/routes.ts";
import { APP_HEADER } from "../../src/http/guard/app-guard.ts";
import type { User } from "../../src/platform/identity/users.ts";
import { type Answer, type CallOptions, createHarness, type Harness, type HarnessOptions } from "./http-harness.ts";

export const SETUP_TOKEN = "abcde-fghjk-mnpqr-stuvw";
export const PASSWORD = "a quiet morning in May";

/** A browser with a cookie jar, before the first-run setup of an installation. */
export interface Visitor {
  jar: Map<string, string>;
  /** Calls a path under /app/api; a path that starts with "//" is absolute. */
  call(method: string, path: string, options?: Omit<CallOptions, "key">): Promise<Answer>;
  user(): Promise<{ id: string; email: string; role: string; timezone: string } | null>;
}

export interface AuthFixture {
  h: Harness;
  auth: Auth;
  owner: User;
  keysMoved: number;
  visitor(peer?: string): Visitor;
  setUp(visitor: Visitor, more?: Record<string, unknown>): Promise<Answer>;
  signIn(visitor: Visitor, more?: Record<string, unknown>): Promise<Answer>;
  /** Returns the code that the authenticator app shows now. */
  codeOf(secret: string): string;
  audit(action: string): unknown[];
  close(): void;
}

export function authFixture(options: HarnessOptions = {}): AuthFixture {
  let auth: Auth | undefined;
  const counters = { keysMoved: 0 };
  const given = options.pages ?? [];
  const h = createHarness({
    ...options,
    appRoutes: (platform) => {
      platform.users.add({ email: "owner@localhost", plan: "autopilot", role: "owner", timezone: "UTC" });
      auth = new Auth({
        platform,
        version: "0.0.0-test",
        setupToken: SETUP_TOKEN,
        onKeyMoved: () => {
          counters.keysMoved++;
        },
      });
      given.push(...authPages(auth));
      return authAppRoutes(auth);
    },
    pages: given,
  });
  const owner = h.platform.users.findByEmail("owner@localhost")!;
  const visitor = (peer = "192.0.2.7"): Visitor => {
    const jar = new Map<string, string>();
    const call: Visitor["call"] = async (method, path, { headers, ...more } = {}) => {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
      const answer = await h.call(method, path.startsWith("//") ? path : `//app/api${path}`, {
        peer,
        ...more,
        key: null,
        headers: { [APP_HEADER]: "1", ...(cookie && { Cookie: cookie }), ...headers },
      });
      keepCookies(jar, answer.headers);
      return answer;
    };
    return { jar, call, user: async () => (await call("GET", "/state")).json.user };
  };
  return Object.assign(counters, {
    h,
    auth: auth!,
    owner,
    visitor,
    setUp: (browser: Visitor, more = {}) =>
      browser.call("POST", "/setup", {
        body: {
          token: SETUP_TOKEN,
          email: "ada@home.example",
          password: PASSWORD,
          timezone: "Europe/Lisbon",
          custody: "key_file",
          ...more,
        },
      }),
    signIn: (browser: Visitor, more = {}) =>
      browser.call("POST", "/sign-in", { body: { email: "ada@home.example", password: PASSWORD, ...more } }),
    codeOf: (secret: string) => generateSync({ secret, epoch: Math.floor(h.clock.now() / 1000) }),
    audit: (action: string) => h.platform.audit.list(owner.id, { limit: 99, action }).map(({ after }) => after),
    close: () => h.close(),
  });
}

/** Stores cookies as a browser does. Ignores expiry, except for cookies that are deleted. */
export function keepCookies(jar: Map<string, string>, headers: Headers): void {
  for (const line of headers.getSetCookie()) {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
    if (/Max-Age=0\b/.test(line)) jar.delete(name!);
    else jar.set(name!, value!);
  }
}
