import { afterEach, expect, test } from "bun:test";
import { createHarness, type Harness } from "../../../test/http-harness.ts";
import { createMailbox } from "../../mailbox/mailbox.ts";
import { systemAppRoutes } from "./app-routes.ts";
import { SystemService } from "./service.ts";

let h: Harness;
afterEach(() => h.close());

function start(): void {
  h = createHarness({
    app_routes: (platform) =>
      systemAppRoutes(
        new SystemService({
          platform,
          mailbox: createMailbox(platform),
          version: "1.2.3",
          custody: () => "key_file",
        }),
      ),
  });
}

test("the owner sees sizes and what doctor would say", async () => {
  start();
  const owner = h.session("owner@example.org", "owner");
  const { status, json } = await owner.call("GET", "/system");
  expect(status).toBe(200);
  expect(json).toMatchObject({ version: "1.2.3", custody: "key_file" });
  expect(json.disk.total_bytes).toBeGreaterThan(json.disk.free_bytes);
  expect(json.database.size_bytes + json.database.wal_bytes).toBeGreaterThan(4096);
  const checks = json.findings.map(({ check }: { check: string }) => check);
  expect(checks).toEqual(
    expect.arrayContaining(["data folder", "disk space", "clock", "master key", "backup", "address"]),
  );
});

test("it is not for other people, and not for API keys", async () => {
  start();
  expect((await h.session().call("GET", "/system")).status).toBe(403);
  expect((await h.call("GET", "//app/api/system")).status).toBe(403);
});
