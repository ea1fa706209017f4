import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Signs as minisign does (https://jedisct1.github.io/minisign/), also on machines where it is not installed. */
export interface Signer {
  /** The public key as minisign prints it. */
  publicKey: string;
  sign(message: Uint8Array, options?: { legacy?: boolean; comment?: string }): string;
}

export function createSigner(): Signer {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const id = randomBytes(8);
  const raw = Buffer.from(publicKey.export({ format: "jwk" }).x!, "base64url");
  return {
    publicKey: Buffer.concat([Buffer.from("Ed"), id, raw]).toString("base64"),
    sign(message, { legacy = false, comment = "timestamp:1700000000\tfile:SHA256SUMS" } = {}) {
      const signed = legacy ? message : createHash("blake2b512").update(message).digest();
      const own = sign(null, signed, privateKey);
      const overall = sign(null, Buffer.concat([own, Buffer.from(comment)]), privateKey);
      const first = Buffer.concat([Buffer.from(legacy ? "Ed" : "ED"), id, own]).toString("base64");
      return `untrusted comment: signature\n${first}\ntrusted comment: ${comment}\n${overall.toString("base64")}\n`;
    },
  };
}

/** The targets of a release. */
export const RELEASE_TARGETS = ["linux-x64", "linux-x64-baseline", "linux-arm64", "darwin-arm64"];

export interface ReleaseContent {
  version: string;
  /** The executable of every target: its bytes, or the path of a file that is served. */
  executable: Uint8Array | string;
  legacy?: boolean;
}

/** Writes the files that `postroom update` and install.sh read. Executables that are paths are not copied. */
export function writeRelease(folder: string, signer: Signer, { version, executable, legacy }: ReleaseContent): void {
  mkdirSync(folder, { recursive: true });
  const bytes = typeof executable === "string" ? readFileSync(executable) : executable;
  const hash = (content: Uint8Array) => createHash("sha256").update(content).digest("hex");
  const changelog = Buffer.from(`# ${version}\n`);
  writeFileSync(join(folder, `CHANGELOG-${version}.md`), changelog);
  const lines = [`${hash(changelog)}  CHANGELOG-${version}.md`];
  for (const target of RELEASE_TARGETS) {
    if (typeof executable !== "string") writeFileSync(join(folder, `postroom-${target}`), bytes);
    lines.push(`${hash(bytes)}  postroom-${target}`);
  }
  const sums = Buffer.from(`${lines.join("\n")}\n`);
  writeFileSync(join(folder, "SHA256SUMS"), sums);
  writeFileSync(join(folder, "SHA256SUMS.minisig"), signer.sign(sums, legacy ? { legacy } : {}));
}

/** A program that answers like an executable of a version, for tests that do not serve. */
export function scriptOf(version: string, more = ""): Buffer {
  return Buffer.from(`#!/bin/sh
case "$1" in
  version) echo "postroom ${version} (0123456789ab)" ;;
  update) ;;
  ${more}
  *) exit 1 ;;
esac
`);
}

/** An HTTP server with releases. */
export interface ReleaseServer {
  /** Without a slash at the end. */
  url: string;
  /** The paths that were requested. */
  requests: string[];
  /** Answers instead of the files, by the name of the file. */
  answers: Map<string, () => Response>;
  stop(): Promise<void>;
}

/** Serves a folder. @param executable file that is served for every target, if the folder has none */
export function serveReleases(folder: string, executable?: () => string): ReleaseServer {
  const requests: string[] = [];
  const answers = new Map<string, () => Response>();
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      const { pathname } = new URL(request.url);
      requests.push(pathname);
      const name = pathname.split("/").at(-1)!;
      const answer = answers.get(name);
      if (answer) return answer();
      const path = join(folder, pathname);
      if (existsSync(path) && statSync(path).isFile()) return new Response(Bun.file(path));
      if (executable && /^postroom-/.test(name)) return new Response(Bun.file(executable()));
      return new Response("not found", { status: 404 });
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, requests, answers, stop: () => server.stop(true) };
}

/** A raw server whose response declares more bytes than it sends. */
export function serveTruncated(content: Uint8Array, declaredBytes: number) {
  const server = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      data(socket) {
        socket.write(
          Buffer.concat([
            Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: ${declaredBytes}\r\nConnection: close\r\n\r\n`),
            content,
          ]),
        );
        socket.end();
      },
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, stop: () => server.stop(true) };
}
