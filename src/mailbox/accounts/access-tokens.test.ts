import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { type Scratch, scratchPlatform } from "../../../test/support/scratch-platform.ts";
import { AccessTokens, NoToken, type Renew } from "./access-tokens.ts";
import { type Account, Accounts } from "./accounts.ts";
import type { Connection } from "./tables.ts";

const HOUR_MS = 3_600_000;
const SERVER = { host: "imap.gmail.com", port: 993, security: "tls" } as const;

let s: Scratch;
let account: Account;
let renewals: string[];
let renew: Renew;
let tokens: AccessTokens;

const store = (more: { expiresInMs?: number } = {}) =>
  tokens.store(account, {
    provider: "google",
    refresh_token: "refresh-1",
    access_token: "access-1",
    expires_at: s.clock.now() + (more.expiresInMs ?? HOUR_MS),
  });

beforeEach(() => {
  s = scratchPlatform();
  const accounts = new Accounts(s.platform);
  const connection: Connection = {
    imap: SERVER,
    smtp: null,
    username: "ada@gmail.com",
    password: "",
    oauth: { provider: "google", granted_at: 1 },
  };
  account = accounts.add({ user_id: s.user.id, provider: "gmail", email: "ada@gmail.com", connection });
  renewals = [];
  renew = async (_provider, refresh_token) => {
    renewals.push(refresh_token);
    return { access_token: `access-${renewals.length + 1}`, refresh_token: null, expiresInS: 3_600 };
  };
  tokens = new AccessTokens(s.platform, (...given) => renew(...given));
});
afterEach(() => s.close());

test("a token that is valid for minutes more is returned as is; one about to expire is renewed first", async () => {
  store();
  expect(await tokens.token(account)).toBe("access-1");
  s.clock.advance(HOUR_MS - 6 * 60_000);
  expect(await tokens.token(account)).toBe("access-1");
  s.clock.advance(2 * 60_000);
  expect(await tokens.token(account)).toBe("access-2");
  expect(await tokens.token(account)).toBe("access-2");
  expect(renewals).toEqual(["refresh-1"]);
});

test("a token that a server refused is renewed once, and later callers who report the old token get the new one", async () => {
  store();
  expect(await tokens.token(account, "access-1")).toBe("access-2");
  expect(await tokens.token(account, "access-1")).toBe("access-2");
  expect(renewals).toHaveLength(1);
});

test("a new refresh token replaces the old one", async () => {
  store({ expiresInMs: 0 });
  renew = async (_provider, refresh_token) => {
    renewals.push(refresh_token);
    return { access_token: `access-${renewals.length}`, refresh_token: `rotated-${renewals.length}`, expiresInS: 1 };
  };
  await tokens.token(account);
  await tokens.token(account);
  expect(renewals).toEqual(["refresh-1", "rotated-1"]);
});

test("tokens are never stored in clear", () => {
  store();
  const rows = s.platform.db.sql.query("SELECT * FROM oauth_grants").all();
  expect(
    JSON.stringify(
      rows.map((row) => Object.values(row as object).map((value) => Buffer.from(String(value)).toString())),
    ),
  ).not.toMatch(/refresh-1|access-1/);
});

describe("only one renewal runs at a time", () => {
  let release: () => void;
  beforeEach(() => {
    const gate = Promise.withResolvers<void>();
    release = gate.resolve;
    renew = async (_provider, refresh_token) => {
      renewals.push(refresh_token);
      await gate.promise;
      return { access_token: "access-2", refresh_token: "refresh-2", expiresInS: 3_600 };
    };
    store({ expiresInMs: 0 });
  });

  test("within one thread", async () => {
    const all = Promise.all(Array.from({ length: 10 }, () => tokens.token(account)));
    release();
    expect(new Set(await all)).toEqual(new Set(["access-2"]));
    expect(renewals).toEqual(["refresh-1"]);
  });

  test("across threads and processes: the others wait for the renewal in progress", async () => {
    const other = new AccessTokens(s.another(), (...given) => renew(...given));
    const first = tokens.token(account);
    const second = other.token(account);
    await Bun.sleep(0);
    expect(renewals).toEqual(["refresh-1"]);
    release();
    expect(await first).toBe("access-2");
    s.clock.advance(1_000);
    expect(await second).toBe("access-2");
    expect(renewals).toEqual(["refresh-1"]);
  });

  test("a renewal whose process died is taken over", async () => {
    void tokens.token(account).catch(() => {});
    const other = new AccessTokens(s.another(), async () => ({
      access_token: "mine",
      refresh_token: null,
      expiresInS: 3_600,
    }));
    await Bun.sleep(0);
    const waiting = other.token(account);
    s.clock.advance(46_000);
    expect(await waiting).toBe("mine");
    release();
  });
});

describe("when no token is available", () => {
  const reason = (asked: Promise<string>) => asked.then(String, (error) => (error as NoToken).reason);

  test("after access is withdrawn, the provider is not asked again until the user signs in again", async () => {
    store({ expiresInMs: 0 });
    const good = renew;
    renew = async () => {
      renewals.push("refused");
      throw new NoToken("withdrawn", "invalid_grant");
    };
    expect(await reason(tokens.token(account))).toBe("withdrawn");
    expect(await reason(tokens.token(account))).toBe("withdrawn");
    expect(renewals).toHaveLength(1);
    renew = good;
    store();
    expect(await tokens.token(account)).toBe("access-1");
  });

  test("a sign-in service that could not be reached is asked again", async () => {
    store({ expiresInMs: 0 });
    const good = renew;
    renew = async () => {
      throw new NoToken("unavailable", "503");
    };
    expect(await reason(tokens.token(account))).toBe("unavailable");
    renew = good;
    expect(await tokens.token(account)).toBe("access-2");
  });

  test("an account without a grant has no token; a password account needs none", async () => {
    expect(await reason(tokens.token(account))).toBe("withdrawn");
    const plain: Connection = { imap: SERVER, smtp: null, username: "ada", password: "pw" };
    expect(await tokens.credentials(account, plain)).toEqual({ username: "ada", password: "pw" });
  });
});
