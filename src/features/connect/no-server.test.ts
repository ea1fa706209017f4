import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createHarness, type Harness } from "../../../test/support/http-harness.ts";
import type { Account } from "../../mailbox/accounts/accounts.ts";
import { SYNC_JOB } from "../../mailbox/accounts/accounts.ts";
import { CHECK_JOB, CompletenessStore } from "../../mailbox/accounts/completeness.ts";
import { createMailbox, type Mailbox } from "../../mailbox/mailbox.ts";
import { accountFinding } from "../diagnostics/servers.ts";
import { storedMetrics } from "../system/stored-metrics.ts";
import { connectAppRoutes } from "./app-routes.ts";
import type { ConnectParts } from "./parts.ts";
import { completenessRoutes } from "./routes.ts";

let h: Harness;
let mailbox: Mailbox;
let checks: CompletenessStore;
let account: Account;
beforeEach(() => {
  h = createHarness({
    routes: (platform) => {
      mailbox = createMailbox(platform);
      checks = new CompletenessStore(platform, mailbox.folders);
      return completenessRoutes({ accounts: mailbox.accounts, checks, now: () => platform.clock.now() });
    },
    appRoutes: (platform) => {
      const testLogins = () => Promise.reject(new Error("no server must be asked"));
      return connectAppRoutes({ platform, mailbox, checks, testLogins } as unknown as ConnectParts);
    },
  });
  account = imported("old-mail@imported.invalid");
});
afterEach(() => h.close());

/** Creates an account in the state that `postroom import` leaves. */
function imported(email: string): Account {
  const { accounts } = mailbox;
  const { id } = accounts.add({ user_id: h.user.id, provider: "imported", email, connection: null, read_only: true });
  accounts.setProgress(id, { phase: "live", done: 12, total: 12 });
  accounts.noteSynced(id);
  return accounts.get(id)!;
}
const page = () => h.session();
const jobs = () =>
  h.platform.db.sql
    .query<{ c: number }, [string, string]>("SELECT count(*) AS c FROM jobs WHERE kind IN (?, ?)")
    .get(CHECK_JOB, SYNC_JOB)!.c;

describe("the completeness check of an imported mailbox", () => {
  test("never becomes due, even after months", () => {
    for (let day = 0; day < 90; day += 10) {
      const now = account.created_at + day * 86_400_000;
      expect(checks.due(now, now)).toEqual([]);
    }
  });

  test("reports that there is no server, even if an older version recorded a failed comparison", async () => {
    checks.saveEnd(account, "The mail server cannot be reached right now. Try again later.");
    const { status, json } = await h.call("GET", `/accounts/${account.id}/completeness`);
    expect(status).toBe(200);
    expect(json).toMatchObject({ complete: null, verified_at: null, error: null, folders: [] });
    expect(json.total).toEqual({ server: 0, here: 0, missing: 0, extra: 0 });
    expect(json.sentence).toContain("no mail server");
    const [listed] = (await page().call("GET", "/mailboxes")).json.data;
    expect(listed.completeness).toEqual({ complete: null, verified_at: null, sentence: json.sentence });
    expect(listed).toMatchObject({ status: "active", last_error: null, auth: null, imap: null, smtp: null });
  });

  test("causes no finding in doctor, and a year without sync causes no lag in the metrics", () => {
    h.clock.advance(365 * 86_400_000);
    expect(accountFinding(account)).toMatchObject({
      result: "ok",
      detail: expect.stringContaining("Imported from files"),
    });
    const labels = storedMetrics(h.platform)().flatMap((metric) => JSON.stringify(metric));
    expect(labels.join("")).not.toContain(account.id);
  });
});

describe("an action that needs a server is refused for an imported mailbox, with the reason", () => {
  test.each([
    ["POST", "/sync", {}, "id"],
    ["POST", "/check", {}, "id"],
    ["PATCH", "", { password: "geheim" }, "password"],
    ["PATCH", "", { paused: true }, "paused"],
    ["PATCH", "", { read_only: false }, "read_only"],
    ["PATCH", "", { primary: true }, "primary"],
  ])("%s %s %j", async (method, path, body, param) => {
    const before = [mailbox.accounts.get(account.id), jobs()];
    const answer = await page().call(method, `/mailboxes/${account.id}${path}`, { body });
    expect([answer.status, answer.json?.error]).toEqual([
      400,
      expect.objectContaining({ code: "invalid_params", param, message: expect.stringContaining("no mail server") }),
    ]);
    expect([mailbox.accounts.get(account.id), jobs()]).toEqual(before);
  });

  test("its own addresses can still be changed, and it can be resumed if it was paused before", async () => {
    const aliases = { aliases: ["ada@old.example"] };
    expect((await page().call("PATCH", `/mailboxes/${account.id}`, { body: aliases })).status).toBe(200);
    mailbox.accounts.setPaused(account, true);
    const { json } = await page().call("PATCH", `/mailboxes/${account.id}`, { body: { paused: false } });
    expect([json.status, json.aliases]).toEqual(["active", aliases.aliases]);
  });

  test("it can be removed, and another person's is not found", async () => {
    const eve = h.session("eve@example.org");
    expect((await eve.call("POST", `/mailboxes/${account.id}/sync`, { body: {} })).status).toBe(404);
    expect((await page().call("DELETE", `/mailboxes/${account.id}`)).status).toBe(204);
    expect(mailbox.accounts.get(account.id)).toBeNull();
  });
});
