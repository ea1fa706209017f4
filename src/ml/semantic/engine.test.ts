import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { cpSync, mkdirSync, readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { type Scratch, scratchPlatform } from "../../../test/support/scratch-platform.ts";
import { seedMailbox } from "../../../test/support/seed-mail.ts";
import type { Clock } from "../../kernel/clock.ts";
import { systemClock } from "../../platform/clock.ts";
import { BUILT_IN_ID, findModel } from "../embedding/model.ts";
import { type BackfillParts, EMBED_JOB, embedHandler, type Waiting } from "./backfill.ts";
import { SemanticEngine } from "./engine.ts";

/** The real model with a handful of messages. */

const MAIL: Record<string, string> = {
  "Meeting on Thursday": "Can we move our meeting to another day? I have to see the dentist.",
  "Your invoice": "The bill for March is attached. Please pay within two weeks.",
  "Kernel oops": "The patch fixes a race condition in the i2c driver when the bus is suspended.",
  Rechnung: "Die Rechnung ist noch nicht bezahlt und wir bitten Sie um Nachricht.",
};

let s: Scratch;
let subjects: Map<number, string>;
let importing = false;

beforeEach(() => {
  s = scratchPlatform();
  importing = false;
  const seeded = seedMailbox(s.platform, s.user.id);
  subjects = new Map();
  for (const [subject, text] of Object.entries(MAIL)) {
    const { message_id } = seeded.deliver({ subject, text });
    const { n } = s.platform.db.sql
      .query<{ n: number }, [string]>("SELECT n FROM messages WHERE id = ?")
      .get(message_id)!;
    subjects.set(n, subject);
    s.platform.db.sql
      .query("INSERT INTO embed_queue (message_n, user_id, account_id, at) VALUES (?, ?, ?, ?)")
      .run(n, s.user.id, seeded.account.id, n);
  }
});
afterEach(() => s.close());

const open = (_: string, numbers: readonly number[]): Waiting[] =>
  numbers.map((n) => {
    const subject = subjects.get(n)!;
    const text = MAIL[subject]!;
    return { n, subject, text, new_text: text, language: subject === "Rechnung" ? "de" : "en" };
  });

const handlerOf = (engine: SemanticEngine, parts: Partial<BackfillParts> = {}) =>
  embedHandler({
    engine,
    clock: systemClock,
    open,
    isImporting: () => importing,
    isHeldBack: () => false,
    mayContinue: () => true,
    onProgress: () => {},
    onNoModel: () => {},
    ...parts,
  });

async function backfill(engine: SemanticEngine, handler = handlerOf(engine)) {
  const job = { id: "job_1", kind: EMBED_JOB, dedupe_key: null, user_id: s.user.id, payload: { user_id: s.user.id } };
  return handler.run({ ...job, attempt: 1 });
}

/** Copies the built-in model's weights to another name, in the layout of downloaded models. */
async function layOut(name: string): Promise<void> {
  const builtIn = await findModel(s.data_dir, "built-in");
  const folder = join(s.data_dir, "models", name);
  cpSync(builtIn.path, folder, { recursive: true });
  mkdirSync(join(folder, "onnx"));
  renameSync(join(folder, "model_quantized.onnx"), join(folder, "onnx", "model_quantized.onnx"));
}

const ask = (engine: SemanticEngine, text: string) =>
  engine.search({ user_id: s.user.id, text, limit: 10, candidates: [...subjects.keys()], within: null });

describe("the built-in model", () => {
  test("finds related text with different words, and gives unsupported languages no weight", async () => {
    const engine = new SemanticEngine(s.platform);
    expect(await ask(engine, "anything")).toMatchObject({ near: [], indexed: 0, waiting: 4 });
    expect((await backfill(engine)).outcome).toBe("done");
    const best = async (text: string) => subjects.get((await ask(engine, text)).near[0]!.n);
    expect(await best("find another day for the meeting")).toBe("Meeting on Thursday");
    expect(await best("a bill that I have to pay")).toBe("Your invoice");
    expect(await best("a bug in a device driver")).toBe("Kernel oops");
    const answer = await ask(engine, "unpaid invoice");
    expect(answer).toMatchObject({ indexed: 4, waiting: 0 });
    expect([...answer.near, ...answer.candidates].map(({ n }) => subjects.get(n))).not.toContain("Rechnung");
    await engine.close();
  });

  test("during a first sync embeds only mail of the last day", async () => {
    importing = true;
    const engine = new SemanticEngine(s.platform);
    const [newest] = [...subjects.keys()].reverse();
    s.platform.db.sql
      .query("UPDATE embed_queue SET at = ? WHERE message_n = ?")
      .run(systemClock.now() - 60_000, newest!);
    expect((await backfill(engine)).outcome).toBe("retry");
    expect(engine.store.waitingCount(s.user.id)).toBe(3);
    await engine.close();
  });

  test("mail that is held back waits, and in the middle of a job, too", async () => {
    const engine = new SemanticEngine(s.platform);
    expect((await backfill(engine, handlerOf(engine, { isHeldBack: () => true }))).outcome).toBe("retry");
    expect(engine.store.waitingCount(s.user.id)).toBe(4);
    let first = true;
    const next = () => {
      const held = !first;
      first = false;
      return held;
    };
    expect((await backfill(engine, handlerOf(engine, { isHeldBack: next }))).outcome).toBe("retry");
    expect(engine.store.waitingCount(s.user.id)).toBe(0);
    expect((await backfill(engine)).outcome).toBe("done");
    await engine.close();
  });

  test("returns no semantic results for words that the model does not support", async () => {
    const engine = new SemanticEngine(s.platform);
    await backfill(engine);
    const search = (text: string) =>
      engine.search({ user_id: s.user.id, text, limit: 10, candidates: [...subjects.keys()], within: null });
    for (const text of [
      "qwertyuiopzz",
      "xkcdvbn",
      "динозавр",
      "Hubschrauber",
      "https://example.org/quarry",
      "12 34 €",
    ]) {
      expect(await search(text)).toMatchObject({ near: [], candidates: [] });
    }
    for (const text of ["quarry", "neoplasm immunology", "mother coming to visit by plane"]) {
      expect((await search(text)).near).not.toBeEmpty();
    }
    await engine.close();
  });

  test("leaves nothing outside the data folder", async () => {
    const home = join(s.data_dir, "home");
    mkdirSync(home);
    const script = join(s.data_dir, "embed.ts");
    const source = join(import.meta.dir, "..");
    await Bun.write(
      script,
      `import { Embedder } from ${JSON.stringify(join(source, "embedding/embedder.ts"))};
       import { findModel } from ${JSON.stringify(join(source, "embedding/model.ts"))};
       const embedder = await Embedder.load(await findModel(${JSON.stringify(s.data_dir)}, "built-in"), "unused");
       await embedder.query("hello"); await embedder.close();`,
    );
    const env = {
      ...process.env,
      HOME: home,
      XDG_CACHE_HOME: join(home, ".cache"),
      BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0",
    };
    const { exitCode } = Bun.spawnSync([process.execPath, script], { env, cwd: home });
    expect([exitCode, readdirSync(home)]).toEqual([0, []]);
  });
});

describe("another model", () => {
  test("embeds all mail again, and the previous model answers until that is done", async () => {
    const before = new SemanticEngine(s.platform);
    await backfill(before);
    await before.close();
    await layOut("mine");
    s.clock.advance(1_000);
    const platform = s.another({ "embedding.model": "mine" });
    const engine = new SemanticEngine(platform);
    const during = await ask(engine, "find another day for the meeting");
    expect(during).toMatchObject({ waiting: 4, indexed: 4 });
    expect(subjects.get(during.near[0]!.n)).toBe("Meeting on Thursday");
    expect((await backfill(engine)).outcome).toBe("done");
    const models = platform.db.sql.query<{ model: string }, []>("SELECT DISTINCT model FROM vectors").all();
    expect(models).toHaveLength(1);
    expect(models[0]!.model).toStartWith("mine@");
    const after = await ask(engine, "find another day for the meeting");
    expect(after).toMatchObject({ waiting: 0, indexed: 4 });
    // The model does not declare its languages.
    expect(after.candidates).toHaveLength(4);
    await engine.close();
  });

  test("that is missing causes an error with the path of its folder", async () => {
    const platform = s.another({ "embedding.model": "absent" });
    const engine = new SemanticEngine(platform);
    await expect(ask(engine, "x")).rejects.toThrow(/models\/absent/);
    expect(engine.store.adopted()).toBeNull();
    expect(BUILT_IN_ID).toMatch(/^use-lite@\d+$/);
  });

  test("that is missing is looked for once a minute, however much mail arrives, until it is installed", async () => {
    const { clock } = s;
    const engine = new SemanticEngine(s.another({ "embedding.model": "late" }));
    const reasons: string[] = [];
    const hands: Clock = { now: () => clock.now(), after: (ms, fn) => systemClock.after(ms, fn) };
    const handler = handlerOf(engine, { clock: hands, onNoModel: (error) => void reasons.push(String(error)) });
    const inAMinute = clock.now() + 60_000;
    expect(await backfill(engine, handler)).toEqual({ outcome: "retry", run_at: inAMinute });
    clock.advance(1_000);
    expect(await backfill(engine, handler)).toEqual({ outcome: "retry", run_at: inAMinute });
    expect(reasons).toEqual([expect.stringContaining("models/late")]);
    await layOut("late");
    clock.advance(60_000);
    expect((await backfill(engine, handler)).outcome).toBe("done");
    expect(reasons).toHaveLength(1);
    await engine.close();
  });
});
