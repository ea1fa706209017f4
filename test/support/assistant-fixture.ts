import { createAi } from "../../src/app/ai.ts";
import { openMcp } from "../../src/app/mcp.ts";
import { type OAuthOutside, openOAuth } from "../../src/app/oauth.ts";
import { createPeople } from "../../src/app/people.ts";
import { ApiGuard } from "../../src/http/guard/api-guard.ts";
import type { Scope } from "../../src/kernel/scopes.ts";
import { createMailbox, type Mailbox } from "../../src/mailbox/mailbox.ts";
import { createOutbound } from "../../src/outbound/outbound.ts";
import { allAppRoutes } from "./all-app-routes.ts";
import { allRoutes } from "./all-routes.ts";
import { type Answer, type Browser, createHarness, type Harness, type HarnessOptions } from "./http-harness.ts";

export const BASE = "http://localhost";
export const RESOURCE = `${BASE}/mcp`;
export const REDIRECT_URI = "http://127.0.0.1:7777/callback";

export interface Consent {
  scopes?: Scope[];
  account_id?: string | null;
  sandbox?: boolean;
  deny?: true;
}

/** A browser window: its cookies by name, and the requests that it makes. */
export interface Window {
  cookies: Map<string, string>;
  go(url: string, init?: RequestInit): Promise<Response>;
}

/** The tool server with its authorization server, and a person in a browser. */
export interface AssistantFixture {
  h: Harness;
  mailbox: Mailbox;
  ada: Browser;
  /** For the clients of the SDKs. */
  fetch: (url: string | URL, init?: RequestInit) => Promise<Response>;
  /** @param cookies of an earlier window, to continue in it after a restart @param by who is signed in there; Ada */
  window(cookies?: Map<string, string>, by?: Browser): Window;
  /** Opens an authorization URL. @returns the id of the consent, which the page would show */
  begin(url: string | URL, window: Window): Promise<string>;
  /** Calls a path of a consent as the page would, with the window's cookies. */
  consent(method: string, path: string, window: Window, options?: { by?: Browser; body?: object }): Promise<Answer>;
  /** Opens an authorization URL and decides. @returns the client's redirect URI with its parameters */
  authorize(url: string | URL, decision?: Consent, window?: Window): Promise<URL>;
  call(token: string | null, method?: string, params?: object): Promise<Answer>;
}

export function assistantFixture(options: HarnessOptions = {}, outside: OAuthOutside = {}): AssistantFixture {
  let mailbox!: Mailbox;
  const h = createHarness({
    routes: allRoutes,
    appRoutes: allAppRoutes,
    assistants: (platform, routes) => {
      mailbox = createMailbox(platform);
      const outbound = createOutbound(platform, mailbox);
      const guard = new ApiGuard(platform);
      const people = createPeople(platform, mailbox);
      const { draftReview } = createAi({ platform, mailbox, outbound, people });
      const mcp = openMcp({ platform, mailbox, outbound, people, guard, routes, draftReview });
      return { guard, pages: openOAuth(platform, outside), bearerPages: mcp.pages };
    },
    ...options,
    config: { "mcp.enabled": true, ...options.config },
  });
  const fetch: AssistantFixture["fetch"] = (url, init) => h.pipeline.fetch(new Request(url, init));
  const ada = h.session();
  const window: AssistantFixture["window"] = (cookies = new Map(), by = ada) => {
    return {
      cookies,
      async go(url, init = {}) {
        const headers = new Headers(init.headers);
        headers.append("cookie", [by.cookie, cookieHeader(cookies)].filter(Boolean).join("; "));
        const response = await fetch(url, { ...init, headers, redirect: "manual" });
        for (const cookie of response.headers.getSetCookie()) {
          const [name, value] = cookie.split(";")[0]!.split(/=(.*)/s) as [string, string];
          if (value === "") cookies.delete(name);
          else cookies.set(name, value);
        }
        return response;
      },
    };
  };
  const begin: AssistantFixture["begin"] = async (url, at) => {
    const response = await at.go(String(url));
    const location = response.headers.get("location") ?? "";
    const uid = /^[^#]*\/app\/#\/assistants\/consent\?uid=([\w-]+)$/.exec(location)?.[1];
    if (!uid) throw new Error(`no consent: ${response.status} ${location} ${await response.text()}`);
    return uid;
  };
  const consent: AssistantFixture["consent"] = (method, path, at, { by = ada, body } = {}) => {
    const headers = { Cookie: [by.cookie, cookieHeader(at.cookies)].filter(Boolean).join("; ") };
    return by.call(method, `/assistants/consents/${path}`, { headers, body });
  };
  return {
    h,
    get mailbox() {
      return mailbox;
    },
    ada,
    fetch,
    window,
    begin,
    consent,
    async authorize(url, { deny, ...given } = {}, at = window()) {
      const uid = await begin(url, at);
      const shown = await consent("GET", uid, at);
      const scopes = given.scopes ?? shown.json.permissions.flatMap((group: { scopes: Scope[] }) => group.scopes);
      const answer = deny
        ? await consent("POST", `${uid}/deny`, at)
        : await consent("POST", `${uid}/approve`, at, { body: { ...given, scopes } });
      if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
      const response = await at.go(answer.json.redirect_to);
      const location = response.headers.get("location");
      if (!location) throw new Error(`no redirect: ${response.status} ${await response.text()}`);
      return new URL(location);
    },
    call(token, method = "tools/list", params = {}) {
      return h.call("POST", "//mcp", {
        key: token,
        headers: { Accept: "application/json, text/event-stream", "MCP-Protocol-Version": "2025-06-18" },
        body: { jsonrpc: "2.0", id: 1, method, params },
      });
    },
  };
}

function cookieHeader(cookies: ReadonlyMap<string, string>): string {
  return [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
}
