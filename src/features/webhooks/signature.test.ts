import { describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { newSecret, signatureHeaders } from "./signature.ts";
import { verifyWebhook } from "./verify.ts";

const NOW = Date.parse("2026-03-02T09:00:00.900Z");
const SECRET = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD7nYhZ5aVqm4=";
const BODY = '{"id":"ntf_1","event":"draft.created","data":{"draft_id":"drf_1","thread_id":null}}';
const message = { id: "ntf_1", body: Buffer.from(BODY) };
const header = (secrets = [SECRET], at = NOW) => signatureHeaders(message, at, secrets)["X-Service-Signature"]!;

/** A verifier written from docs/webhooks.md ("Signatures") alone. */
function documentedCheck(rawBody: string, header: string, secret: string, nowS: number): boolean {
  const t = /(?:^|,)t=(\d+)/.exec(header)?.[1] ?? "";
  if (Math.abs(nowS - Number(t)) > 300) return false;
  const hex = createHmac("sha256", secret).update(`${t}.${rawBody}`).digest("hex");
  return header.split(",").includes(`v1=${hex}`);
}

test("secrets have the format of the documentation and of Standard Webhooks, and are unique", () => {
  const secrets = Array.from({ length: 20 }, newSecret);
  for (const secret of secrets) {
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]+=*$/);
    expect(Buffer.from(secret.slice(6), "base64").length).toBe(32);
  }
  expect(new Set(secrets).size).toBe(20);
});

test("the header has the documented form: whole seconds, lower-case hex", () => {
  expect(header()).toMatch(/^t=1772442000,v1=[0-9a-f]{64}$/);
});

describe.each([
  ["written from the documentation", documentedCheck],
  [
    "verifyWebhook",
    (body: string, sent: string, secret: string, s: number) => verifyWebhook(body, sent, secret, s * 1000),
  ],
])("a verifier %s", (_, check) => {
  const nowS = NOW / 1000;

  test("accepts what was sent", () => {
    expect(check(BODY, header(), SECRET, nowS)).toBe(true);
    expect(check(BODY, header(), SECRET, nowS + 299)).toBe(true);
    expect(check(BODY, header(), SECRET, nowS - 299)).toBe(true);
  });

  test("refuses a changed byte, an old or early timestamp, and another secret", () => {
    expect(check(BODY.replace("drf_1", "drf_2"), header(), SECRET, nowS)).toBe(false);
    expect(check(`${BODY} `, header(), SECRET, nowS)).toBe(false);
    expect(check(BODY, header(), SECRET, nowS + 302)).toBe(false);
    expect(check(BODY, header(), SECRET, nowS - 302)).toBe(false);
    expect(check(BODY, header().replace("t=1772442000", "t=1772442001"), SECRET, nowS)).toBe(false);
    expect(check(BODY, header(), newSecret(), nowS)).toBe(false);
    expect(check(BODY, header(), SECRET.slice(6), nowS)).toBe(false);
  });

  test("accepts any of several secrets", () => {
    const other = newSecret();
    for (const secret of [SECRET, other]) expect(check(BODY, header([other, SECRET]), secret, nowS)).toBe(true);
    expect(check(BODY, header([other]), SECRET, nowS)).toBe(false);
  });
});

test("verifyWebhook refuses malformed headers without throwing", () => {
  for (const bad of [
    "",
    "t=",
    "v1=",
    "t=x,v1=y",
    `t=${Math.floor(NOW / 1000)}`,
    `t=1772442000,v1=${"0".repeat(63)}`,
    ",,,",
  ]) {
    expect(verifyWebhook(BODY, bad, SECRET, NOW)).toBe(false);
  }
  expect(verifyWebhook(Buffer.from(BODY), header(), SECRET, NOW)).toBe(true);
});

describe("Standard Webhooks, verified with the reference library", () => {
  // The library uses the machine's clock, so these are signed now.
  const now = () => Date.now();

  test("accepts what was sent, and any of several secrets", () => {
    const other = newSecret();
    for (const secret of [SECRET, other]) {
      const headers = signatureHeaders(message, now(), [other, SECRET]);
      expect(new Webhook(secret).verify(BODY, headers)).toEqual(JSON.parse(BODY));
    }
  });

  test.each([
    ["a changed byte", BODY.replace("drf_1", "drf_2"), 0, SECRET],
    ["an old timestamp", BODY, -301_000, SECRET],
    ["another secret", BODY, 0, newSecret()],
  ])("refuses %s", (_, body, shiftMs, secret) => {
    const headers = signatureHeaders(message, now() + shiftMs, [SECRET]);
    expect(() => new Webhook(secret).verify(body, headers)).toThrow();
  });

  test("refuses another id", () => {
    const headers = { ...signatureHeaders(message, now(), [SECRET]), "webhook-id": "ntf_2" };
    expect(() => new Webhook(SECRET).verify(BODY, headers)).toThrow();
  });
});
