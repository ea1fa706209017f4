import { afterEach, beforeEach, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ReleaseServer, serveReleases, serveTruncated } from "../../../test/support/release-fixture.ts";
import { type Scratch, scratchPlatform } from "../../../test/support/scratch-platform.ts";
import { downloadFile, downloadText } from "./download.ts";

let s: Scratch;
let server: ReleaseServer;
beforeEach(() => {
  s = scratchPlatform();
  server = serveReleases(s.data_dir);
  writeFileSync(join(s.data_dir, "SHA256SUMS"), "sums");
});
afterEach(async () => {
  await server.stop();
  s.close();
});

const folder = (url = server.url) => ({ url, calls: s.platform.updateCalls, clock: s.clock });
const calls = () =>
  s.platform.updateCalls.list().map(({ file, host, result, bytes_in }) => [file, host, result, bytes_in]);
const host = () => new URL(server.url).host;

test("each request is recorded before it leaves, with its end", async () => {
  let recorded: unknown[] = [];
  server.answers.set("SHA256SUMS", () => {
    recorded = calls();
    return new Response("sums");
  });
  expect(Buffer.from(await downloadText(folder(), "SHA256SUMS")).toString()).toBe("sums");
  expect(recorded).toEqual([["SHA256SUMS", host(), null, null]]);
  expect(calls()).toEqual([["SHA256SUMS", host(), "200", 4]]);
});

test("records are deleted after a year", async () => {
  await downloadText(folder(), "SHA256SUMS");
  s.clock.advance(366 * 86_400_000);
  s.platform.updateCalls.prune();
  expect(calls()).toEqual([]);
});

test("a file arrives in pieces, with its checksum", async () => {
  const content = new Uint8Array(3_000_000).fill(7);
  server.answers.set("postroom-linux-x64", () => new Response(content));
  let bytes = 0;
  const sha256 = await downloadFile(folder(`${server.url}/`), "postroom-linux-x64", {
    write(chunk) {
      bytes += chunk.length;
    },
    progress() {},
    signal: new AbortController().signal,
  });
  expect({ bytes, sha256 }).toEqual({
    bytes: content.length,
    sha256: createHash("sha256").update(content).digest("hex"),
  });
});

test("redirects are followed, recorded and counted", async () => {
  server.answers.set("latest", () => Response.redirect(`${server.url}/SHA256SUMS`));
  expect(Buffer.from(await downloadText(folder(), "latest")).toString()).toBe("sums");
  expect(calls().map(([, , result]) => result)).toEqual(["200", "302"]);
  server.answers.set("loop", () => Response.redirect(`${server.url}/loop`));
  await expect(downloadText(folder(), "loop")).rejects.toThrow("redirects more than 5 times");
});

test("a missing file, an error and a download that broke off are refused", async () => {
  await expect(downloadText(folder(), "missing")).rejects.toThrow("There is no release at");
  server.answers.set("SHA256SUMS", () => new Response("x", { status: 503 }));
  await expect(downloadText(folder(), "SHA256SUMS")).rejects.toThrow("returned status 503");
  const cut = serveTruncated(Buffer.from("abc"), 1_000);
  try {
    await expect(downloadText(folder(cut.url), "SHA256SUMS")).rejects.toThrow(/broke off|could not be downloaded/);
  } finally {
    cut.stop();
  }
  await expect(downloadText(folder("http://127.0.0.1:1"), "SHA256SUMS")).rejects.toThrow("could not be downloaded");
});

test("a list that is too long is not kept", async () => {
  server.answers.set("SHA256SUMS", () => new Response(new Uint8Array(1_100_000)));
  await expect(downloadText(folder(), "SHA256SUMS")).rejects.toThrow("larger than a release can be");
});

test("a server that falls silent ends the download after a minute", async () => {
  const started = Promise.withResolvers<void>();
  server.answers.set("SHA256SUMS", () => {
    started.resolve();
    return new Response(new ReadableStream({ pull: () => new Promise(() => {}) }));
  });
  const ended = downloadText(folder(), "SHA256SUMS").catch((error: Error) => error.message);
  await started.promise;
  s.clock.advance(60_000);
  expect(await ended).toContain("there was no response for a minute");
  expect(calls()[0]).toEqual(["SHA256SUMS", host(), "timeout", 0]);
});

test("a failure to store a piece, such as a full disk, is reported as it is", async () => {
  const full = Object.assign(new Error("full"), { code: "ENOSPC" });
  const options = { progress() {}, signal: new AbortController().signal };
  const write = () => {
    throw full;
  };
  await expect(downloadFile(folder(), "SHA256SUMS", { ...options, write })).rejects.toBe(full);
});
