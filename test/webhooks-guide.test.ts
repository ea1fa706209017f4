import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RETRY_DELAYS_MS } from "../src/features/webhooks/schedule.ts";
import { newSecret, signatureHeaders } from "../src/features/webhooks/signature.ts";

/** docs/webhooks.md: the code that people copy from it works. */

const ROOT = join(import.meta.dir, "..");
const GUIDE = readFileSync(join(ROOT, "docs/webhooks.md"), "utf8");

function block(name: string): string {
  const found = new RegExp(`\`\`\`\\w+ ${name.replace(".", "\\.")}\n(.*?)\n\`\`\`\n`, "s").exec(GUIDE)?.[1];
  if (found === undefined) throw new Error(`docs/webhooks.md has no block ${name}.`);
  return `${found}\n`;
}

test("the TypeScript in the guide is the file that our own tests use", () => {
  expect(block("verify.ts")).toBe(readFileSync(join(ROOT, "src/features/webhooks/verify.ts"), "utf8"));
});

test("the guide names every retry delay", () => {
  const hours = RETRY_DELAYS_MS.slice(3).map((ms) => ms / 3_600_000);
  expect([
    RETRY_DELAYS_MS.slice(0, 3),
    GUIDE.includes(`${hours.slice(0, -1).join(", ")} and ${hours.at(-1)} hours`),
  ]).toEqual([[5_000, 300_000, 1_800_000], true]);
});

const folder = mkdtempSync(join(tmpdir(), "postroom-guide-"));
beforeAll(() => {
  for (const name of ["verify.ts", "verify.py", "verify.sh"]) writeFileSync(join(folder, name), block(name));
  const sides = {
    "run.ts":
      'import { verifyWebhook } from "./verify.ts";\nconst body = new Uint8Array(await Bun.stdin.arrayBuffer());\nprocess.exit(verifyWebhook(body, Bun.argv[2]!, process.env.WEBHOOK_SECRET!, Date.now()) ? 0 : 1);\n',
    "run.py":
      "import os, sys\nfrom verify import verify_webhook\nsys.exit(0 if verify_webhook(sys.stdin.buffer.read(), sys.argv[1], os.environ['WEBHOOK_SECRET']) else 1)\n",
  };
  for (const [name, text] of Object.entries(sides)) writeFileSync(join(folder, name), text);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const LANGUAGES: Record<string, { needs: string; command: string[] }> = {
  TypeScript: { needs: process.execPath, command: [process.execPath, "run.ts"] },
  Python: { needs: "python3", command: ["python3", "-B", "run.py"] },
  shell: { needs: "openssl", command: ["bash", "verify.sh"] },
};

describe.each(Object.entries(LANGUAGES))("the guide's %s", (language, { needs, command }) => {
  const here = Bun.which(needs) !== null && Bun.which(command[0]!) !== null;
  if (!here) console.info(`skipped: the guide's ${language} (${needs} is not installed)`);

  const secret = newSecret();
  const other = newSecret();
  // A trailing line break, quotes, and letters outside ASCII.
  const body = '{"id":"ntf_1","event":"message.received","data":{"subject":"Grüße \\"x\\" $HOME"}}\n';
  const header = (secrets: string[], shiftS = 0) =>
    signatureHeaders({ id: "ntf_1", body: Buffer.from(body) }, Date.now() + shiftS * 1_000, secrets)[
      "X-Service-Signature"
    ]!;
  const accepts = async (sent: string, signature: string, key = secret) => {
    const child = Bun.spawn([...command, signature], {
      cwd: folder,
      env: { PATH: process.env.PATH ?? "", WEBHOOK_SECRET: key, LC_ALL: "C.UTF-8" },
      stdin: Buffer.from(sent),
      stdout: "ignore",
      stderr: "ignore",
    });
    return (await child.exited) === 0;
  };

  test.skipIf(!here)(
    "accepts genuine requests, and nothing else",
    async () => {
      expect(await accepts(body, header([secret]))).toBe(true);
      expect(await accepts(body, header([other, secret]))).toBe(true);
      expect(await accepts(body, header([secret]).replaceAll(",", ", "))).toBe(true);
      expect(await accepts(body, header([secret], -290))).toBe(true);
      expect(await accepts(body, header([secret], -310))).toBe(false);
      expect(await accepts(body, header([secret], 310))).toBe(false);
      expect(await accepts(body.trimEnd(), header([secret]))).toBe(false);
      expect(await accepts(body.replace("ntf_1", "ntf_2"), header([secret]))).toBe(false);
      expect(await accepts(body, header([other]))).toBe(false);
      expect(await accepts(body, header([secret]), other)).toBe(false);
      for (const bad of ["", "t=1", "nonsense", "v1=", "t=,v1=", "t=ü,v1=ü"])
        expect(await accepts(body, bad)).toBe(false);
    },
    30_000,
  );
});
