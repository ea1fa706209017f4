import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { type PeopleFixture, peopleFixture } from "../../../test/support/people-fixture.ts";
import { contactRoutes } from "./routes.ts";

let s: PeopleFixture;
beforeEach(() => {
  s = peopleFixture((people) => contactRoutes(people.contacts));
});
afterEach(() => s.h.close());

interface Listed {
  id: string;
  name: string;
  email: string;
  emails: string[];
  kind: string;
  vip: boolean;
  last_contact: string | null;
  threads: number;
  notes: string;
}
const list = async (query = "", key?: string): Promise<Listed[]> =>
  (await s.h.call("GET", `/contacts${query}`, key ? { key } : {})).json.data;
const ann = { name: "Ann Lee", email: "ann.lee@work.example" };
const audit = () =>
  s.h.platform.audit.list(s.h.user.id, { limit: 50 }).filter(({ action }) => action.startsWith("contact."));

describe("contacts", () => {
  test("recipients of mail that someone else sent under the user's address are not contacts", async () => {
    const forged = {
      from: { name: "Ada", email: "ada@example.org" },
      to: [{ name: "Eve", email: "eve@evil.example" }],
    };
    s.arrive(forged);
    s.arrive({ ...forged, role: "spam", subject: "Again" });
    expect((await s.h.call("GET", "/contacts")).json.data).toEqual([]);
  });

  test("senders to the user and recipients of the user's mail are contacts; other recipients of received mail are not", async () => {
    s.arrive({ from: ann, cc: [{ name: "Bystander", email: "by@stander.example" }] });
    s.arrive({
      role: "sent",
      from: { name: "Ada", email: "ada@example.org" },
      to: [{ name: "", email: "carl@far.example" }],
      cc: [{ name: "Dora Q", email: "dora@far.example" }],
    });
    expect((await list()).map(({ name, email }) => [name, email])).toEqual([
      ["Dora Q", "dora@far.example"],
      ["", "carl@far.example"],
      ["Ann Lee", "ann.lee@work.example"],
    ]);
  });

  test("the user, recipients of drafts and senders of nothing but spam are not contacts", async () => {
    s.arrive({ from: { name: "Ada", email: "ada@example.org" } });
    s.arrive({ role: "drafts", flags: { draft: true }, to: [{ name: "", email: "later@x.example" }] });
    s.arrive({ role: "spam", from: { name: "Rich Prince", email: "prince@spam.example" } });
    expect(await list()).toEqual([]);
  });

  test("an alias that is added later is no longer a contact", async () => {
    s.arrive({ from: { name: "Ada", email: "ada@old.example" } });
    expect(await list()).toHaveLength(1);
    s.mailbox.accounts.setProfile(s.account, { email: s.account.email, exclude: [], aliases: ["Ada@Old.example"] });
    expect(await list()).toEqual([]);
  });

  test("addresses of one person are one contact, with the name that the person uses", async () => {
    s.arrive({
      role: "sent",
      from: { name: "Ada", email: "ada@example.org" },
      to: [{ name: "Annie", email: "alee@home.example" }],
    });
    s.arrive({ from: ann });
    expect(await list()).toHaveLength(2);
    s.arrive({ from: { name: "Ann Lee", email: "alee@home.example" } });
    const [one, ...others] = await list();
    expect(others).toEqual([]);
    expect(one).toMatchObject({ name: "Ann Lee", threads: 3 });
    expect(one!.emails.sort()).toEqual(["alee@home.example", "ann.lee@work.example"]);
  });

  test("role addresses and automated senders are distinguished from people", async () => {
    s.arrive({ from: { name: "Ann Lee", email: "info@work.example" } });
    s.arrive({ from: { name: "Ann Lee", email: "no-reply@work.example" } });
    s.arrive({ from: ann });
    expect((await list()).map(({ kind }) => kind)).toEqual(["person", "role"]);
    expect((await list("?kind=automated")).map(({ email }) => email)).toEqual(["no-reply@work.example"]);
    expect(await list("?q=work.example")).toHaveLength(3);
  });

  test("the newest name wins among names of equal rank, and an older one does not return", async () => {
    const at = s.h.clock.now();
    s.arrive({ from: { name: "Ann Lee", email: "ann@x.example" }, at });
    s.arrive({ from: { name: "Ann Lee-Moss", email: "ann@x.example" }, at: at + 1000 });
    s.arrive({ from: { name: "Ann Lee", email: "ann@x.example" }, at: at - 1000 });
    expect((await list())[0]!.name).toBe("Ann Lee-Moss");
  });
});

describe("GET /contacts", () => {
  test("lists the latest contact first, with the day in the user's time zone, page by page", async () => {
    for (let i = 1; i <= 7; i++) {
      s.arrive({ from: { name: "", email: `p${i}@x.example` }, at: Date.parse(`2026-02-0${i}T23:30:00Z`) });
    }
    const seen: string[] = [];
    let cursor = "";
    do {
      const { json } = await s.h.call("GET", `/contacts?limit=3${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
      seen.push(...json.data.map(({ email }: Listed) => email));
      cursor = json.next_cursor ?? "";
    } while (cursor);
    expect(seen).toEqual([7, 6, 5, 4, 3, 2, 1].map((i) => `p${i}@x.example`));
    expect((await list())[0]!.last_contact).toBe("2026-02-07");
    s.h.platform.db.sql.run("UPDATE users SET timezone = 'Asia/Tokyo'");
    expect((await list())[0]!.last_contact).toBe("2026-02-08");
  });

  test("q matches name, address and domain, ignoring case and accents", async () => {
    s.arrive({ from: { name: "Jürgen Groß", email: "jg@firma.example" } });
    s.arrive({ from: ann });
    for (const q of ["jurgen", "GROSS", "jg@", "firma.ex", "Groß"]) {
      expect((await list(`?q=${encodeURIComponent(q)}`)).map(({ email }) => email)).toEqual(["jg@firma.example"]);
    }
    expect(await list("?q=nobody")).toEqual([]);
  });

  test("a key bound to one mailbox sees only contacts of that mailbox, with that mailbox's counts", async () => {
    const second = s.connect(s.h.user.id, "ada@second.example");
    s.arrive({ from: ann });
    s.arrive({ from: ann }, second);
    s.arrive({ from: { name: "", email: "only@second.example" } }, second);
    const key = s.h.newKey({ account_id: s.account.id }).secret;
    expect(await list("", key)).toMatchObject([{ email: "ann.lee@work.example", threads: 1 }]);
    expect((await list()).map(({ threads }) => threads)).toEqual([1, 2]);
    const [other] = await list("?q=only");
    expect((await s.h.call("PATCH", `/contacts/${other!.id}`, { key, body: { vip: true } })).status).toBe(404);
  });
});

describe("GET /contacts?vip=", () => {
  const addresses = async (query: string) => (await list(query)).map(({ email }) => email).sort();
  const people = ["ann.lee@work.example", "jg@firma.example", "ольга@пошта.example"];
  beforeEach(async () => {
    for (const email of people) s.arrive({ from: { name: "", email } });
    s.arrive({ from: { name: "", email: "no-reply@robot.example" } });
    const [{ id }] = (await list("?q=firma")) as [Listed];
    await s.h.call("PATCH", `/contacts/${id}`, { body: { vip: true } });
  });

  test("true lists only VIPs, false lists only the others, and without it both are listed", async () => {
    expect(await addresses("?vip=true")).toEqual([people[1]!]);
    expect(await addresses("?vip=false")).toEqual([people[0]!, people[2]!]);
    expect(await addresses("")).toEqual(people);
  });

  test("false combines with the other filters, and its pages contain no VIPs", async () => {
    expect(await addresses("?vip=false&q=example")).toEqual([people[0]!, "no-reply@robot.example", people[2]!]);
    expect(await addresses("?vip=false&kind=automated")).toEqual(["no-reply@robot.example"]);
    const first = (await s.h.call("GET", "/contacts?vip=false&limit=1")).json;
    const second = (await s.h.call("GET", `/contacts?vip=false&limit=1&cursor=${first.next_cursor}`)).json;
    expect([first.data[0].vip, second.data[0].vip, first.has_more, second.has_more]).toEqual([
      false,
      false,
      true,
      false,
    ]);
  });

  test("false, with a key bound to one mailbox, lists only contacts of that mailbox", async () => {
    const second = s.connect(s.h.user.id, "ada@second.example");
    s.arrive({ from: { name: "", email: "only@second.example" } }, second);
    const key = s.h.newKey({ account_id: second.id }).secret;
    expect((await list("?vip=false", key)).map(({ email }) => email)).toEqual(["only@second.example"]);
    expect(await list("?vip=true", key)).toEqual([]);
  });

  test.each(["yes", "1", "0", "True", "FALSE", "", "null"])("%j is not a boolean: 400", async (value) => {
    const { status, json } = await s.h.call("GET", `/contacts?vip=${value}`);
    expect([status, json.error.code, json.error.param]).toEqual([400, "invalid_params", "vip"]);
  });
});

test("a key bound to one mailbox gets and finds only the addresses that occur in that mailbox", async () => {
  const second = s.connect(s.h.user.id, "ada@second.example");
  s.arrive({ from: ann });
  s.arrive({ from: { name: "Ann Lee", email: "alee@home.example" } }, second);
  const key = s.h.newKey({ account_id: s.account.id }).secret;
  expect(await list("", key)).toMatchObject([{ name: "Ann Lee", emails: ["ann.lee@work.example"], threads: 1 }]);
  expect(await list("?q=home.example", key)).toEqual([]);
  expect((await list("?q=home.example"))[0]!.emails).toHaveLength(2);
});

test("a stranger who uses a known name does not become the address to write to", async () => {
  s.arrive({
    role: "sent",
    from: { name: "Ada", email: "ada@example.org" },
    to: [{ name: "Ann Lee", email: "ann.lee@work.example" }],
  });
  s.arrive({ from: { name: "Ann Lee", email: "ann.lee@evil.example" } });
  expect(await list()).toMatchObject([
    { email: "ann.lee@work.example", emails: ["ann.lee@work.example", "ann.lee@evil.example"] },
  ]);
});

describe("PATCH /contacts/{id}", () => {
  test("sets VIP and notes, encrypted and audited; a repeated Idempotency-Key applies them once", async () => {
    s.arrive({ from: ann });
    const [{ id }] = (await list()) as [Listed];
    const call = () =>
      s.h.call("PATCH", `/contacts/${id}`, {
        body: { vip: true, notes: "Prefers calls" },
        headers: { "Idempotency-Key": "k1" },
      });
    const answer = await call();
    expect([answer.status, answer.json]).toEqual([200, { id, vip: true }]);
    expect((await call()).headers.get("idempotency-replayed")).toBe("true");
    expect(await list("?vip=true")).toMatchObject([{ id, vip: true, notes: "Prefers calls" }]);
    expect(audit()).toMatchObject([
      {
        action: "contact.update",
        target: id,
        before: { vip: false, notes: "" },
        after: { vip: true, notes: "Prefers calls" },
        request_id: answer.headers.get("x-request-id"),
      },
    ]);
    const row = s.h.platform.db.sql.query<{ notes: Uint8Array }, []>("SELECT notes FROM contacts").get()!;
    expect(Buffer.from(row.notes).toString("latin1")).not.toContain("Prefers");
  });

  test("a no-op change is not recorded", async () => {
    s.arrive({ from: ann });
    const [{ id }] = (await list()) as [Listed];
    await s.h.call("PATCH", `/contacts/${id}`, { body: { vip: false } });
    expect(audit()).toEqual([]);
  });

  test("another user's contact, an unknown one and a malformed id are not found", async () => {
    const eve = s.h.newUser("eve@example.org");
    const theirs = s.connect(eve.id, "eve@example.org");
    s.arrive({ from: ann }, theirs);
    const { id } = s.h.platform.db.sql.query<{ id: string }, []>("SELECT id FROM contacts").get()!;
    for (const target of [id, id.replace(/.$/, "0"), "cnt_x"]) {
      const { status, json } = await s.h.call("PATCH", `/contacts/${target}`, { body: { vip: true } });
      expect([status, json.error.code]).toEqual([404, "not_found"]);
    }
    expect(await list()).toEqual([]);
    expect(audit()).toEqual([]);
  });

  test("a marked contact outlives its mail, and its old id still works after a merge", async () => {
    const { message_id } = s.arrive({ from: ann });
    const [before] = (await list()) as [Listed];
    await s.h.call("PATCH", `/contacts/${before.id}`, { body: { vip: true } });
    s.h.platform.db.sql.query("DELETE FROM messages WHERE id = ?").run(message_id);
    expect(await list()).toMatchObject([{ id: before.id, threads: 0, last_contact: null }]);
    s.arrive({ from: { name: "", email: "alee@home.example" } });
    const [second] = (await list()) as [Listed];
    await s.h.call("PATCH", `/contacts/${second.id}`, { body: { notes: "from home" } });
    s.arrive({ from: { name: "Ann Lee", email: "alee@home.example" } });
    expect(await list()).toMatchObject([{ id: before.id, vip: true, notes: "from home", threads: 2 }]);
    expect((await s.h.call("PATCH", `/contacts/${second.id}`, { body: { vip: false } })).json.id).toBe(before.id);
  });

  test("notes have a maximum length", async () => {
    s.arrive({ from: ann });
    const [{ id }] = (await list()) as [Listed];
    const { status, json } = await s.h.call("PATCH", `/contacts/${id}`, { body: { notes: "x".repeat(20_001) } });
    expect([status, json.error.param]).toEqual([400, "notes"]);
  });
});

describe("POST /contacts/import", () => {
  const send = (text: string, key?: string) => {
    const body = new FormData();
    body.set("file", new File([text], "a.vcf"));
    return s.h.call("POST", "/contacts/import", { body, ...(key ? { key } : {}) });
  };
  const cardOf = (email: string) => `BEGIN:VCARD\nVERSION:3.0\nFN:Zoë\nEMAIL:${email}\nEND:VCARD\n`;

  test("imports an address book", async () => {
    const { status, json } = await send(cardOf("zoe@far.example") + cardOf(""));
    expect([status, json]).toEqual([200, { imported: 1, skipped: 1 }]);
    expect(await list()).toMatchObject([{ name: "Zoë", email: "zoe@far.example", last_contact: null }]);
  });

  test("refuses a file without cards, a file with too many cards, and a key bound to one mailbox", async () => {
    const key = s.h.newKey({ account_id: s.account.id }).secret;
    for (const answer of [
      await send("hello"),
      await send(cardOf("a@x.example").repeat(5_001)),
      await send(cardOf("a@x.example"), key),
      await s.h.call("POST", "/contacts/import", { body: new FormData() }),
    ]) {
      expect([answer.status, answer.json.error.param]).toEqual([400, "file"]);
    }
    expect(await list()).toEqual([]);
  });
});

test("an unmarked contact without mail is deleted; one with only spam stays stored but unlisted", async () => {
  const gone = s.arrive({ from: ann });
  const kept = s.arrive({ from: { name: "", email: "kept@x.example" } });
  s.arrive({ role: "spam", from: { name: "", email: "prince@spam.example" } });
  await s.h.call("PATCH", `/contacts/${(await list("?q=kept"))[0]!.id}`, { body: { vip: true } });
  for (const { message_id } of [gone, kept]) {
    s.h.platform.db.sql.query("DELETE FROM messages WHERE id = ?").run(message_id);
  }
  await list();
  s.people.contactStore.prune();
  expect(s.h.platform.db.sql.query("SELECT count(*) AS n FROM contacts").get()).toEqual({ n: 2 });
  expect((await list()).map(({ email }) => email)).toEqual(["kept@x.example"]);
});

test("names and addresses are not on disk in plaintext", async () => {
  s.arrive({ from: { name: "Zebulon Quirk", email: "zquirk@hidden.example" } });
  await list();
  for (const table of ["contacts", "contact_addresses"]) {
    for (const row of s.h.platform.db.sql.query(`SELECT * FROM ${table}`).values()) {
      const text = row.map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : value));
      expect(text.join("|")).not.toMatch(/zebulon|quirk|hidden/i);
    }
  }
});
