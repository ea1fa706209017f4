import { createHash } from "node:crypto";
import { join } from "node:path";
import { brotliCompressSync, constants as zlib } from "node:zlib";

/** A file of the settings page, ready to be served. */
export interface WebAsset {
  /** Under `app/assets/`, with a hash of its content in it: "app-1f3c0a9b7e2d.js". */
  name: string;
  /** Content-Type. */
  type: string;
  plain: Uint8Array;
  gzip: Uint8Array;
  brotli: Uint8Array;
}

/** The files of the settings page and of the API reference, and the names of those that their HTML documents load. */
export interface WebApp {
  assets: WebAsset[];
  script: string;
  style: string;
  /** Runs before the first paint and applies the chosen theme. */
  early: string;
  /** The script of the API reference. */
  docs: string;
}

const SOURCE = import.meta.dir;
const HASH_CHARS = 12;

/** Bundles the settings page and the script of the API reference from source. @throws Error with the bundler's messages */
export async function bundleWebApp(): Promise<WebApp> {
  const [script, early, style, docs] = await Promise.all([
    bundle("app/main.tsx", "app", "text/javascript; charset=utf-8"),
    bundle("app/early.ts", "early", "text/javascript; charset=utf-8"),
    bundle("app/styles/app.css", "app", "text/css; charset=utf-8"),
    bundle("docs/docs.ts", "docs", "text/javascript; charset=utf-8"),
  ]);
  const names = { script: script.name, style: style.name, early: early.name, docs: docs.name };
  return { assets: [script, early, style, docs], ...names };
}

async function bundle(entry: string, name: string, type: string): Promise<WebAsset> {
  const result = await Bun.build({
    entrypoints: [join(SOURCE, entry)],
    target: "browser",
    // The early script must be a classic script, because modules run only after the document is parsed.
    format: name === "early" ? "iife" : "esm",
    minify: true,
    define: { "process.env.NODE_ENV": '"production"' },
    throw: false,
  });
  const [file, ...more] = result.outputs;
  if (!result.success || !file || more.length > 0) {
    throw new Error(`web/${entry}: ${result.logs.map(String).join("\n") || "expected a single output file"}`);
  }
  return compressed(name, type, new Uint8Array(await file.arrayBuffer()));
}

function compressed(name: string, type: string, plain: Uint8Array): WebAsset {
  const hash = createHash("sha256").update(plain).digest("hex").slice(0, HASH_CHARS);
  const extension = type.startsWith("text/css") ? "css" : "js";
  return {
    name: `${name}-${hash}.${extension}`,
    type,
    plain,
    // The output of zlib can depend on the processor, that of libdeflate does not.
    gzip: Bun.gzipSync(new Uint8Array(plain), { level: 9, library: "libdeflate" }),
    brotli: new Uint8Array(
      brotliCompressSync(plain, {
        params: { [zlib.BROTLI_PARAM_SIZE_HINT]: plain.length, [zlib.BROTLI_PARAM_QUALITY]: 11 },
      }),
    ),
  };
}
