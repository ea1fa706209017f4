import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { type Authority, createAuthority, OPENSSL } from "../../../test/support/certificates.ts";
import { createWebhookFixture, type WebhookFixture } from "../../../test/support/webhook-fixture.ts";

if (!OPENSSL) console.info("skipped: an endpoint's position in the log (openssl is not installed)");

let authority: Authority;
let fixture: WebhookFixture;
beforeAll(() => {
  if (OPENSSL) authority = createAuthority();
});
afterAll(() => authority?.remove());
beforeEach(async () => {
  if (OPENSSL) fixture = await createWebhookFixture(authority);
});
afterEach(() => fixture?.close());

test.skipIf(!OPENSSL)(
  "an event whose delivery could not be written is not skipped, even if the process ends",
  async () => {
    const { id } = await fixture.endpoint("/hook");
    const { sql } = fixture.h.platform.db;
    const position = () =>
      sql.query<{ position: number }, [string]>("SELECT position FROM webhook_endpoints WHERE id = ?").get(id)!
        .position;
    const before = position();
    sql.run(`CREATE TEMP TRIGGER crash BEFORE INSERT ON webhook_deliveries
    BEGIN SELECT RAISE(ABORT, 'the process ends here'); END`);
    fixture.emit();
    await fixture.settle();
    expect(position()).toBe(before);
    sql.run("DROP TRIGGER crash");
    await fixture.restart();
    await fixture.settle();
    expect(fixture.receiver.received).toHaveLength(1);
  },
);
