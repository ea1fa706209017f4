import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findModel } from "./model.ts";
import { type PullOptions, pullModel, readManifest } from "./pull.ts";

/** A hub on loopback that answers as Hugging Face does, and redirects requests for large files. */

const COMMITS: Record<string, string> = { main: "a".repeat(40), next: "b".repeat(40) };
const MODEL = "maker/small-model";
const folder = mkdtempSync(join(tmpdir(), "postroom-pull-"));

interface Hub {
  files: Record<string, { text: string; lfs: boolean }>;
  /** The bytes actually sent for a file. */
  sent: Record<string, string>;
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
    asked: [],
  };
});

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch(request) {
    const { pathname, searchParams } = new URL(request.url);
    hub.asked.push(pathname);
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
    return new Response(hub.sent[file] ?? hub.files[file].text);
  },
});
afterAll(async () => {
  await server.stop(true);
  rmSync(folder, { recursive: true, force: true });
});

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
      ["tokenizer.json", "{}"],
    ] as const) {
      hub.sent = { [name]: sent };
      await expect(pull({ revision: "next" })).rejects.toThrow(name);
      expect(models()).toEqual(["small-model"]);
      expect(readManifest(join(data_dir, "models", MODEL))?.revision).toBe(COMMITS.main!);
    }
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
