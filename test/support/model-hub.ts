import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findModel } from "../../src/ml/embedding/model.ts";

/** A hub on this machine with one model, whose files are those of the built-in one. */
export interface ModelHub {
  url: string;
  host: string;
  model: string;
  revision: string;
  /** The files with their hashes, as the program pins them. */
  pinned: { name: string; bytes: number; sha256: string }[];
  /** Paths that were requested, with the range if there was one. */
  asked: string[];
  /** The connection ends after this many bytes of the weights; null for none. */
  cutAfter: number | null;
  close(): Promise<void>;
}

const MODEL = "tester/small-model";
const REVISION = "c".repeat(40);
const PAUSE_EVERY = 65_536;

/** Starts a hub with the API of Hugging Face. The weights are redirected to another path, as large files are there. */
export async function startModelHub(data_dir: string): Promise<ModelHub> {
  const { path } = await findModel(data_dir, "built-in");
  const files = new Map(
    ["config.json", "tokenizer.json", "tokenizer_config.json", "onnx/model_quantized.onnx"].map((name) => [
      name,
      readFileSync(join(path, name.replace("onnx/", ""))),
    ]),
  );
  const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
  const siblings = [...files].map(([rfilename, bytes]) => ({
    rfilename,
    size: bytes.length,
    lfs: { sha256: sha256(bytes), size: bytes.length },
  }));
  const hub: Pick<ModelHub, "asked" | "cutAfter"> = { asked: [], cutAfter: null };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      const { pathname } = new URL(request.url);
      const range = request.headers.get("range");
      hub.asked.push(range === null ? pathname : `${pathname} ${range}`);
      if (pathname === `/api/models/${MODEL}/revision/main` || pathname === `/api/models/${MODEL}/revision/${REVISION}`)
        return Response.json({ sha: REVISION, siblings });
      const name = new RegExp(`^/(?:${MODEL}/resolve/${REVISION}|cdn)/(.+)$`).exec(pathname)?.[1] ?? "";
      const bytes = files.get(name);
      if (!bytes) return new Response("", { status: 404 });
      if (name.startsWith("onnx/") && !pathname.startsWith("/cdn/")) return Response.redirect(`/cdn/${name}`, 302);
      const from = Number(/^bytes=(\d+)-$/.exec(range ?? "")?.[1] ?? 0);
      const to = name.startsWith("onnx/") ? (hub.cutAfter ?? bytes.length) : bytes.length;
      const headers = { "content-range": `bytes ${from}-${bytes.length - 1}/${bytes.length}` };
      const status = range === null ? 200 : 206;
      return new Response(inPieces(bytes.subarray(from, to)), status === 206 ? { status, headers } : { status });
    },
  });
  return Object.assign(hub, {
    url: `http://127.0.0.1:${server.port}`,
    host: `127.0.0.1:${server.port}`,
    model: MODEL,
    revision: REVISION,
    pinned: siblings.map(({ rfilename, lfs }) => ({ name: rfilename, bytes: lfs.size, sha256: lfs.sha256 })),
    close: () => server.stop(true),
  });
}

function inPieces(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream<Uint8Array>({
    pull(to) {
      if (at < bytes.length) to.enqueue(bytes.slice(at, at + PAUSE_EVERY));
      at += PAUSE_EVERY;
      if (at >= bytes.length) to.close();
    },
  });
}
