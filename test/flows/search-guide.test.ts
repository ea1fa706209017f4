import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { seedPerson } from "../../src/app/sandbox.ts";
import { NO_SEMANTIC_SEARCH } from "../../src/app/search.ts";
import { SearchService } from "../../src/features/search/service.ts";
import { createMailbox } from "../../src/mailbox/mailbox.ts";
import { OPERATORS } from "../../src/mailbox/search/operators.ts";
import { type Scratch, scratchPlatform } from "../support/scratch-platform.ts";

/** The examples of docs/search.md, on the mail of the sandbox. */

const PAGE = readFileSync(join(import.meta.dir, "../../docs/search.md"), "utf8");
/** Examples without such mail in the sandbox, or whose result depends on the date; for operators, see the table. */
const FINDS_NOTHING = new Set(["checkup", "30 October", "30. Oktober", "30/10/2026"]);

let s: Scratch;
let search: (query: string) => Promise<number>;
beforeAll(async () => {
  s = scratchPlatform();
  const { platform, user } = s;
  const mailbox = createMailbox(platform);
  await seedPerson(platform, mailbox, user.id);
  const service = new SearchService({ platform, mailbox, semantic: NO_SEMANTIC_SEARCH });
  const scope = { user_id: platform.users.sandboxOf(user.id).id, account_id: null };
  search = async (query) => (await service.find(scope, query, "keyword")).rows.length;
}, 60_000);
afterAll(() => s.close());

/** Returns the code in the first column of the table under a heading, with the rest of the row. */
function examplesOf(heading: string): { query: string; rest: string }[] {
  const section = PAGE.split(`\n## ${heading}\n`)[1]!.split("\n## ")[0]!;
  const rows = [...section.matchAll(/^\| (`.+?) \| (.*) \|$/gm)];
  return rows.flatMap(([, first, rest]) =>
    [...first!.matchAll(/`([^`]+)`/g)].map(([, query]) => ({ query: query!, rest: rest! })),
  );
}

test.each(["Words", "Tolerant matching"])("%s: every example finds mail of the sandbox", async (heading) => {
  const examples = examplesOf(heading);
  expect(examples.length).toBeGreaterThan(5);
  for (const { query } of examples) {
    const found = await search(query);
    if (!FINDS_NOTHING.has(query)) expect([query, found > 0]).toEqual([query, true]);
  }
});

test.each([...OPERATORS])("%s: every example of the operator finds mail of the sandbox", async (_, { examples }) => {
  for (const { query, inSandbox } of examples) {
    const found = await search(query);
    if (inSandbox !== false) expect([query, found > 0]).toEqual([query, true]);
  }
});

test("the examples of text are searched for, and those with an invalid value are refused", async () => {
  const examples = examplesOf("Text or operator");
  expect(examples.some(({ rest }) => rest.startsWith("400"))).toBe(true);
  for (const { query, rest } of examples) {
    const wanted = rest.startsWith("400") ? "invalid_params" : null;
    const code = await search(query).then(
      () => null,
      (error: { code: string }) => error.code,
    );
    expect([query, code]).toEqual([query, wanted]);
  }
});
