import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { type PeopleFixture, peopleFixture } from "../../../test/support/people-fixture.ts";
import { docx, pdf } from "../../sandbox/attachments.ts";
import { domainsOf } from "./domain.ts";
import { contextRoutes } from "./routes.ts";

let s: PeopleFixture;
beforeEach(() => {
  s = peopleFixture((people) => contextRoutes(people.context, people.contextFiles));
});
afterEach(() => s.h.close());

const client = {
  domain: "Harbourline.Example",
  name: "Harbourline",
  summary: "Ferries",
  set: { "client.name": "Harbourline Ltd", tone: "warm" },
};
const create = (body: unknown = client, more = {}) => s.h.call("POST", "/context/profiles", { body, ...more });
const get = async (path: string, more = {}) => (await s.h.call("GET", `/context/${path}`, more)).json;
const audit = (action: string) => s.h.platform.audit.list(s.h.user.id, { limit: 50, action: `context.${action}` });

describe("profiles", () => {
  test("are created, listed with the last change first, read, changed and deleted, all with audit entries", async () => {
    const { status, json } = await create();
    expect([status, json]).toEqual([
      200,
      {
        id: expect.stringMatching(/^ctx_/),
        domain: "harbourline.example",
        name: "Harbourline",
        summary: "Ferries",
        variables: { "client.name": "Harbourline Ltd", tone: "warm" },
        notes: [],
        updated_at: expect.any(String),
      },
    ]);
    s.h.clock.advance(1000);
    const second = (await create({ domain: "bücher.example" })).json;
    expect(second).toMatchObject({ domain: "xn--bcher-kva.example", name: "xn--bcher-kva.example" });
    expect((await get("profiles")).data.map(({ id }: { id: string }) => id)).toEqual([second.id, json.id]);
    s.h.clock.advance(1000);
    const patched = await s.h.call("PATCH", `/context/profiles/${json.id}`, {
      body: {
        set: { tone: "formal", "client.name": "Harbourline Ltd", "client.city": "Porto" },
        append_note: " Moved. ",
      },
    });
    expect(patched.json).toEqual({ id: json.id, updated_keys: ["tone", "client.city"] });
    expect(await get(`profiles/${json.id}`)).toMatchObject({
      variables: { "client.city": "Porto", "client.name": "Harbourline Ltd", tone: "formal" },
      notes: [{ text: "Moved.", at: expect.any(String) }],
    });
    expect((await get("profiles")).data[0].id).toBe(json.id);
    await s.h.call("PATCH", `/context/profiles/${json.id}`, { body: { set: { tone: null } } });
    expect((await get(`profiles/${json.id}`)).variables).not.toHaveProperty("tone");
    const gone = await s.h.call("DELETE", `/context/profiles/${json.id}`);
    expect(gone.json).toEqual({ id: json.id, deleted: true });
    expect((await s.h.call("GET", `/context/profiles/${json.id}`)).status).toBe(404);
    expect([audit("profile.create").length, audit("profile.update").length]).toEqual([2, 2]);
    expect(audit("profile.update").at(-1)).toMatchObject({
      target: json.id,
      before: { variables: { tone: "warm" }, notes: 0 },
      after: { variables: { tone: "formal" }, notes: 1 },
    });
    expect(audit("profile.delete")).toMatchObject([{ target: json.id, after: null }]);
  });

  test("are paginated", async () => {
    for (let i = 0; i < 5; i++) await create({ domain: `client${i}.example` });
    const first = await get("profiles?limit=3");
    const second = await get(`profiles?limit=3&cursor=${encodeURIComponent(first.next_cursor)}`);
    const domains = [...first.data, ...second.data].map(({ domain }: { domain: string }) => domain);
    expect(new Set(domains).size).toBe(5);
    expect(second.has_more).toBe(false);
  });

  test.each([
    [{ domain: "nonsense" }, "domain"],
    [{ domain: "a b.example" }, "domain"],
    [{}, "domain"],
    [{ domain: "x.example", set: { "no spaces": "x" } }, "set.no spaces"],
    [{ domain: "x.example", set: { ".x": "x" } }, "set..x"],
    [{ domain: "x.example", set: { tone: "x".repeat(4001) } }, "set.tone"],
    [{ domain: "x.example", set: { tone: 5 } }, "set.tone"],
  ])("%j is refused at %s", async (body, param) => {
    const { status, json } = await create(body);
    expect([status, json.error.param]).toEqual([400, param]);
  });

  test("there is one per domain", async () => {
    const { json } = await create();
    expect((await create()).json.error.param).toBe("domain");
    const other = (await create({ domain: "other.example" })).json;
    const moved = await s.h.call("PATCH", `/context/profiles/${other.id}`, { body: { domain: "harbourline.example" } });
    expect(moved.json.error.param).toBe("domain");
    expect(
      (await s.h.call("PATCH", `/context/profiles/${json.id}`, { body: { domain: "harbourline.example" } })).status,
    ).toBe(200);
  });

  test("a repeated Idempotency-Key creates one profile and appends a note once", async () => {
    const headers = { "Idempotency-Key": "k" };
    const one = await create(client, { headers });
    expect((await create(client, { headers })).json).toEqual(one.json);
    const note = () =>
      s.h.call("PATCH", `/context/profiles/${one.json.id}`, { body: { append_note: "once" }, headers });
    await note();
    await note();
    expect((await get(`profiles/${one.json.id}`)).notes).toHaveLength(1);
  });

  test("another user's profiles are not found", async () => {
    const { json } = await create();
    const key = s.h.newKey({ user_id: s.h.newUser("eve@example.org").id }).secret;
    expect((await get("profiles", { key })).data).toEqual([]);
    for (const [method, body] of [["GET"], ["PATCH", { name: "x" }], ["DELETE"]] as const) {
      const answer = await s.h.call(method, `/context/profiles/${json.id}`, { key, ...(body ? { body } : {}) });
      expect([method, answer.status]).toEqual([method, 404]);
    }
    expect((await get(`profiles/${json.id}`)).name).toBe("Harbourline");
  });

  test("match a conversation by its closest domain, and their variables override the global ones", async () => {
    await create({ domain: "example.com", set: { tone: "far" } });
    await create({ domain: "mail.example.com", set: { tone: "near" } });
    await s.h.call("PUT", "/context/variables/tone", { body: { value: "plain" } });
    await s.h.call("PUT", "/context/variables/sender", { body: { value: "Ada" } });
    const context = (...emails: string[]) => {
      const { profile, variables } = s.people.context.forAddresses(s.h.user.id, emails);
      return [profile?.domain ?? null, variables];
    };
    expect(context("a@x.example", "b@Mail.Example.com")).toEqual(["mail.example.com", { tone: "near", sender: "Ada" }]);
    expect(context("b@other.example.com")).toEqual(["example.com", { tone: "far", sender: "Ada" }]);
    expect(context("b@notexample.com")).toEqual([null, { tone: "plain", sender: "Ada" }]);
  });
});

describe("global variables", () => {
  const put = (key: string, body: unknown, more = {}) =>
    s.h.call("PUT", `/context/variables/${key}`, { body, ...more });

  test("are set, typed, listed by key and deleted, all with audit entries", async () => {
    expect((await put("rate.hourly", { value: " 95.50 ", type: "number" })).json).toEqual({
      key: "rate.hourly",
      value: "95.50",
      type: "number",
      updated_at: expect.any(String),
    });
    await put("away", { value: "false", type: "boolean" });
    await put("until", { value: "2026-02-28", type: "date" });
    // An omitted type keeps the stored one.
    expect((await put("rate.hourly", { value: "100" })).json.type).toBe("number");
    expect((await get("variables")).data.map(({ key }: { key: string }) => key)).toEqual([
      "away",
      "rate.hourly",
      "until",
    ]);
    const gone = await s.h.call("DELETE", "/context/variables/away");
    expect(gone.json).toEqual({ key: "away", deleted: true });
    expect((await s.h.call("DELETE", "/context/variables/away")).status).toBe(404);
    expect(audit("variable.set").at(0)).toMatchObject({
      target: null,
      before: { key: "rate.hourly", value: "95.50" },
      after: { key: "rate.hourly", value: "100" },
    });
    expect(audit("variable.delete")).toHaveLength(1);
  });

  test.each([
    ["x", { value: "ten", type: "number" }, "value"],
    ["x", { value: "yes", type: "boolean" }, "value"],
    ["x", { value: "2026-02-30", type: "date" }, "value"],
    ["x", { value: "1", type: "integer" }, "type"],
    ["x", {}, "value"],
    ["9x", { value: "1" }, "key"],
    ["a..b", { value: "1" }, "key"],
  ])("%s = %j is refused at %s", async (key, body, param) => {
    const { status, json } = await put(key, body);
    expect([status, json.error.param]).toEqual([400, param]);
  });

  test("a profile's value must have the type of the global variable", async () => {
    await put("rate", { value: "95", type: "number" });
    const { json } = await create();
    const wrong = await s.h.call("PATCH", `/context/profiles/${json.id}`, { body: { set: { rate: "cheap" } } });
    expect([wrong.status, wrong.json.error.param]).toEqual([400, "set.rate"]);
  });

  test("each user has separate variables", async () => {
    await put("tone", { value: "warm" });
    const key = s.h.newKey({ user_id: s.h.newUser("eve@example.org").id }).secret;
    expect((await get("variables", { key })).data).toEqual([]);
    expect((await s.h.call("DELETE", "/context/variables/tone", { key })).status).toBe(404);
    await put("tone", { value: "cold" }, { key });
    expect((await get("variables")).data[0].value).toBe("warm");
  });

  test("a PUT with a repeated Idempotency-Key is replayed", async () => {
    const headers = { "Idempotency-Key": "v" };
    await put("tone", { value: "warm" }, { headers });
    expect((await put("tone", { value: "warm" }, { headers })).headers.get("idempotency-replayed")).toBe("true");
  });
});

describe("files", () => {
  const upload = (
    bytes: Uint8Array | string,
    name: string,
    type: string,
    more: Record<string, string> = {},
    options = {},
  ) => {
    const body = new FormData();
    body.set("file", new File([bytes as string], name, { type }));
    for (const [field, value] of Object.entries(more)) body.set(field, value);
    return s.h.call("POST", "/context/files", { body, ...options });
  };
  const blobs = () => {
    const root = join(s.h.platform.config.data_dir, "blobs");
    return existsSync(root)
      ? readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length
      : 0;
  };

  test("are stored encrypted, their text is extracted, and they are listed and returned byte for byte", async () => {
    const profile = (await create()).json.id;
    const offer = pdf("Offer 7", ["Two nights"]);
    const answer = await upload(offer, "../../Offer é.pdf", "application/pdf", { profile_id: profile });
    expect([answer.status, answer.json]).toEqual([
      200,
      {
        id: expect.stringMatching(/^ctf_/),
        name: "Offer é.pdf",
        mime: "application/pdf",
        bytes: offer.length,
        profile_id: profile,
        has_text: true,
        created_at: expect.any(String),
      },
    ]);
    await upload("# Prices", "prices.md", "text/markdown");
    await upload(docx(["Terms"]), "terms.docx", "application/octet-stream");
    await upload(new Uint8Array([0x89, 0x50]), "logo.png", "image/png");
    const { data } = await get("files");
    expect(data.map(({ name, has_text }: { name: string; has_text: boolean }) => [name, has_text])).toEqual([
      ["logo.png", false],
      ["terms.docx", true],
      ["prices.md", true],
      ["Offer é.pdf", true],
    ]);
    expect((await get(`files?profile_id=${profile}`)).data).toHaveLength(1);
    expect(s.people.contextFiles.text(s.h.user.id, answer.json.id)).toBe("Offer 7\nTwo nights");
    const content = await s.h.fetch("GET", `/context/files/${answer.json.id}/content`);
    expect(new Uint8Array(await content.arrayBuffer())).toEqual(new Uint8Array(offer));
    expect(content.headers.get("content-type")).toBe("application/pdf");
    expect(content.headers.get("content-disposition")).toContain("attachment");
    expect(audit("file.add")).toHaveLength(4);
  });

  test("are deleted with their profile or individually, and nothing of them remains on disk", async () => {
    const profile = (await create()).json.id;
    const held = (await upload("a", "a.txt", "text/plain", { profile_id: profile })).json.id;
    const free = (await upload("b", "b.txt", "text/plain")).json.id;
    expect(blobs()).toBe(2);
    await s.h.call("DELETE", `/context/profiles/${profile}`);
    await Promise.resolve();
    expect(blobs()).toBe(1);
    expect((await s.h.call("GET", `/context/files/${held}/content`)).status).toBe(404);
    expect((await s.h.call("DELETE", `/context/files/${free}`)).json).toEqual({ id: free, deleted: true });
    await Promise.resolve();
    expect(blobs()).toBe(0);
    expect(audit("file.delete")).toHaveLength(1);
  });

  test("an invalid upload is refused with a reason, and nothing is stored", async () => {
    const missing = await s.h.call("POST", "/context/files", { body: new FormData() });
    expect(missing.json.error.param).toBe("file");
    const unknown = await upload("x", "x.txt", "text/plain", { profile_id: "ctx_01kk8f2v0c5s9w3n7r1m4q6t8x" });
    expect([unknown.status, unknown.json.error.code]).toEqual([404, "not_found"]);
    const malformed = await upload("x", "x.txt", "text/plain", { profile_id: "everything" });
    expect([malformed.status, malformed.json.error.param]).toEqual([404, "profile_id"]);
    const large = await upload(new Uint8Array(10 * 1024 * 1024 + 1), "x.bin", "application/octet-stream");
    expect([large.status, large.json.error.code]).toEqual([413, "payload_too_large"]);
    expect([blobs(), (await get("files")).data]).toEqual([0, []]);
  });

  test("a repeated Idempotency-Key stores one file", async () => {
    const options = { headers: { "Idempotency-Key": "up" } };
    const one = await upload("a", "a.txt", "text/plain", {}, options);
    const two = await upload("a", "a.txt", "text/plain", {}, options);
    expect(two.json).toEqual(one.json);
    expect(blobs()).toBe(1);
  });

  test("another user's files are not found", async () => {
    const { json } = await upload("a", "a.txt", "text/plain");
    const profile = (await create()).json.id;
    const key = s.h.newKey({ user_id: s.h.newUser("eve@example.org").id }).secret;
    expect((await get("files", { key })).data).toEqual([]);
    expect((await s.h.call("GET", `/context/files/${json.id}/content`, { key })).status).toBe(404);
    expect((await s.h.call("DELETE", `/context/files/${json.id}`, { key })).status).toBe(404);
    expect((await upload("a", "a.txt", "text/plain", { profile_id: profile }, { key })).status).toBe(404);
  });
});

test("no user text is on disk in plaintext", async () => {
  await create({
    domain: "zanzibar.example",
    name: "Zanzibar",
    set: { "zanzibar.key": "zanzibar" },
    append_note: "zanzibar",
  });
  await s.h.call("PUT", "/context/variables/zanzibar", { body: { value: "zanzibar" } });
  for (const table of ["context_profiles", "context_variables", "audit"]) {
    for (const row of s.h.platform.db.sql.query(`SELECT * FROM ${table}`).values()) {
      const text = row.map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : value));
      expect(text.join("|")).not.toMatch(/zanzibar/i);
    }
  }
});

test("an address with several @ belongs to the domain after the last one", () => {
  expect(domainsOf(['"x@client.example"@evil.example'])).toEqual(["evil.example"]);
  expect(domainsOf(["x@mail.client.example"])).toEqual(["mail.client.example", "client.example"]);
});
