import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { type Authority, createAuthority, OPENSSL } from "../../../test/support/certificates.ts";
import { createWebhookFixture, type WebhookFixture } from "../../../test/support/webhook-fixture.ts";

if (!OPENSSL) console.info("skipped: an endpoint's position in the log (openssl is not installed)");

let authority: Authority;
let scene: WebhookFixture;
beforeAll(() => {
  if (OPENSSL) authority = createAuthority();
});
afterAll(() => authority?.remove());
beforeEach(async () => {
  if (OPENSSL) scene = await createWebhookFixture(authority);
});
afterEach(() => scene?.close());

test.skipIf(!OPENSSL)(
  "an event whose delivery could not be written is not passed over, whenever the process ends",
  async () => {
    const { id } = await scene.endpoint("/hook");
    const { sql } = scene.h.platform.db;
    const position = () =>
      sql.query<{ position: number }, [string]>("SELECT position FROM webhook_endpoints WHERE id = ?").get(id)!
        .position;
    const before = position();
    sql.run(`CREATE TEMP TRIGGER crash BEFORE INSERT ON webhook_deliveries
    BEGIN SELECT RAISE(ABORT, 'the process ends here'); END`);
    scene.emit();
    await scene.settle();
    expect(position()).toBe(before);
    sql.run("DROP TRIGGER crash");
    await scene.restart();
    await scene.settle();
    expect(scene.receiver.received).toHaveLength(1);
  },
);
