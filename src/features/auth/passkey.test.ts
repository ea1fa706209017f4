import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { type AuthFixture, authFixture, type Visitor } from "../../../test/support/auth-fixture.ts";
import { Authenticator } from "../../../test/support/authenticator.ts";

const ORIGIN = "http://localhost";
// Password hashing is slow on purpose, and slower on a busy machine.
setDefaultTimeout(30_000);
let s: AuthFixture;
let ada: Visitor;
let device: Authenticator;

beforeEach(async () => {
  s = authFixture();
  ada = s.visitor();
  await s.setUp(ada);
  device = new Authenticator();
});
afterEach(() => s.close());

const optionsFor = async (path: string, visitor: Visitor) => (await visitor.call("POST", path)).json;

async function register(origin = ORIGIN, more: Record<string, unknown> = {}) {
  const options = await optionsFor("/passkeys/options", ada);
  const credential = { ...device.create(options, origin), ...more };
  return ada.call("POST", "/passkeys", { body: { name: "laptop", credential } });
}

async function signIn(visitor = s.visitor(), origin = ORIGIN, flags?: number) {
  const options = await optionsFor("/sign-in/passkey/options", visitor);
  return visitor.call("POST", "/sign-in/passkey", { body: device.get(options, origin, flags) });
}

describe("a passkey", () => {
  test("is added by a signed-in person and signs them in without a password", async () => {
    const added = await register();
    expect([added.status, added.json]).toMatchObject([201, { name: "laptop", last_used_at: null }]);
    const phone = s.visitor();
    expect((await phone.call("GET", "/state")).json.methods.passkey).toBe(true);
    expect((await signIn(phone)).status).toBe(204);
    expect(await phone.user()).toMatchObject({ email: "ada@home.example" });
    expect((await ada.call("GET", "/passkeys")).json.data[0].last_used_at).not.toBeNull();
  });

  test("signs in only once when its answer is replayed", async () => {
    await register();
    const visitor = s.visitor();
    const options = await optionsFor("/sign-in/passkey/options", visitor);
    const answer = device.get(options, ORIGIN);
    expect((await visitor.call("POST", "/sign-in/passkey", { body: answer })).status).toBe(204);
    const replayed = await s.visitor().call("POST", "/sign-in/passkey", { body: answer });
    expect([replayed.status, replayed.json.error.code]).toEqual([401, "sign_in_refused"]);
  });

  test("must answer a challenge that the server issued, in time", async () => {
    await register();
    const madeUp = { challenge: Buffer.alloc(32).toString("base64url"), rpId: "localhost" };
    expect((await s.visitor().call("POST", "/sign-in/passkey", { body: device.get(madeUp, ORIGIN) })).status).toBe(401);
    const visitor = s.visitor();
    const options = await optionsFor("/sign-in/passkey/options", visitor);
    s.h.clock.advance(5 * 60_000);
    const late = await visitor.call("POST", "/sign-in/passkey", { body: device.get(options, ORIGIN) });
    expect(late.status).toBe(401);
  });

  test("that was signed for another site is refused, so a copy of the page elsewhere gains nothing", async () => {
    await register();
    expect((await signIn(s.visitor(), "https://evil.example")).status).toBe(401);
    const visitor = s.visitor();
    const options = await optionsFor("/sign-in/passkey/options", visitor);
    const elsewhere = device.get({ ...options, rpId: "evil.example" }, ORIGIN);
    expect((await visitor.call("POST", "/sign-in/passkey", { body: elsewhere })).status).toBe(401);
  });

  test("requires user verification, not only the device", async () => {
    await register();
    expect((await signIn(s.visitor(), ORIGIN, 0x01)).status).toBe(401);
  });

  test("that was cloned is detected by its counter", async () => {
    await register();
    await signIn();
    await signIn();
    device.counter = 0;
    expect((await signIn()).status).toBe(401);
    expect(s.audit("session.refuse")).toContainEqual(expect.objectContaining({ method: "passkey" }));
  });

  test("of an unknown device, or with another device's signature, is refused", async () => {
    await register();
    const stranger = new Authenticator();
    const visitor = s.visitor();
    const first = await optionsFor("/sign-in/passkey/options", visitor);
    expect((await visitor.call("POST", "/sign-in/passkey", { body: stranger.get(first, ORIGIN) })).status).toBe(401);
    const second = await optionsFor("/sign-in/passkey/options", visitor);
    const forged = {
      ...stranger.get(second, ORIGIN),
      id: device.id.toString("base64url"),
      rawId: device.id.toString("base64url"),
    };
    expect((await visitor.call("POST", "/sign-in/passkey", { body: forged })).status).toBe(401);
  });

  test.each([[{}], [{ id: 5 }], [{ id: "x", response: null }], [{ response: { clientDataJSON: "!!" } }]])(
    "that is malformed is refused without an internal error: %j",
    async (body) => {
      expect((await s.visitor().call("POST", "/sign-in/passkey", { body })).status).toBe(401);
      const added = await ada.call("POST", "/passkeys", { body: { name: "x", credential: body } });
      expect([added.status, added.json.error.param]).toEqual([400, "credential"]);
    },
  );

  test("made for a sign-in challenge, or for another person's challenge, is not added", async () => {
    const sign_in = await optionsFor("/sign-in/passkey/options", ada);
    const credential = device.create({ ...sign_in, rp: { id: "localhost" }, user: { id: "x" } }, ORIGIN);
    expect((await ada.call("POST", "/passkeys", { body: { name: "x", credential } })).status).toBe(400);
    const bo = s.h.session("bo@home.example");
    const theirs = await optionsFor("/passkeys/options", ada);
    const taken = await bo.call("POST", "/passkeys", {
      body: { name: "x", credential: device.create(theirs, ORIGIN) },
    });
    expect(taken.status).toBe(400);
  });

  test("is added only once, and stops working after it is removed", async () => {
    const { id } = (await register()).json;
    expect((await register()).json.error.message).toContain("already registered");
    const bo = s.h.session("bo@home.example");
    expect((await bo.call("DELETE", `/passkeys/${id}`)).status).toBe(404);
    expect((await ada.call("DELETE", `/passkeys/${id}`)).status).toBe(204);
    expect((await signIn()).status).toBe(401);
  });

  test("cannot be added in a browser that was left open", async () => {
    s.h.clock.advance(16 * 60_000);
    for (const path of ["/passkeys/options", "/totp"]) {
      const answer = await ada.call("POST", path);
      expect([answer.status, answer.json.error.code]).toEqual([401, "proof_required"]);
    }
  });

  test("cannot belong to an IP address, and the error says so", async () => {
    const answer = await ada.call("POST", "/passkeys/options", { headers: { Host: "192.168.1.5:8025" } });
    expect([answer.status, answer.json.error.message]).toEqual([400, expect.stringContaining("need a host name")]);
  });
});
