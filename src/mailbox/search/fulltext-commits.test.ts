import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { asLines } from "../../../test/invariants/check.ts";
import type { Finding } from "../../../test/invariants/finding.ts";
import { checkFullText } from "../../../test/invariants/fulltext.ts";
import { type FullDisk, fullDisk } from "../../../test/support/full-disk.ts";
import { readIndex } from "../../../test/support/index-content.ts";
import { IndexModel, SOON, settle } from "../../../test/support/index-model.ts";
import { manyWords, onlyText } from "../../../test/support/naive-index.ts";
import { type Scratch, scratchPlatform } from "../../../test/support/scratch-platform.ts";
import { FileTexts } from "./file-texts.ts";
import { readTerms } from "./indexable.ts";
import { openForIndex, Reindexer } from "./reindex.ts";
import { repairIndex } from "./repair.ts";

/*
 * A process that ends leaves what it has committed. So these tests let each commit of the work on an index fail in
 * turn, and all commits after it. What is left must be complete, and work that resumes from it must end like
 * undisturbed work.
 */

/** More commits than any test here makes. */
const MAX_COMMITS = 200;

let s: Scratch;
let disk: FullDisk;
beforeEach(() => open());
afterEach(() => s.close());

function open(): void {
  s = scratchPlatform();
  disk = fullDisk(s.platform.db.sql);
}

/**
 * Runs `begin`, `work` and `after` once for each commit of the work, which fails from that commit on.
 * @returns the number of commits
 */
async function endAtEach<T>(
  begin: () => Promise<T>,
  work: (of: T) => Promise<void>,
  after: (of: T, commit: number) => Promise<void>,
): Promise<number> {
  for (let commit = 0; commit < MAX_COMMITS; commit++) {
    if (commit > 0) {
      s.close();
      open();
    }
    const of = await begin();
    disk.watch(commit);
    const end = await work(of).then(
      () => null,
      (error: Error & { code?: string }) => error,
    );
    if (end !== null && end.code !== "SQLITE_FULL") throw end;
    disk.free();
    await after(of, commit);
    if (end === null) return commit;
  }
  throw new Error("the work never ends");
}

const count = (of: string) => s.platform.db.sql.query<{ c: number }, []>(`SELECT count(*) AS c FROM ${of}`).get()!.c;

function faults(): string[] {
  const found: Finding[] = [];
  const miss = (rule: string, what: string) => void found.push({ rule, what });
  checkFullText({ platform: s.platform, settled: false, deliveries_may_wait: false, miss });
  return asLines(found);
}

/** Faults, except that the mail of a model is indexed with words that are not its text. */
const faultsOfModel = () => faults().filter((line) => !line.includes("with wrong words"));

describe("a process that ends at any commit", () => {
  test("of maintaining an index leaves each message in it once, and deleted messages are not found", async () => {
    const commits = await endAtEach(
      async () => {
        const model = new IndexModel(s);
        // A large segment that is only rewritten for its deleted messages, small ones to merge, and pending messages.
        for (let i = 0; i < 21; i++) {
          model.add(onlyText(`invoice number${i}`));
          if (i % 3 === 2 && i < 18) await model.flush();
          if (i === 11) await model.maintain();
        }
        for (const at of [0, 4, 19]) model.delete(model.numbers[at]!);
        for (const at of [1, 7, 15]) model.replace(model.numbers[at]!, onlyText(`invoices again${at}`));
        return model;
      },
      (model) => model.maintain({ flush: true, compact: true }),
      async (model) => {
        const asked = ["invoice", "inv*", "number0", "number4", "again7"];
        model.checkContent();
        model.checkSearch(asked);
        expect(faultsOfModel()).toEqual([]);
        await settle(model);
        expect(faultsOfModel()).toEqual([]);
      },
    );
    expect(commits).toBeGreaterThan(15);
  }, 240_000);

  test("of a merge that stores its blocks in several transactions leaves no unused block", async () => {
    let hadBlocks = 0;
    const blocksOf = (state: string) =>
      count(`search_blocks WHERE id / 8388608 IN (SELECT id FROM search_segments WHERE state = '${state}')`);
    const commits = await endAtEach(
      async () => {
        const model = new IndexModel(s);
        for (let i = 0; i < 2; i++) {
          model.add(onlyText(manyWords(50_000, i * 50_000)));
          await model.flush();
        }
        return model;
      },
      (model) => model.maintain(),
      async (model) => {
        if (blocksOf("building") > 0) hadBlocks++;
        expect(faultsOfModel()).toEqual([]);
        await model.maintain({ flush: true, compact: true });
        expect(faultsOfModel()).toEqual([]);
        expect(count("search_segments WHERE state <> 'live'")).toBe(0);
      },
    );
    expect(commits).toBeGreaterThan(4);
    expect(hadBlocks).toBeGreaterThan(0);
  }, 240_000);

  test("of a repair leaves each message in the index or queued for it", async () => {
    const FILE = "enclosed cedar";
    const commits = await endAtEach(
      async () => {
        const model = new IndexModel(s);
        const { account, deliver } = model.mail;
        const numbers: number[] = [];
        for (let i = 0; i < 12; i++) {
          const { message_id } = deliver({ text: `invoice number${i}` });
          const row = s.platform.db.sql.query<{ n: number }, [string]>("SELECT n FROM messages WHERE id = ?");
          const { n } = row.get(message_id)!;
          const [message] = openForIndex(s.platform, model.user_id, [n]);
          model.index.add(model.user_id, n, message!.internalDate, readTerms(model.index.reader, message!));
          numbers.push(n);
          if (i % 3 === 2 && i < 9) await model.flush();
        }
        const files = new FileTexts(s.platform, model.index);
        s.platform.db.sql.run("DELETE FROM messages WHERE n = ?", [numbers.shift()!]);
        files.note(numbers[0]!, account.id);
        files.store(model.user_id, numbers[0]!, FILE);
        s.platform.db.sql.run(
          "UPDATE search_segments SET head = zeroblob(541) WHERE id IN (SELECT id FROM search_segments WHERE state = 'live' ORDER BY id DESC LIMIT 2)",
        );
        s.platform.db.sql.run("UPDATE search_pending SET data = zeroblob(541) WHERE n = ?", [numbers[0]!]);
        return { model, numbers, files };
      },
      async (of) => repairAll(of, FILE),
      async (of, commit) => {
        // Until the first commit, the damage has not been detected.
        if (commit > 0) expect(faults()).toEqual([]);
        await repairAll(of, FILE);
        expect(faults()).toEqual([]);
        const { model, numbers } = of;
        const indexed = readIndex(s.platform, model.user_id, { deleted: true });
        expect(indexed.map(({ n }) => n).toSorted((a, b) => a - b)).toEqual(numbers);
        expect([model.find("invoice"), model.find("number0"), model.find("cedar")]).toEqual([
          numbers,
          [],
          [numbers[0]!],
        ]);
        expect(["search_queue", "search_deleted", "search_pending"].map(count)).toEqual([0, 0, 0]);
      },
    );
    expect(commits).toBeGreaterThan(5);
  }, 240_000);
});

interface Repaired {
  model: IndexModel;
  files: FileTexts;
}

/** Runs the steps in the order in which the jobs run them. @param fileText of each message that has files */
async function repairAll({ model, files }: Repaired, fileText: string): Promise<void> {
  repairIndex(s.platform, model.user_id, []);
  // Attachments of mail that is still queued are read as well.
  for (const { n } of files.waiting(model.mail.account.id, 10)) files.store(model.user_id, n, fileText);
  const reindexer = new Reindexer(s.platform, model.index);
  while (reindexer.reindexBatch(model.user_id).hasMore);
  await model.index.maintain(model.user_id, { ...SOON, flush: true, compact: true });
}
