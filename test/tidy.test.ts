import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { GENERATED } from "../tools/docs/pages.ts";
import { TABLES } from "../tools/docs/schema.ts";

/** The rules of docs/architecture.md that can be checked in the source. */

const ROOT = resolve(import.meta.dir, "..");
const NOT_OURS = new Set(["node_modules", ".git", "dist", "data", ".cache"]);

function walk(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    if (NOT_OURS.has(entry.name)) return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? walk(path) : entry.isFile() ? [path] : [];
  });
}

const ALL = walk(".").map((path) => relative(".", path));
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const isTest = (path: string) => /\.test\.ts$/.test(path) || path.startsWith("test/");
const SOURCES = ALL.filter((path) => path.startsWith("src/") && path.endsWith(".ts") && !path.endsWith(".d.ts"));
const PROGRAM = SOURCES.filter((path) => !isTest(path));
/** Counts lines of code, without lines that are comments only. */
const codeOf = (path: string) =>
  read(path)
    .split("\n")
    .filter((line) => !/^\s*(\/\/|\/?\*)/.test(line));

describe("permitted imports", () => {
  const ALLOWED: Record<string, readonly string[]> = {
    kernel: [],
    platform: ["kernel", "migrations", "package.json"],
    backup: ["kernel", "platform"],
    wire: ["kernel", "platform"],
    ml: ["kernel", "platform"],
    http: ["kernel", "platform", "web"],
    mailbox: ["kernel", "platform"],
    inbound: ["kernel", "platform", "wire", "mailbox", "sandbox"],
    sandbox: [],
    outbound: ["kernel", "platform", "wire", "mailbox"],
    features: ["kernel", "platform", "wire", "ml", "http", "mailbox", "outbound", "web", "backup"],
    mcp: ["kernel", "platform", "wire", "http", "outbound"],
    version: ["package.json"],
    cli: ["kernel", "platform", "wire", "ml", "mailbox", "app", "version", "backup", "features/diagnostics"],
    main: ["platform", "app", "cli", "version"],
  };

  /** Returns the module of a file: "kernel", "features/threads", "app". */
  function moduleOf(path: string): string {
    const parts = path.split("/");
    if (parts[0] !== "src") return parts[0]!;
    if (parts[1] === "workers") return "app";
    if (parts.length > 2) return parts[1] === "features" ? `features/${parts[2]}` : parts[1]!;
    return parts[1]!.replace(/\.ts$/, "");
  }

  function importsOf(path: string): string[] {
    const pattern = /(?:\bfrom\s+|\bimport\s+|\bimport\(\s*|new URL\(\s*)"(\.[^"]+)"/g;
    return [...read(path).matchAll(pattern)].map(([, target]) => relative(ROOT, resolve(ROOT, dirname(path), target!)));
  }

  function isAllowed(from: string, to: string): boolean {
    if (from === to || from === "app") return true;
    // A feature never imports another feature.
    return (ALLOWED[from.split("/")[0]!] ?? []).includes(to);
  }

  test("every module is in the table", () => {
    const modules = new Set(PROGRAM.map((path) => moduleOf(path).split("/")[0]!));
    expect([...modules].filter((name) => name !== "app" && !ALLOWED[name])).toEqual([]);
  });

  test("no import violates the table of docs/architecture.md", () => {
    const faults = PROGRAM.flatMap((path) =>
      importsOf(path)
        .filter((target) => !isAllowed(moduleOf(path), moduleOf(target)))
        .map((target) => `${path} imports ${target}`),
    );
    expect(faults).toEqual([]);
  });

  test("no file imports itself through others, including types", () => {
    const imports = new Map(
      PROGRAM.map((path) => [path, importsOf(path).filter((target) => target.startsWith("src/"))]),
    );
    const cycles: string[] = [];
    const state = new Map<string, "open" | "done">();
    const follow = (path: string, trail: readonly string[]): void => {
      if (state.get(path) === "done") return;
      if (state.get(path) === "open") {
        cycles.push([...trail.slice(trail.indexOf(path)), path].join(" → "));
        return;
      }
      state.set(path, "open");
      for (const target of imports.get(path) ?? []) follow(target, [...trail, path]);
      state.set(path, "done");
    };
    for (const path of PROGRAM) follow(path, []);
    expect(cycles).toEqual([]);
  });

  test("the program never imports a test", () => {
    const faults = PROGRAM.filter((path) => importsOf(path).some(isTest));
    expect(faults).toEqual([]);
  });

  test("the settings page imports only types and the event catalog from the server", () => {
    const pages = ALL.filter((path) => /^web\/app\/.*\.tsx?$/.test(path));
    const statement = /^(import|export)\b[^;]*?\bfrom\s+"([^"]+)"/gm;
    const faults = pages.flatMap((path) =>
      [...read(path).matchAll(statement)]
        .filter(([text, , target]) => {
          const outside =
            target!.startsWith(".") && !relative(ROOT, resolve(ROOT, dirname(path), target!)).startsWith("web/app/");
          // The event catalog depends on nothing.
          if (target!.endsWith("/src/kernel/events.ts")) return false;
          const typeOnly = /^(import|export) type\b/.test(text);
          return !typeOnly && (outside || !/^(\.|preact(\/|$)|@preact\/signals$)/.test(target!));
        })
        .map(([, , target]) => `${path} imports ${target}`),
    );
    expect(pages.length).toBeGreaterThan(50);
    expect(faults).toEqual([]);
  });

  test("no utils folders and no barrel files", () => {
    const odd = SOURCES.filter((path) => /(^|\/)(utils?|helpers?|misc|common|shared)(\/|\.ts$)/.test(path));
    const barrels = SOURCES.filter((path) => /(^|\/)index\.ts$/.test(path));
    expect([...odd, ...barrels]).toEqual([]);
  });
});

describe("restricted features of the language and the platform", () => {
  /** Returns lines of the program that match, outside the permitted files. */
  function uses(pattern: RegExp, may: (path: string) => boolean = () => false): string[] {
    return PROGRAM.filter((path) => !may(path)).flatMap((path) =>
      codeOf(path)
        .filter((line) => pattern.test(line))
        .map((line) => `${path}: ${line.trim()}`),
    );
  }

  test("time is read from the clock", () => {
    expect(uses(/\bDate\.now\(|new Date\(\s*\)|\bDate\(\s*\)/, (path) => path === "src/platform/clock.ts")).toEqual([]);
  });

  test("only the command line prints", () => {
    expect(uses(/\bconsole\./, (path) => path.startsWith("src/cli/") || path === "src/main.ts")).toEqual([]);
  });

  test("settings come from the configuration, not from the environment", () => {
    const may = /^src\/(cli\/|platform\/(config|native)\/|app\/|workers\/)/;
    expect(uses(/\bprocess\.env\b/, (path) => may.test(path))).toEqual([]);
  });

  test("wiring has no SQL", () => {
    const found = PROGRAM.filter((path) => /^src\/(app|workers)\//.test(path)).flatMap((path) =>
      codeOf(path)
        .filter((line) => /\b(SELECT|INSERT|UPDATE|DELETE FROM|PRAGMA|DROP TABLE)\b|\.sql\b/.test(line))
        .map((line) => `${path}: ${line.trim()}`),
    );
    expect(found).toEqual([]);
  });

  test("native libraries are loaded in one place, and usearch is called through its wrapper only", () => {
    const loads =
      /\b(from|import\() ?"(usearch|onnxruntime-node|@huggingface\/transformers)"|process\.dlopen|"bun:ffi"/;
    const may = ["load.ts", "binding.ts", "file-pages.ts", "usearch.ts"].map((name) => `src/platform/native/${name}`);
    expect(uses(loads, (path) => may.includes(path))).toEqual([]);
    expect(uses(/\bexactSearch\b/, (path) => path === "src/platform/native/usearch.ts")).toEqual([]);
  });

  test("no query iterates over rows across a yield, because its connection could not write then", () => {
    const may = ["src/backup/snapshot.ts", "src/ml/vectors/store.ts"];
    expect(uses(/\.iterate\(/, (path) => may.includes(path))).toEqual([]);
  });

  test("a table is written only by its owner, the module that declares it", () => {
    const owners = Map.groupBy(TABLES, ({ folder }) => /^src\/((features|platform)\/)?\w+/.exec(folder)![0]);
    for (const [owner, tables] of owners) {
      const names = tables.map(({ name }) => name).join("|");
      const writes = new RegExp(`\\b(INSERT (OR \\w+ )?INTO|UPDATE|DELETE FROM) (${names})\\b(?!\\.)`);
      expect(uses(writes, (path) => path.startsWith(`${owner}/`))).toEqual([]);
    }
  });

  test("no any, and no compiler check is switched off", () => {
    expect(uses(/:\s*any\b(?!\()|\bas any\b|<any>|\bany\[\]/)).toEqual([]);
    const off = SOURCES.filter((path) => /@ts-(ignore|expect-error|nocheck)/.test(read(path)));
    expect(off).toEqual([]);
  });

  test("no TODO comments", () => {
    const left = ALL.filter((path) => /\.(tsx?|sql|md|css|html)$/.test(path) && path !== "test/tidy.test.ts").filter(
      (path) => /\b(TODO|FIXME|XXX|HACK)\b/.test(read(path)),
    );
    expect(left).toEqual([]);
  });
});

describe("names", () => {
  const SNAKE = /\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b/g;
  const LITERAL = /"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;
  /** Names of libraries, protocols, file formats and sealed values of earlier versions that occur nowhere as text. */
  const FOREIGN =
    "access_type airmail_on attendee_count attention_mask auth_time authorize_url check_contracting_rules code_challenge code_challenge_method " +
    "code_verifier earlier_notes email_verified expansion_add expansion_search expires_in ext_openssh_fsync ext_openssh_rename ext_openssh_statvfs f_bavail f_frsize file_key finish_reason first_name flags_untold grant_type granted_at last_hidden_state " +
    "libgcc_s local_files_only login_hint master_key master_keys max_age max_chars searched_instead sends_left_today max_length model_file_name more_variables octet_length passphrase_json pulled_at recovery_json response_format " +
    "response_type retry_after_s retry_in_s sentence_embedding server_thread_id session_options totp_removed valid_to without_rowid z_0 " +
    // Metadata of OAuth: RFC 7591, RFC 8414, RFC 9207, RFC 9728.
    "authorization_endpoint authorization_response_iss_parameter_supported authorization_servers bearer_methods_supported client_id_metadata_document_supported " +
    "client_name client_uri code_challenge_methods_supported error_description grant_types grant_types_supported id_token_signed_response_alg " +
    "id_token_signing_alg_values_supported registration_endpoint resource_name response_modes_supported response_types response_types_supported " +
    "revocation_endpoint revocation_endpoint_auth_methods_supported revocation_endpoint_auth_signing_alg_values_supported scopes_supported subject_types_supported " +
    "token_endpoint token_endpoint_auth_methods_supported token_endpoint_auth_signing_alg_values_supported " +
    // Ollama, llama.cpp and control groups of Linux.
    "context_length default_generation_settings inactive_file n_ctx remote_host";

  test("snake_case is only for names of the API, columns, settings, and formats of others", () => {
    const published = ALL.filter((path) => /^(migrations|test\/golden|config)\/|^docs\/configuration\.md$/.test(path));
    const known = new Set(FOREIGN.split(" "));
    const add = (text: string) => {
      for (const [name] of text.matchAll(SNAKE)) known.add(name);
    };
    for (const path of published) add(read(path));
    for (const path of PROGRAM) for (const [literal] of read(path).matchAll(LITERAL)) add(literal);
    // Schemas of the API of the settings page, and of events.
    for (const path of PROGRAM.filter((one) => /\/model\.ts$|^src\/kernel\/events\.ts$/.test(one)))
      add(codeOf(path).join("\n"));
    // Patterns of other programs' HTML.
    const others = PROGRAM.filter((path) => path !== "src/wire/quotes/html.ts").flatMap((path) =>
      codeOf(path).flatMap((line) =>
        [...line.replace(/\/\/ .*/, "").matchAll(SNAKE)]
          .map(([name]) => name)
          .filter((name) => !known.has(name))
          .map((name) => `${path}: ${name}`),
      ),
    );
    expect([...new Set(others)]).toEqual([]);
  });
});

describe("files", () => {
  test("every worker is an entry point of the executable; otherwise it would run from source only", () => {
    const workers = PROGRAM.filter((path) => /^declare const self\b/m.test(read(path)));
    const [, list] = /ENTRY_POINTS = \[([^\]]+)\]/.exec(read("tools/build/build.ts"))!;
    const entries = [...list!.matchAll(/"(src\/[^"]+)"/g)].map(([, path]) => path!);
    expect(workers.length).toBeGreaterThan(5);
    expect(entries.toSorted()).toEqual(["src/main.ts", ...workers].toSorted());
  });

  const LONGEST_LINES = 400;
  /** Tables, sample texts and other files that are long for a reason. */
  const LONG: Record<string, string> = {
    "src/mailbox/categories/category.test.ts": "one row a case",
    "src/features/connect/connect.test.ts": "one test a failure",
    "src/wire/mime/body.test.ts": "one row a case",
  };

  test(`no file is longer than ${LONGEST_LINES} lines`, () => {
    const long = ALL.filter((path) => /^(src|test|tools|web)\/.*\.tsx?$/.test(path)).filter(
      (path) => read(path).split("\n").length - 1 > LONGEST_LINES,
    );
    expect(long.filter((path) => !LONG[path])).toEqual([]);
    // Remove an exception that is no longer needed.
    expect(Object.keys(LONG).filter((path) => !long.includes(path))).toEqual([]);
  });

  test("every migration is part of the program, and their numbers have no gap", () => {
    const files = ALL.filter((path) => /^migrations\/.*\.sql$/.test(path)).sort();
    const migrate = read("src/platform/db/migrate.ts");
    expect(files.filter((path) => !migrate.includes(`"../../../${path}"`))).toEqual([]);
    expect(files.map((path) => Number(path.slice("migrations/".length).slice(0, 4)))).toEqual(
      files.map((_, i) => i + 1),
    );
    const listed = [...migrate.matchAll(/name: "(\d{4})_\w+", sql: (\w+)/g)];
    const imported = Object.fromEntries(
      [...migrate.matchAll(/import (\w+) from "..\/..\/..\/(migrations\/\w+\.sql)"/g)].map(([, name, file]) => [
        name,
        file,
      ]),
    );
    expect(listed.map(([, , name]) => imported[name!])).toEqual(files);
    expect(listed.map(([, number]) => number)).toEqual(
      files.map((path) => path.slice("migrations/".length).slice(0, 4)),
    );
  });

  test("no path of a particular machine and no package mirror", () => {
    // Written in pieces; otherwise this file would match.
    const machine = new RegExp(
      `(?<![\\w.~-])/(?:${["work", "root", "Users"].join("|")})/|/home/(?!postroom|ada|node\\b)[a-z]`,
    );
    const mirror = new RegExp(["registry", "(npmjs|yarnpkg|npmmirror)"].join("\\."));
    const text = ALL.filter((path) => !/\.(png|jpg|pdf|ico|woff2|onnx|zst|gz)$/.test(path));
    expect(text.filter((path) => machine.test(read(path)))).toEqual([]);
    expect(text.filter((path) => mirror.test(read(path)))).toEqual([]);
    expect(read("bun.lock")).not.toMatch(/https?:\/\//);
  });
});

describe("documents", () => {
  for (const [path, make] of Object.entries(GENERATED)) {
    test(`${path} matches what the program prints; otherwise run: ./dev generate`, async () => {
      expect(read(path)).toBe(await make());
    });
  }

  test("NOTICE names every package that we depend on; otherwise run: bun tools/docs/notice.ts", () => {
    const { dependencies } = JSON.parse(read("package.json")) as { dependencies: Record<string, string> };
    const notice = read("NOTICE");
    const missing = Object.entries(dependencies).filter(
      ([name, version]) => !notice.includes(`\n${name} ${version} (`),
    );
    expect(missing).toEqual([]);
  });

  test("docs/decisions/README.md lists every page", () => {
    const pages = readdirSync(join(ROOT, "docs/decisions")).filter((name) => name !== "README.md");
    const index = read("docs/decisions/README.md");
    expect(pages.filter((name) => !index.includes(`(${name})`))).toEqual([]);
  });

  /** Names in backticks that are no path of the project: placeholders, and results that are not part of it. */
  const NO_PATH = /\bNAME\b|\/results\b/;
  /** Parts of the module names of docs/architecture.md, which documents use without src/. */
  const MODULES = "kernel|platform|backup|wire|ml|http|mailbox|inbound|outbound|features|sandbox|cli|app|workers";
  const PATH = new RegExp(
    `(?<![\\w./:-])((?:src|test|web|tools|config|deploy|migrations|docs|clients|${MODULES})/[\\w./*{},-]+)`,
    "g",
  );

  /** Returns whether a path or pattern, from the root or from src, names a file or a folder, also without ".ts". */
  function isPath(text: string): boolean {
    const path = text.replace(/[.,/]+$/, "");
    if (/[*{]/.test(path)) {
      const glob = new Bun.Glob(path);
      return ALL.some((file) => glob.match(file) || glob.match(dirname(file)));
    }
    return [path, `${path}.ts`, `src/${path}`, `src/${path}.ts`].some((one) => existsSync(join(ROOT, one)));
  }

  test("every file and folder that a document names exists", () => {
    const names = new Set(ALL.map((path) => basename(path)));
    const missing = ALL.filter((path) => path.endsWith(".md")).flatMap((path) => {
      const codes = [...read(path).matchAll(/`([^`\n]+)`/g)].map(([, code]) => code!);
      const paths = codes.flatMap((code) => [...code.matchAll(PATH)].map(([, found]) => found!));
      const files = codes.filter(
        (code) => /^[\w.-]+\.(tsx?|sql)$/.test(code) && path !== "clients/typescript/README.md",
      );
      return [
        ...paths.filter((found) => !NO_PATH.test(found) && !isPath(found)),
        ...files.filter((name) => !names.has(name)),
      ].map((found) => `${path}: ${found}`);
    });
    expect(missing).toEqual([]);
  });

  test("every file and folder that a comment names exists", () => {
    const missing = ALL.filter((path) => /\.(tsx?|sql|toml)$/.test(path)).flatMap((path) =>
      read(path)
        .split("\n")
        .filter((line) => /^\s*(\/\/|\/?\*|--|#)/.test(line))
        .flatMap((line) => [...line.matchAll(/(?<![\w./:-])(?:src|test|web|tools|docs|migrations)\/[\w./-]+/g)])
        .map(([found]) => found.replace(/[.,/]+$/, ""))
        .filter((found) => !isPath(found) && !ALL.some((file) => new RegExp(`^${found}-[^/]+\\.md$`).test(file)))
        .map((found) => `${path}: ${found}`),
    );
    expect(missing).toEqual([]);
  });

  test("every link to a file has a target", () => {
    const dead = ALL.filter((path) => path.endsWith(".md")).flatMap((path) =>
      [...read(path).matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)(?:#[^)]*)?\)/g)]
        .filter(([, target]) => !existsSync(join(ROOT, dirname(path), target!)))
        .map(([, target]) => `${path} → ${target}`),
    );
    expect(dead).toEqual([]);
  });
});
