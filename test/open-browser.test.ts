import { expect, setDefaultTimeout, test } from "bun:test";
import { createMailbox } from "../src/mailbox/mailbox.ts";
import { allAppRoutes } from "./support/all-app-routes.ts";
import { authFixture } from "./support/auth-fixture.ts";
import { createAuthority } from "./support/certificates.ts";
import { createHarness } from "./support/http-harness.ts";
import { createWebhookFixture } from "./support/webhook-fixture.ts";

/** Someone finds a browser with an older signed-in session: they must not get lasting access (docs/security.md). */

setDefaultTimeout(30_000);

const LATER_MS = 16 * 60_000;

test("redirecting, widening or re-keying a webhook requires recent authentication; API keys need none", async () => {
  const s = await createWebhookFixture(createAuthority());
  try {
    const made = await s.endpoint("/mine");
    const browser = s.h.session();
    s.h.clock.advance(LATER_MS);
    const path = `//v1/webhooks/${made.id}`;
    const tries = [
      await browser.call("PATCH", path, { body: { url: `${s.receiver.origin}/theirs` } }),
      await browser.call("PATCH", path, { body: { events: ["message.received"] } }),
      await browser.call("POST", `${path}/rotate-secret`),
    ];
    expect(tries.map(({ status, json }) => [status, json?.error?.code])).toEqual(
      tries.map(() => [401, "proof_required"]),
    );
    expect((await s.view(made.id)).url).toBe(made.url);
    s.h.platform.sessions.markRecentAuth(browser.sessionId);
    expect((await browser.call("PATCH", path, { body: { events: ["message.received"] } })).status).toBe(200);
    s.h.clock.advance(LATER_MS);
    expect((await s.h.call("POST", `/webhooks/${made.id}/rotate-secret`)).status).toBe(200);
  } finally {
    await s.close();
  }
});

test("adding a person or deleting a mailbox requires recent authentication, because an imported mailbox is the only copy", async () => {
  const h = createHarness({ appRoutes: allAppRoutes });
  try {
    const owner = h.session("owner@example.org", "owner");
    const { accounts } = createMailbox(h.platform);
    const { id } = accounts.add({
      user_id: owner.user.id,
      provider: "imported",
      email: "o@mail.test",
      connection: null,
    });
    h.clock.advance(LATER_MS);
    const add = { body: { email: "mallory@example.org", plan: "free" } };
    const tries = [await owner.call("POST", "/members", add), await owner.call("DELETE", `/mailboxes/${id}`)];
    expect(tries.map(({ status, json }) => [status, json?.error?.code])).toEqual(
      tries.map(() => [401, "proof_required"]),
    );
    expect([accounts.get(id)?.id, h.platform.users.findByEmail("mallory@example.org")]).toEqual([id, null]);
  } finally {
    h.close();
  }
});

test("removing a passkey requires recent authentication: without one, a provider's open session would count as proof", async () => {
  const s = authFixture();
  try {
    const ada = s.visitor();
    await s.setUp(ada);
    const { passkeys } = s.h.platform.signIn;
    const about = { name: "k", credential_id: "Y3JlZA", public_key: new Uint8Array(4), transports: [], rp_id: "x" };
    const { id } = passkeys.add({ ...about, user_id: s.owner.id, counter: 1 })!;
    s.h.clock.advance(LATER_MS);
    const refused = await ada.call("DELETE", `/passkeys/${id}`);
    expect([refused.status, refused.json?.error?.code]).toEqual([401, "proof_required"]);
    expect(passkeys.has(s.owner.id)).toBe(true);
    expect((await s.signIn(ada)).status).toBe(204);
    expect((await ada.call("DELETE", `/passkeys/${id}`)).status).toBe(204);
  } finally {
    s.close();
  }
});
