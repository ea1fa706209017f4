import { afterEach, expect, test } from "bun:test";
import { createHarness, type Harness, type HarnessOptions } from "../../../test/support/http-harness.ts";
import { createMailbox } from "../../mailbox/mailbox.ts";
import { examine } from "../diagnostics/diagnostics.ts";
import { systemAppRoutes } from "./app-routes.ts";
import { SystemService } from "./service.ts";

let h: Harness;
afterEach(() => h.close());

function start(config: HarnessOptions["config"] = {}): void {
  h = createHarness({
    config,
    appRoutes: (platform) =>
      systemAppRoutes(
        new SystemService({
          platform,
          version: "1.2.3",
          examine: (options) => examine(platform, createMailbox(platform), options),
          custody: () => "key_file",
        }),
      ),
  });
}

test("the owner sees sizes and the findings of doctor", async () => {
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

test("other users and API keys have no access", async () => {
  start();
  expect((await h.session().call("GET", "/system")).status).toBe(403);
  expect((await h.call("GET", "//app/api/system")).status).toBe(403);
});

test("an undeclared forwarding proxy is reported once; unknown clients and declared proxies are not", async () => {
  start({ "http.trusted_proxies": ["10.0.0.2"] });
  const owner = h.session("owner@example.org", "owner");
  const forward = (peer: string, name = "X-Forwarded-For") =>
    h.call("GET", "//healthz", { peer, headers: { [name]: "192.0.2.7" } });
  for (const peer of ["10.0.0.2", "198.51.100.7", "2001:db8::1"]) await forward(peer);
  const proxies = async () =>
    (await owner.call("GET", "/system")).json.findings.filter(({ check }: { check: string }) => check === "proxy");
  expect(await proxies()).toEqual([]);
  for (const peer of ["172.18.0.1", "::ffff:172.18.0.1"]) await forward(peer);
  await forward("127.0.0.1", "Forwarded");
  const [finding, ...others] = await proxies();
  expect([finding.result, others]).toEqual(["advice", []]);
  expect(finding.detail).toContain("172.18.0.1, 127.0.0.1");
  // The list has a limit, however many addresses a client uses.
  for (let i = 0; i < 50; i++) await forward(`192.168.0.${i}`);
  expect(h.platform.untrustedProxies.list()).toHaveLength(8);
});
