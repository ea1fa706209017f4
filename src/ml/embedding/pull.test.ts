import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findModel } from "./model.ts";
import { type PullOptions, pulledModels, pullModel, readManifest } from "./pull.ts";

/** A hub on loopback that answers as Hugging Face does, and redirects requests for large files. */

const COMMITS: Record<string, string> = { main: "a".repeat(40), next: "b".repeat(40) };
const MODEL = "maker/small-model";
const folder = mkdtempSync(join(tmpdir(), "postroom-pull-"));

interface Hub {
  files: Record<string, { text: string; lfs: boolean }>;
  /** The bytes actually sent for a file. */
  sent: Record<string, string>;
  /** After this many characters of a file, its connection is cut. */
  cut: Record<string, number>;
  /** Whether parts of files can be requested. */
  ranges: boolean;
  asked: string[];
}
let hub: Hub;
let data_dir: string;
let count = 0;
beforeEach(() => {
  data_dir = join(folder, String(count++));
  hub = {
    files: {
      "config.json": { text: "{}", lfs: false },
      "tokenizer.json": { text: '{"model":{}}', lfs: false },
      "onnx/model_quantized.onnx": { text: "weights", lfs: true },
      "onnx/model.onnx": { text: "larger weights", lfs: true },
      "../../evil.json": { text: "evil", lfs: false },
    },
    sent: {},
    cut: {},
    ranges: true,
    asked: [],
  };
});

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch(request) {
    const { pathname, searchParams } = new URL(request.url);
    const range = request.headers.get("range");
    hub.asked.push(range === null ? pathname : `${pathname} ${range}`);
    const described = /^\/api\/models\/maker\/small-model\/revision\/(.+)$/.exec(pathname);
    if (described) {
      const sha = COMMITS[described[1]!] ?? described[1]!;
      const siblings = Object.entries(hub.files).map(([rfilename, { text, lfs }]) => ({
        rfilename,
        size: text.length,
        ...(lfs
          ? { lfs: { sha256: hashOf("sha256", text), size: text.length } }
          : { blobId: hashOf("sha1", `blob ${text.length}\0${text}`) }),
      }));
      return searchParams.get("blobs") === "true"
        ? Response.json({ sha, siblings })
        : new Response(null, { status: 400 });
    }
    const file = /^\/(?:maker\/small-model\/resolve\/[ab]{40}|cdn)\/(.+)$/.exec(pathname)?.[1];
    if (!file || !hub.files[file]) return new Response("not found", { status: 404 });
    if (hub.files[file].lfs && !pathname.startsWith("/cdn/")) return Response.redirect(`/cdn/${file}`, 302);
    return answer(file, hub.ranges ? range : null);
  },
});
afterAll(async () => {
  await server.stop(true);
  rmSync(folder, { recursive: true, force: true });
});

/** Returns a file or the rest of it. A connection that is to be cut is redirected to a server that does so. */
function answer(file: string, range: string | null): Response {
  if (hub.cut[file] !== undefined) return Response.redirect(`http://127.0.0.1:${cutterPort}/${file}`, 302);
  const text = hub.sent[file] ?? hub.files[file]!.text;
  const from = Number(/^bytes=(\d+)-$/.exec(range ?? "")?.[1] ?? 0);
  const headers = { "content-range": `bytes ${from}-${text.length - 1}/${text.length}` };
  return range === null ? new Response(text) : new Response(text.slice(from), { status: 206, headers });
}

const cutter = createServer((socket) => {
  socket.on("error", () => {});
  socket.once("data", (request) => {
    const file = /^GET \/(\S+)/.exec(request.toString())![1]!;
    const { text } = hub.files[file]!;
    socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${text.length}\r\n\r\n${text.slice(0, hub.cut[file])}`);
    void arrived.promise.then(() => socket.end());
  });
});
const cutterPort = await new Promise<number>((resolve) =>
  cutter.listen(0, "127.0.0.1", () => resolve((cutter.address() as { port: number }).port)),
);
afterAll(() => void cutter.close());

/** The bytes before the cut have arrived. An earlier cut could overtake them. */
let arrived = Promise.withResolvers<void>();

/** Pulls the model until the connection is cut after three characters of the weights. */
async function pullUntilCut(progress: PullOptions["progress"] = () => {}): Promise<void> {
  hub.cut = { "onnx/model_quantized.onnx": 3 };
  arrived = Promise.withResolvers();
  const noting: PullOptions["progress"] = (file, bytes, total) => {
    progress(file, bytes, total);
    if (file in hub.cut && bytes >= 3) arrived.resolve();
  };
  await expect(pull({ progress: noting })).rejects.toThrow("To go on, run the command again.");
  hub.cut = {};
}

const hashOf = (kind: string, text: string) => createHash(kind).update(text).digest("hex");
const pull = (options: Partial<PullOptions> = {}) =>
  pullModel({ data_dir, model: MODEL, revision: "main", hub: server.url.href, nowMs: 0, ...options });
const models = () => (existsSync(join(data_dir, "models/maker")) ? readdirSync(join(data_dir, "models/maker")) : []);

describe("pulling a model", () => {
  test("its files are where embedding.model looks for them, with the smallest weights, pinned to a commit", async () => {
    const pulled = await pull();
    expect(pulled.revision).toBe(COMMITS.main!);
    expect(pulled.files.map(({ name }) => name)).toEqual([
      "config.json",
      "tokenizer.json",
      "onnx/model_quantized.onnx",
    ]);
    expect(hub.asked).toContain(`/maker/small-model/resolve/${COMMITS.main}/config.json`);
    const model = await findModel(data_dir, MODEL);
    expect(model.path).toBe(join(data_dir, "models", MODEL));
    expect(readManifest(model.path)).toEqual(pulled);
    expect(readdirSync(folder)).not.toContain("evil.json");
  });

  test("the same revision is not downloaded again, another replaces it, and a damaged file is fetched again", async () => {
    await pull();
    const before = hub.asked.length;
    await pull();
    expect(hub.asked.length).toBe(before + 1);
    expect((await pull({ revision: "next" })).revision).toBe(COMMITS.next!);
    const weights = join(data_dir, "models", MODEL, "onnx/model_quantized.onnx");
    writeFileSync(weights, "spoilt");
    await expect(findModel(data_dir, MODEL)).rejects.toThrow("changed after it was downloaded");
    await pull({ revision: "next" });
    expect(readFileSync(weights, "utf8")).toBe("weights");
  });

  test("a file that differs from the hub's description is dropped, and the existing files stay", async () => {
    await pull();
    for (const [name, sent] of [
      ["config.json", "{]"],
      ["onnx/model_quantized.onnx", "weight5"],
      ["tokenizer.json", '{"model":{}} and more'],
    ] as const) {
      hub.sent = { [name]: sent };
      await expect(pull({ revision: "next" })).rejects.toThrow(name);
      expect(models()).toEqual(["small-model"]);
      expect(readManifest(join(data_dir, "models", MODEL))?.revision).toBe(COMMITS.main!);
    }
  });

  test("a file with another hash than the program knows is dropped, although the hub announces it", async () => {
    const { files } = await pull();
    await pull({ pinned: files, revision: "next" });
    const pinned = files.map((file) => (file.name === "config.json" ? { ...file, sha256: "0".repeat(64) } : file));
    const next = { pinned, revision: "main" };
    await expect(pull(next)).rejects.toThrow("config.json differs from the hash in this version of Postroom");
    expect(readManifest(join(data_dir, "models", MODEL))?.revision).toBe(COMMITS.next!);
    expect(models()).toEqual(["small-model"]);
  });

  test("what the hub announces is compared with the hashes of the program before anything is downloaded", async () => {
    const { files } = await pull();
    const weights = files.at(-1)!;
    const other = { ...weights, sha256: "0".repeat(64) };
    const asked = hub.asked.length;
    await expect(pull({ pinned: [...files.slice(0, -1), other], revision: "next" })).rejects.toThrow(
      "The hash of onnx/model_quantized.onnx differs from the hash in this version of Postroom. Nothing was downloaded.",
    );
    delete hub.files["tokenizer_config.json"];
    const missing = { name: "special_tokens_map.json", bytes: 2, sha256: weights.sha256 };
    await expect(pull({ pinned: [...files, missing], revision: "next" })).rejects.toThrow("special_tokens_map.json");
    expect(hub.asked.length).toBe(asked + 2);
    expect(models()).toEqual(["small-model"]);
  });

  test("an interrupted download is continued, and is no model until it is complete", async () => {
    const done: [string, number][] = [];
    const progress = (file: string, bytes: number) => void done.push([file, bytes]);
    await pullUntilCut(progress);
    await expect(findModel(data_dir, MODEL)).rejects.toThrow("does not name a model");
    expect(pulledModels(data_dir)).toEqual([]);
    hub.asked = [];
    done.length = 0;
    const { files } = await pull({ progress });
    expect(files.map(({ bytes }) => bytes)).toEqual([2, 12, 7]);
    // The small files are complete, and of the large one only the rest is requested.
    expect(hub.asked.slice(1)).toEqual([
      `/maker/small-model/resolve/${COMMITS.main}/onnx/model_quantized.onnx bytes=3-`,
      "/cdn/onnx/model_quantized.onnx bytes=3-",
    ]);
    expect(done.at(-1)).toEqual(["onnx/model_quantized.onnx", 7]);
    expect(models()).toEqual(["small-model"]);
    expect(pulledModels(data_dir).map(({ model }) => model)).toEqual([MODEL]);
  });

  test("a hub without ranges, a part that does not fit, and another revision begin again", async () => {
    await pullUntilCut();
    hub.ranges = false;
    expect((await pull()).files.at(-1)!.bytes).toBe(7);
    rmSync(join(data_dir, "models"), { recursive: true });
    hub.ranges = true;
    await pullUntilCut();
    const part = join(data_dir, "models", `${MODEL}.partial`, "onnx/model_quantized.onnx");
    writeFileSync(part, "xyz");
    await expect(pull()).rejects.toThrow("The hash of onnx/model_quantized.onnx differs");
    expect(models()).toEqual([]);
    await pullUntilCut();
    hub.asked = [];
    expect((await pull({ revision: "next" })).revision).toBe(COMMITS.next!);
    expect(hub.asked.some((path) => path.includes("bytes="))).toBe(false);
  });

  test("a file that ends early is continued as well", async () => {
    hub.sent = { "tokenizer.json": "{" };
    await expect(pull()).rejects.toThrow("tokenizer.json ended early");
    hub.sent = {};
    expect((await pull()).files).toHaveLength(3);
  });

  test("a disk without enough space is reported before the download", async () => {
    await expect(pull({ freeBytes: () => 50_000_000 })).rejects.toThrow(
      /^The download needs 101 MB of free space, and .* has 50 MB\. Free some space, and run the command again\.$/,
    );
    expect(hub.asked).toHaveLength(1);
    expect((await pull()).files).toHaveLength(3);
  });

  test("every request is recorded before it is sent, with its host and what was received", async () => {
    const ends: [string, object | null][] = [];
    const note = (host: string) => {
      const row: (typeof ends)[number] = [host, null];
      ends.push(row);
      expect(ends.length).toBe(hub.asked.length + 1);
      return (end: object) => {
        row[1] = end;
      };
    };
    await pull({ note });
    expect(ends).toHaveLength(5);
    expect(new Set(ends.map(([host]) => host))).toEqual(new Set([server.url.host]));
    expect(ends.at(-1)![1]).toEqual({ result: "ok", bytes_in: 7 });
    hub.asked = [];
    ends.length = 0;
    await expect(pull({ note, hub: "http://127.0.0.1:1", revision: "next" })).rejects.toThrow("could not be reached");
    expect(ends).toEqual([["127.0.0.1:1", { result: "unreachable", bytes_in: 0 }]]);
  });

  test("an error message states what is wrong", async () => {
    for (const model of ["small-model", "../x", "maker/..", "maker/small/model", "maker/a b"]) {
      await expect(pull({ model })).rejects.toThrow("is not the name of a model");
    }
    await expect(pull({ revision: "a/b" })).rejects.toThrow("is not a revision");
    await expect(pull({ model: "maker/other" })).rejects.toThrow("has no public model maker/other at main");
    await expect(pull({ hub: "http://192.0.2.1" })).rejects.toThrow("does not use HTTPS");
    await expect(pull({ hub: "http://127.0.0.1:1" })).rejects.toThrow("could not be reached");
    delete hub.files["onnx/model_quantized.onnx"];
    delete hub.files["onnx/model.onnx"];
    await expect(pull()).rejects.toThrow("lacks an ONNX file");
    expect(models()).toEqual([]);
  });
});
