import type { Route } from "../../src/http/route.ts";
import { ModelFault } from "../../src/ml/language-model/faults.ts";
import type { Platform } from "../../src/platform/platform.ts";
import type { Found } from "../../src/wire/autoconfig/found.ts";
import { TokenFault } from "../../src/wire/oauth/token.ts";
import { problem } from "../../src/wire/problems.ts";
import { allAppRoutes } from "../support/all-app-routes.ts";

const SERVERS = {
  imap: { host: "imap.home.example", port: 993, security: "tls" },
  smtp: { host: "smtp.home.example", port: 465, security: "tls" },
} as const;

/**
 * The settings page's own paths without external services: generated names of servers must not be looked up, let alone
 * contacted. Logins succeed for users with a long name, and are refused to others.
 */
export function offlineAppRoutes(platform: Platform): Route[] {
  const silent = () => Promise.reject(new ModelFault("unreachable", "no connection"));
  return allAppRoutes(platform, {
    connecting: {
      discover: async (email) => (email.includes("@") ? foundFor(email) : null),
      testLogins: async ({ username, smtp }) => {
        const test =
          username.length > 8 ? { ok: true, problem: null } : { ok: false, problem: problem("login_refused") };
        return { imap: test, smtp: smtp && test, provider: "imap" };
      },
      redeem: async (_provider, _client, { code }) => {
        if (code.length < 8) throw new TokenFault("unavailable", "no connection");
        return { access_token: code, refresh_token: code, expiresInS: 3_600 };
      },
    },
    ask: silent,
  });
}

const foundFor = (email: string): Found => ({
  name: "Home",
  source: "autoconfig",
  ...SERVERS,
  username: email,
  methods: ["password"],
  oauth: null,
  advice: null,
});
