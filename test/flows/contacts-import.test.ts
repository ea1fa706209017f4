import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommandLine } from "../../src/cli/program.ts";
import { contactRoutes } from "../../src/features/contacts/routes.ts";
import { peopleFixture } from "../support/people-fixture.ts";

const CARDS = `BEGIN:VCARD
VERSION:3.0
FN:Ann Lee-Moss
EMAIL:ann.lee@work.example
EMAIL:annie@home.example
NOTE:Prefers calls
END:VCARD
BEGIN:VCARD
VERSION:3.0
FN:No Address
TEL:+351
END:VCARD
BEGIN:VCARD
VERSION:4.0
FN:Zoe
EMAIL:zoe@far.example
END:VCARD
`;

/** `postroom contact import` beside a running server, on a mailbox that already has some of the people. */
describe("an address book", () => {
  const folder = mkdtempSync(join(tmpdir(), "postroom-import-"));
  const file = join(folder, "contacts.vcf");
  writeFileSync(file, CARDS);
  const s = peopleFixture((people) => contactRoutes(people.contacts), { data_dir: join(folder, "data") });
  afterAll(() => {
    s.h.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const run = async (path = file) => {
    const output: string[] = [];
    const log = console.log;
    console.log = (line: string) => output.push(line);
    try {
      const code = await runCommandLine([
        "contact",
        "import",
        path,
        "--user",
        "ada@example.org",
        "--data",
        join(folder, "data"),
      ]);
      return [code, output.join("\n")];
    } finally {
      console.log = log;
    }
  };
  const list = async () => (await s.h.call("GET", "/contacts")).json.data;

  test("joins the addresses that it lists for one person, and adds people who never wrote", async () => {
    s.arrive({ from: { name: "Ann", email: "ann.lee@work.example" } });
    s.arrive({ from: { name: "Annie", email: "annie@home.example" } });
    expect(await list()).toHaveLength(2);
    expect(await run()).toEqual([0, "Imported 2 cards, skipped 1 without an address."]);
    expect(await list()).toMatchObject([
      { name: "Ann Lee-Moss", threads: 2, notes: "Prefers calls" },
      { name: "Zoe", email: "zoe@far.example", threads: 0, last_contact: null },
    ]);
    expect(s.h.platform.audit.list(s.h.user.id, { limit: 5, action: "contact.import" })).toMatchObject([
      { actor: { kind: "user" }, after: { imported: 2, skipped: 1 } },
    ]);
  });

  test("with one card makes one contact", async () => {
    const one = join(folder, "one.vcf");
    writeFileSync(one, CARDS.slice(CARDS.lastIndexOf("BEGIN:VCARD")));
    expect(await run(one)).toEqual([0, "Imported 1 card."]);
  });

  test("imported twice changes nothing, and names from mail do not take precedence over it", async () => {
    const before = await list();
    await run();
    s.arrive({ from: { name: "A. Lee", email: "ann.lee@work.example" }, references: ["<none@x.example>"] });
    expect((await list()).map(({ id, name }: { id: string; name: string }) => [id, name])).toEqual(
      before.map(({ id, name }: { id: string; name: string }) => [id, name]),
    );
  });
});
