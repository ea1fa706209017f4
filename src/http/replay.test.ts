import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { type Answer, type CallOptions, createHarness, type Harness } from "../../test/support/http-harness.ts";
import { createSample, type Sample, sampleRoutes } from "../../test/support/sample-routes.ts";
import { ApiError } from "../kernel/errors.ts";

let h: Harness;
let sample: Sample;

beforeEach(() => {
  sample = createSample();
  h = createHarness({ routes: sampleRoutes(sample) });
});
afterEach(() => h.close());

const post = (text: unknown, key: string, more: CallOptions = {}) =>
  h.call("POST", "/notes", { body: { text }, ...more, headers: { "Idempotency-Key": key, ...more.headers } });
const notes = () => h.platform.audit.list(h.user.id, { limit: 99, action: "note" }).length;

describe("an Idempotency-Key belongs to the credential that used it", () => {
  const expectConflict = ({ status, json, text, headers }: Answer) => {
    expect([status, json.error.code, json.error.param]).toEqual([409, "idempotency_conflict", "Idempotency-Key"]);
    expect(headers.get("idempotency-replayed")).toBeNull();
    expect(text).not.toContain("private");
  };

  test.each(["a private note", "another text"])(
    "the same Idempotency-Key with another API key is refused, with the same body or another: %s",
    async (text) => {
      const first = await post("a private note", "k");
      const { id } = h.platform.audit.list(h.user.id, {
        limit: 1,
        action: "note",
      })[0]!;
      for (const secret of [h.newKey().secret, h.newKey({ account_id: "acc_01jz4t9h2m8q5r7v3w6x0y1z2a" }).secret]) {
        expectConflict(await post(text, "k", { key: secret }));
      }
      expectConflict(
        await h.session().call("POST", "//v1/notes", {
          body: { text },
          headers: { "Idempotency-Key": "k" },
        }),
      );
      expect((await post("a private note", "k")).text).toBe(first.text);
      expect(h.platform.audit.list(h.user.id, { limit: 9, action: "note" }).map((row) => row.id)).toEqual([id]);
    },
  );

  test("a key bound to a mailbox keeps its own replies, and no other key gets them", async () => {
    const bound = h.newKey({ account_id: "acc_01jz4t9h2m8q5r7v3w6x0y1z2a" });
    const first = await post("a private note", "k", { key: bound.secret });
    expectConflict(await post("a private note", "k"));
    expect((await post("a private note", "k", { key: bound.secret })).text).toBe(first.text);
  });

  test("a revoked key's replies are not returned to the key that replaces it", async () => {
    const old = h.newKey();
    await post("a private note", "k", { key: old.secret });
    h.platform.keys.revoke(old.id);
    expect((await post("a private note", "k", { key: old.secret })).status).toBe(401);
    expectConflict(await post("a private note", "k", { key: h.newKey().secret }));
  });

  test("a session's replies are returned neither to another session nor to a key", async () => {
    const [one, other] = [h.session(), h.session()];
    const ask = {
      body: { text: "a private note" },
      headers: { "Idempotency-Key": "k" },
    };
    const first = await one.call("POST", "//v1/notes", ask);
    expect((await one.call("POST", "//v1/notes", ask)).text).toBe(first.text);
    expectConflict(await other.call("POST", "//v1/notes", ask));
    expectConflict(await post("a private note", "k"));
  });

  test("this also applies while the first request runs, and to an upload", async () => {
    const { secret } = h.newKey();
    const think = (key?: string) =>
      h.call("POST", "/notes/think", {
        key,
        body: { text: "a" },
        headers: { "Idempotency-Key": "k" },
      });
    const running = think();
    expectConflict(await think(secret));
    sample.gate.resolve();
    expect((await running).status).toBe(200);
    expectConflict(await think(secret));
    const upload = (key?: string) => {
      const form = new FormData();
      form.set("file", new Blob(["private"]), "a.txt");
      return h.call("POST", "/notes/upload", {
        key,
        body: form,
        headers: { "Idempotency-Key": "k" },
      });
    };
    await upload();
    expectConflict(await upload(secret));
    expect((await upload()).headers.get("idempotency-replayed")).toBe("true");
    expect(sample.runs).toBe(2);
  });

  test("an organization key gets one member's replies only for that member, and another key gets none of them", async () => {
    const { teams } = h.platform;
    const bo = h.newUser("bo@example.org");
    const team_id = teams.create("Works").id;
    for (const person of [h.user, bo]) {
      teams.invite(team_id, person.id);
      teams.accept(team_id, person.id);
    }
    const [one, other] = [h.newKey({ team_id }), h.newKey({ team_id })];
    const act = (email: string, key: string) =>
      post("a private note", "k", { key, headers: { "Idempotency-Key": "k", "X-On-Behalf-Of": email } });
    const forAda = await act("ada@example.org", one.secret);
    const forBo = await act("bo@example.org", one.secret);
    expect([forAda.status, forBo.status, forBo.headers.get("idempotency-replayed")]).toEqual([201, 201, null]);
    expect(forBo.json.id).not.toBe(forAda.json.id);
    expect((await act("bo@example.org", one.secret)).text).toBe(forBo.text);
    expectConflict(await act("bo@example.org", other.secret));
    expectConflict(await post("a private note", "k"));
  });

  test("an error reply is not repeated to another key either", async () => {
    sample.fail = new ApiError("not_found", "No such private thing.");
    await post("a", "k");
    expectConflict(await post("a", "k", { key: h.newKey().secret }));
  });

  test("a reply that an earlier version stored without its credential is not repeated, and nothing happens twice", async () => {
    await post("a private note", "k");
    // A row of the earlier version: its hash covers only the body.
    const sealer = h.platform.keyring.forUser(h.user.id);
    const body_hash = sealer.hmac("idempotency", JSON.stringify({ text: "a private note" }));
    h.platform.db.sql.query("UPDATE idempotency SET body_hash = ?").run(body_hash);
    expectConflict(await post("a private note", "k"));
    expectConflict(await post("a private note", "k", { key: h.newKey().secret }));
    expect(notes()).toBe(1);
    h.clock.advance(24 * 3_600_000);
    expect((await post("a private note", "k")).status).toBe(201);
  });
});
