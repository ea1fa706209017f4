import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { type AuthFixture, authFixture, PASSWORD, type Visitor } from "../../../test/support/auth-fixture.ts";
import type { Answer } from "../../../test/support/http-harness.ts";

// Password hashing is slow on purpose, and slower on a busy machine.
setDefaultTimeout(30_000);
let s: AuthFixture;
let ada: Visitor;
let secret: string;
let backup_codes: string[];

beforeEach(async () => {
  s = authFixture();
  ada = s.visitor();
  await s.setUp(ada);
  const begun = await ada.call("POST", "/totp");
  secret = begun.json.secret;
  expect(begun.json.uri).toStartWith("otpauth://totp/Postroom:ada%40home.example?");
  expect(begun.json.qr_svg).toStartWith("<svg");
  const confirmed = await ada.call("POST", "/totp/confirm", { body: { code: s.codeOf(secret) } });
  backup_codes = confirmed.json.backup_codes;
  s.h.clock.advance(60_000);
});
afterEach(() => s.close());

const code = ({ status, json }: Answer) => [status, json?.error?.code];
const signIn = (totp?: string, visitor = s.visitor()) => s.signIn(visitor, totp === undefined ? {} : { totp });

describe("an authenticator app", () => {
  test("is asked for only after the right password", async () => {
    expect(code(await signIn())).toEqual([401, "totp_required"]);
    expect(code(await s.signIn(s.visitor(), { password: "wrong wrong wrong" }))).toEqual([401, "sign_in_refused"]);
    expect((await signIn(s.codeOf(secret))).status).toBe(204);
  });

  test("the request for a code is not a failure, so a slow person is not throttled", async () => {
    for (let i = 0; i < 9; i++) expect(code(await signIn())).toEqual([401, "totp_required"]);
  });

  test("shows codes that are valid once, so a code read over the shoulder is useless", async () => {
    const seen = s.codeOf(secret);
    expect((await signIn(seen)).status).toBe(204);
    expect(code(await signIn(seen))).toEqual([401, "sign_in_refused"]);
    s.h.clock.advance(30_000);
    expect(code(await signIn(seen))).toEqual([401, "sign_in_refused"]);
    expect((await signIn(s.codeOf(secret))).status).toBe(204);
  });

  test("does not accept the code that turned it on, nor one that is a minute old", async () => {
    const old = s.codeOf(secret);
    s.h.clock.advance(61_000);
    expect(code(await signIn(old))).toEqual([401, "sign_in_refused"]);
  });

  test("lets only one of two concurrent sign-ins with the same code succeed", async () => {
    const seen = s.codeOf(secret);
    const answers = await Promise.all([signIn(seen), signIn(seen)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 401]);
  });

  test("cannot be guessed, because wrong codes are throttled like wrong passwords", async () => {
    const mallory = s.visitor("203.0.113.9");
    for (let i = 0; i < 5; i++) expect(code(await signIn("000000", mallory))).toEqual([401, "sign_in_refused"]);
    expect(code(await signIn(s.codeOf(secret), mallory))).toEqual([429, "too_many_attempts"]);
  });

  test("is turned off only with the password", async () => {
    expect(code(await ada.call("DELETE", "/totp", { body: { password: "wrong wrong wrong" } }))).toEqual([
      401,
      "sign_in_refused",
    ]);
    expect((await ada.call("GET", "/totp")).json).toEqual({ on: true, backup_codes_left: 10 });
    expect((await ada.call("DELETE", "/totp", { body: { password: PASSWORD } })).status).toBe(204);
    expect((await signIn()).status).toBe(204);
  });

  test("that is not yet confirmed is not asked for, and a wrong code does not confirm it", async () => {
    await ada.call("DELETE", "/totp", { body: { password: PASSWORD } });
    await ada.call("POST", "/totp");
    expect((await ada.call("POST", "/totp/confirm", { body: { code: "123456" } })).json.error.param).toBe("code");
    expect((await signIn()).status).toBe(204);
  });

  test("that is on cannot be replaced with a session alone", async () => {
    expect(code(await ada.call("POST", "/totp"))).toEqual([400, "invalid_params"]);
    expect((await signIn(s.codeOf(secret))).status).toBe(204);
  });
});

describe("a backup code", () => {
  test("replaces the app, once each, in any notation", async () => {
    expect(new Set(backup_codes).size).toBe(10);
    const typed = `${backup_codes[0]!.slice(0, 5)}-${backup_codes[0]!.slice(5)}`.toUpperCase();
    expect((await signIn(typed)).status).toBe(204);
    expect(code(await signIn(backup_codes[0]))).toEqual([401, "sign_in_refused"]);
    expect((await ada.call("GET", "/totp")).json.backup_codes_left).toBe(9);
    expect(s.audit("totp.backup_code")).toEqual([{ left: 9 }]);
  });
});

test("an invitation sets a new password but does not bypass the app", async () => {
  const { token } = s.h.platform.invitations.create(s.owner.id);
  const answer = await s.visitor().call("POST", "/invitation", { body: { token, password: "a new and long one" } });
  expect(answer.json).toEqual({ signed_in: false });
  expect(code(await s.signIn(s.visitor(), { password: "a new and long one" }))).toEqual([401, "totp_required"]);
  expect(await ada.user()).toBeNull();
});
