import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

const ROOT = resolve(import.meta.dir, "..");
const transpiler = new Bun.Transpiler({ loader: "ts" });

/** Returns what a module of ours loads at once: our modules by path, and packages by name. */
function loadedWith(entry: string): Set<string> {
  const loaded = new Set<string>();
  const waiting = [join(ROOT, entry)];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (loaded.has(relative(ROOT, file))) continue;
    loaded.add(relative(ROOT, file));
    if (!file.endsWith(".ts")) continue;
    for (const { kind, path } of transpiler.scanImports(readFileSync(file, "utf8").replace(/^#!.*/, ""))) {
      if (kind !== "import-statement" || /^(?:node|bun)(?::|$)/.test(path)) continue;
      if (path.startsWith(".")) waiting.push(resolve(dirname(file), path));
      else loaded.add(path.split("/", path.startsWith("@") ? 2 : 1).join("/"));
    }
  }
  return loaded;
}

const among = (loaded: ReadonlySet<string>, ...starts: string[]) =>
  [...loaded].filter((name) => starts.some((start) => name.startsWith(start)));

test("the command line loads only the command that is run", () => {
  const loaded = loadedWith("src/cli/program.ts");
  expect(among(loaded, "src/app/", "src/mailbox/", "src/features/", "drizzle-orm", "elysia")).toEqual([]);
});

test("a check of health loads neither the database nor the server", () => {
  const loaded = loadedWith("src/cli/health.ts");
  expect(among(loaded, "src/app/", "src/mailbox/", "src/platform/db/", "drizzle-orm", "elysia")).toEqual([]);
});

test("a server loads mail clients and the code for language when they are first used", () => {
  const loaded = loadedWith("src/app/app.ts");
  expect(
    among(
      loaded,
      ...["src/features/ai/ask/extractive.ts", "src/features/ai/write-draft.ts", "src/ml/extract/instructions/"],
      ...["src/ml/extract/conversation.ts", "src/sandbox/sample-mail.ts", "src/wire/logins.ts"],
      ...["imapflow", "age-encryption"],
    ),
  ).toEqual([]);
});

test("workers load no mail client, mail composer or checker of schemas at their start", () => {
  for (const worker of ["mail", "parse", "semantic", "fulltext", "brief"]) {
    const loaded = loadedWith(`src/workers/${worker}.ts`);
    const heavy = ["src/wire/login-test.ts", "@sinclair", "nodemailer", "elysia", "age-encryption"];
    expect({ worker, loaded: among(loaded, ...heavy) }).toEqual({ worker, loaded: [] });
  }
});
