import { Database } from "bun:sqlite";
import { afterAll, describe, expect, test } from "bun:test";
import {
  createCipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomFillSync,
  scryptSync,
  timingSafeEqual,
} from "node:crypto";
import { closeSync, mkdtempSync, openSync, readFileSync, readSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { open } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { dice } from "../../../test/faults/campaign.ts";
import { openBytes, sealBytes } from "../sealing/box.ts";
import { loadOnnxRuntime, loadUsearch } from "./load.ts";

/**
 * Native code receives bytes as a typed array, which may be a view at any offset of a longer buffer. One library
 * ignores the offset (`usearch.ts`). These tests therefore call each native function that receives bytes with views,
 * also to check updates of Bun and of libraries.
 */

const folder = mkdtempSync(join(tmpdir(), "postroom-views-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Numbers = Uint8Array | Int8Array | Float32Array | BigInt64Array;

/** Returns the same numbers as views of longer buffers, with other numbers before and after them. */
function viewsOf<T extends Numbers>(own: T): Record<string, T> {
  const Kind = own.constructor as new (buffer: ArrayBuffer, at: number, length: number) => T;
  const at = (items: number, more: number) => {
    const buffer = new ArrayBuffer((items + own.length + more) * own.BYTES_PER_ELEMENT);
    randomFillSync(new Uint8Array(buffer));
    const view = new Kind(buffer, items * own.BYTES_PER_ELEMENT, own.length);
    view.set(own as never);
    return view;
  };
  return {
    "after other bytes": at(37, 0),
    "before other bytes": at(0, 41),
    "between other bytes": at(1_003, 5_000),
  };
}

const BYTES = Uint8Array.from({ length: 4_096 }, (_, i) => (i * 73 + (i >> 5)) & 255);
const KEY = BYTES.slice(100, 132);
const PACKED = Bun.zstdCompressSync(BYTES);
const SEALED = sealBytes(KEY, 1, "test", BYTES);

/** Calls of native functions that receive bytes. Each returns a value to compare. */
const USES: Record<string, { of: Uint8Array; run: (bytes: Uint8Array) => unknown }> = {
  "bun:sqlite, a value that is stored": {
    of: BYTES,
    run(bytes) {
      const db = new Database(":memory:");
      db.run("CREATE TABLE t (a BLOB)");
      db.query("INSERT INTO t VALUES (?)").run(bytes);
      const found = db.query<{ a: Uint8Array; n: number }, [Uint8Array]>(
        "SELECT a, (SELECT count(*) FROM t WHERE a = ?1) AS n FROM t",
      );
      const { a, n } = found.get(bytes)!;
      db.close();
      return [Buffer.from(a).toString("hex"), n];
    },
  },
  "node:sqlite, a value that is stored": {
    of: BYTES,
    run(bytes) {
      const db = new DatabaseSync(":memory:");
      db.exec("CREATE TABLE t (a BLOB)");
      db.prepare("INSERT INTO t VALUES (?)").run(bytes);
      const { a } = db.prepare("SELECT a FROM t").get() as { a: Uint8Array };
      db.close();
      return Buffer.from(a).toString("hex");
    },
  },
  "AES-GCM, what is sealed": {
    of: BYTES,
    run: (bytes) => openBytes(KEY, "c", sealBytes(KEY, 1, "c", bytes)).toHex(),
  },
  "AES-GCM, what is opened": {
    of: SEALED,
    run: (bytes) => openBytes(KEY, "test", bytes).toHex(),
  },
  "AES-GCM, the key": {
    of: KEY,
    run: (bytes) => openBytes(bytes, "test", SEALED).toHex(),
  },
  "AES-ECB of the word index": {
    of: BYTES,
    run: (bytes) => createCipheriv("aes-256-ecb", bytes.subarray(3, 35), null).update(bytes).toString("hex"),
  },
  "node:crypto hash": {
    of: BYTES,
    run: (bytes) => createHash("sha256").update(bytes).digest("hex"),
  },
  "node:crypto HMAC": {
    of: BYTES,
    run: (bytes) => createHmac("sha256", bytes).update(bytes).digest("hex"),
  },
  "Bun.CryptoHasher with a key": {
    of: BYTES,
    run: (bytes) => new Bun.CryptoHasher("sha256", bytes).update("a").copy().update(bytes).digest("hex"),
  },
  hkdf: {
    of: BYTES,
    run: (bytes) => Buffer.from(hkdfSync("sha256", bytes, bytes, bytes.subarray(9, 40), 32)).toHex(),
  },
  scrypt: {
    of: KEY,
    run: (bytes) => scryptSync(bytes, bytes, 32, { N: 2 }).toString("hex"),
  },
  timingSafeEqual: { of: BYTES, run: (bytes) => timingSafeEqual(bytes, BYTES) },
  "WebCrypto digest": {
    of: BYTES,
    run: async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes as BufferSource)).toHex(),
  },
  "zstd, packing": {
    of: BYTES,
    run: (bytes) => Bun.zstdDecompressSync(Bun.zstdCompressSync(bytes)).toHex(),
  },
  "zstd, unpacking": {
    of: PACKED,
    run: (bytes) => Bun.zstdDecompressSync(bytes).toHex(),
  },
  xxHash32: { of: BYTES, run: (bytes) => Bun.hash.xxHash32(bytes) },
  "writing a file piece by piece": {
    of: BYTES,
    run(bytes) {
      const path = join(folder, "pieces");
      const file = openSync(path, "w");
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, Math.min(999, bytes.length - at));
      closeSync(file);
      return readFileSync(path).toString("hex");
    },
  },
  "writing a file at once": {
    of: BYTES,
    run(bytes) {
      writeFileSync(join(folder, "whole"), bytes);
      return readFileSync(join(folder, "whole")).toString("hex");
    },
  },
  "reading a file into a view": {
    of: BYTES,
    async run(bytes) {
      const path = join(folder, "read");
      writeFileSync(path, BYTES);
      const file = openSync(path, "r");
      readSync(file, bytes.fill(0), 0, bytes.length, 0);
      closeSync(file);
      const first = bytes.toHex();
      const handle = await open(path, "r");
      await handle.read(bytes.fill(0), 0, bytes.length, 0);
      await handle.close();
      return [first, bytes.toHex()];
    },
  },
  "random numbers into a view": {
    of: BYTES,
    run: (bytes) => randomFillSync(bytes).toHex() !== BYTES.toHex(),
  },
  TextDecoder: {
    of: BYTES,
    run: (bytes) => new TextDecoder("latin1").decode(bytes),
  },
  "a message to another thread": {
    of: BYTES,
    run(bytes) {
      const { port1, port2 } = new MessageChannel();
      return new Promise((resolve) => {
        port2.onmessage = ({ data }: MessageEvent<Uint8Array>) => resolve(data.toHex());
        port1.postMessage(bytes);
      }).finally(() => port1.close());
    },
  },
  "an answer over HTTP": {
    of: BYTES,
    async run(bytes) {
      const stream = () =>
        new ReadableStream<Uint8Array>({
          pull(controller) {
            controller.enqueue(bytes);
            controller.close();
          },
        });
      const whole = () => new Response(bytes as BodyInit);
      const server = Bun.serve({
        port: 0,
        hostname: "127.0.0.1",
        fetch: ({ url }) => (url.endsWith("/stream") ? new Response(stream()) : whole()),
      });
      const read = async (path: string) => (await (await fetch(`${server.url}${path}`)).bytes()).toHex();
      const found = [await read(""), await read("stream")];
      await server.stop(true);
      return found;
    },
  },
  "a socket to a mail server": {
    of: BYTES,
    run: (bytes) =>
      new Promise((resolve) => {
        const chunks: Buffer[] = [];
        const server = createServer((socket) => {
          socket.on("data", (chunk) => chunks.push(Buffer.from(chunk)));
          socket.on("end", () => {
            server.close();
            resolve(Buffer.concat(chunks).toString("hex"));
          });
        }).listen(0, "127.0.0.1", () => {
          const { port } = server.address() as { port: number };
          const socket = connect(port, "127.0.0.1", () => {
            socket.write(bytes);
            socket.end();
          });
        });
      }),
  },
};

describe("native functions read a view at its offset", () => {
  for (const [name, { of, run }] of Object.entries(USES)) {
    test(name, async () => {
      const expected = await run(of.slice());
      expect(expected).not.toBe(false);
      for (const [where, view] of Object.entries(viewsOf(of))) {
        expect([where, await run(view)]).toEqual([where, expected]);
      }
    });
  }

  test("ONNX Runtime reads a model and its input", async () => {
    const { InferenceSession, Tensor } = await loadOnnxRuntime("unused");
    // y = x + x on four numbers; 1 and 7 are float32 and int64 in ONNX (onnx.proto, TensorProto.DataType).
    const model = (type: 1 | 7) => {
      const value = (name: "78" | "79") => `0f0a01${name}120a0a08080${type}12040a020804`;
      return Uint8Array.fromHex(
        `08083a350a0e0a01780a017812017922034164641201675a${value("78")}62${value("79")}42021011`,
      );
    };
    const doubled = async (type: 1 | 7, own: Float32Array | BigInt64Array) => {
      const session = await InferenceSession.create(model(type));
      const run = async (data: typeof own) => {
        const x = data instanceof Float32Array ? new Tensor("float32", data, [4]) : new Tensor("int64", data, [4]);
        return Array.from((await session.run({ x })).y!.data as Float32Array | BigInt64Array, Number);
      };
      const found = [await run(own)];
      for (const view of Object.values(viewsOf(own))) found.push(await run(view));
      await session.release();
      return found;
    };
    const expected = Array.from({ length: 4 }, () => [2, -4, 6, 80]);
    expect(await doubled(1, Float32Array.of(1, -2, 3, 40))).toEqual(expected);
    expect(await doubled(7, BigInt64Array.of(1n, -2n, 3n, 40n))).toEqual(expected);
  });
});

describe("usearch", () => {
  const [DIMENSIONS, ROWS] = [32, 700];
  for (const Kind of [Int8Array, Float32Array]) {
    test(`${Kind.name}: rows and queries are found at any offset of their buffers`, async () => {
      const usearch = await loadUsearch("unused");
      const random = dice(3);
      const rows = new Kind(ROWS * DIMENSIONS).map(() => Math.round(random() * 254 - 127));
      const row = (place: number) => rows.slice(place * DIMENSIONS, (place + 1) * DIMENSIONS);
      const places = [0, 1, 350, ROWS - 1];
      for (const all of [rows, ...Object.values(viewsOf(rows))]) {
        for (const place of places) {
          const own = row(place);
          for (const query of [own, ...Object.values(viewsOf(own))]) {
            expect(usearch.nearestRows(all, query, DIMENSIONS, 1, 1)).toEqual([place]);
          }
        }
      }
    });
  }
});
