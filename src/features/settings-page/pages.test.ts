import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { createHarness, type Harness } from "../../../test/support/http-harness.ts";
import type { WebApp } from "../../../web/bundle.ts";
import { settingsPages } from "./pages.ts";

let h: Harness;
let loads = 0;

beforeAll(() => {
  h = createHarness({ pages: settingsPages(load) });
});
afterAll(() => h.close());

const SCRIPT = "console.log('a page')";

async function load(): Promise<WebApp> {
  loads++;
  const plain = new TextEncoder().encode(SCRIPT);
  const { brotliCompressSync, gzipSync } = await import("node:zlib");
  const made = { plain, gzip: new Uint8Array(gzipSync(plain)), brotli: new Uint8Array(brotliCompressSync(plain)) };
  const type = "text/javascript; charset=utf-8";
  const names = {
    script: "app-0123456789ab.js",
    style: "app-ba9876543210.css",
    early: "early-0123456789ab.js",
    docs: "docs-0123456789ab.js",
  };
  return { assets: [{ name: names.script, type, ...made }], ...names };
}

/** Returns the raw bytes of a response: `call` returns text. */
const get = (path: string, headers: Record<string, string> = {}) =>
  h.pipeline.fetch(new Request(`http://localhost${path}`, { headers }));

describe("the document", () => {
  test("has a policy that blocks external resources and framing", async () => {
    const reply = await get("/app/");
    expect(reply.status).toBe(200);
    const policy = reply.headers.get("content-security-policy")!;
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      "img-src 'self' data:",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "form-action 'self'",
    ]) {
      expect(policy).toContain(rule);
    }
    expect(policy).not.toContain("unsafe");
    expect(reply.headers.get("x-content-type-options")).toBe("nosniff");
    expect(reply.headers.get("referrer-policy")).toBe("no-referrer");
  });

  test("has no inline script, style or handler, and only relative URLs", async () => {
    const html = await (await get("/app/")).text();
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=/);
    const addresses = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address!);
    expect(addresses.filter((address) => !address.startsWith("data:image/svg+xml,"))).toEqual([
      "assets/app-ba9876543210.css",
      "assets/early-0123456789ab.js",
      "assets/app-0123456789ab.js",
    ]);
    // The redirect page of mail providers is one level deeper.
    expect(await (await get("/app/oauth/callback?code=x&state=y")).text()).toContain(
      'src="../assets/app-0123456789ab.js"',
    );
  });

  test("is revalidated on each load, and answered with 304 if it is unchanged", async () => {
    const first = await get("/app/");
    expect(first.headers.get("cache-control")).toBe("no-cache");
    const etag = first.headers.get("etag")!;
    const again = await get("/app/", { "If-None-Match": `"other", ${etag}` });
    expect([again.status, await again.text()]).toEqual([304, ""]);
    expect((await get("/app/", { "If-None-Match": '"other"' })).status).toBe(200);
  });

  test("is the target of a relative redirect from /app", async () => {
    const reply = await get("/app");
    expect([reply.status, reply.headers.get("location")]).toEqual([302, "app/"]);
  });
});

describe("the frame for mail", () => {
  const policyOf = async (path: string) => {
    const reply = await get(path);
    expect(reply.status).toBe(200);
    return reply.headers.get("content-security-policy")!.split("; ");
  };

  test("runs nothing, loads nothing, and opens only inside the settings page", async () => {
    expect(await policyOf("/app/message-frame")).toEqual([
      "sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox",
      "default-src 'none'",
      "img-src data:",
      "style-src 'unsafe-inline'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'self'",
    ]);
    const reply = await get("/app/message-frame");
    expect(reply.headers.get("x-frame-options")).toBe("SAMEORIGIN");
    expect(reply.headers.get("referrer-policy")).toBe("no-referrer");
    expect(reply.headers.get("cross-origin-resource-policy")).toBe("same-origin");
  });

  test("loads images from the web only on request", async () => {
    for (const other of ["", "?images=none", "?images=REMOTE", "?images=remote'", "?images="]) {
      expect(await policyOf(`/app/message-frame${other}`)).toContain("img-src data:");
    }
    expect(await policyOf("/app/message-frame?images=remote")).toContain("img-src data: http: https:");
  });

  test("contains nothing of the request or of any user", async () => {
    const html = (images: string) => `<html data-images="${images}"><head><title></title></head><body></body></html>`;
    const doctype = '<!doctype html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" ';
    for (const [query, images] of [
      ["?images=%22%3E%3Cimg%3E&x=1", "none"],
      ["?images=remote", "remote"],
    ]) {
      const [first, second] = (await (await get(`/app/message-frame${query}`)).text()).split("\n");
      expect(first).toStartWith(doctype);
      expect(second).toBe(html(images!));
    }
  });

  test("is refused under a name that is not this installation's", async () => {
    expect((await get("/app/message-frame", { Host: "evil.example" })).status).toBe(421);
  });

  test("is the only frame that the settings page can show", async () => {
    const policy = (await get("/app/")).headers.get("content-security-policy")!;
    expect(policy).toContain("default-src 'none'");
    expect(policy).toEndWith("; frame-src 'self'");
  });
});

describe("its files", () => {
  test("are sent in the smallest coding, and can be cached forever", async () => {
    const codings = { br: brotliDecompressSync, gzip: gunzipSync } as const;
    for (const [coding, open] of Object.entries(codings)) {
      const reply = await get("/app/assets/app-0123456789ab.js", { "Accept-Encoding": coding });
      expect(reply.headers.get("content-encoding")).toBe(coding);
      expect(reply.headers.get("vary")).toContain("Accept-Encoding");
      expect(reply.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      expect(open(await reply.arrayBuffer()).toString()).toBe(SCRIPT);
    }
    const plain = await get("/app/assets/app-0123456789ab.js");
    expect(plain.headers.get("content-encoding")).toBeNull();
    expect(await plain.text()).toBe(SCRIPT);
  });

  test("that do not exist are 404, for any form of the name", async () => {
    for (const name of ["app-ffffffffffff.js", "..%2f..%2fpackage.json", "%00", "app-0123456789ab.js.map"]) {
      expect((await get(`/app/assets/${name}`)).status).toBe(404);
    }
  });

  test("are loaded once", () => expect(loads).toBe(1));
});
