import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateSync } from "otplib";
import { ManualClock } from "../src/platform/clock.ts";
import { loadConfig, withValues } from "../src/platform/config/load.ts";
import { openPlatform, type Platform } from "../src/platform/platform.ts";
import { moveMasterKey } from "../src/platform/sealing/move-key.ts";
import { adoptRecoveryKey, newRecoveryKey } from "../src/platform/sealing/recovery-key.ts";

/** How the command line helps people who can no longer sign in. */

setDefaultTimeout(60_000);
const MAIN = join(import.meta.dir, "../src/main.ts");
const folder = mkdtempSync(join(tmpdir(), "postroom-locked-out-"));
const data = join(folder, "data");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function postroom(args: string[], input = ""): Promise<{ code: number; out: string; err: string }> {
  const child = Bun.spawn([process.execPath, MAIN, ...args], {
    cwd: folder,
    env: { HOME: folder, PATH: process.env.PATH ?? "", POSTROOM_DATA: data },
    stdin: Buffer.from(input),
    stdout: "pipe",
    stderr: "pipe",
    timeout: 50_000,
  });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, out, err };
}

async function within<T>(work: (platform: Platform) => T | Promise<T>, key = ""): Promise<T> {
  const config = withValues(loadConfig({ data_dir: data, env: {} }), { "master.key": key });
  const platform = openPlatform({ config, clock: new ManualClock() });
  try {
    return await work(platform);
  } finally {
    platform.close();
  }
}

let owner_id: string;
beforeAll(() =>
  within((platform) => {
    owner_id = platform.users.add({ email: "ada@example.org", plan: "pro", role: "owner", timezone: "UTC" }).id;
  }),
);

describe("user passwd", () => {
  test("sets a password, ends every session, and completes the setup", async () => {
    const about = { method: "password", address: "192.0.2.7", user_agent: "" } as const;
    await within(({ sessions }) => sessions.create({ user_id: owner_id, ...about }));
    const ran = await postroom(["user", "passwd", "ada@example.org", "--password-stdin"], "a quiet evening\n");
    expect(ran).toEqual({ code: 0, out: "Set the password of ada@example.org. Sessions ended: 1.\n", err: "" });
    await within(async ({ signIn }) => {
      expect(await signIn.passwords.verify(owner_id, "a quiet evening")).toBe(true);
      expect(signIn.claim.isClaimed).toBe(true);
    });
  });

  test("turns off the authenticator app only with --remove-totp", async () => {
    const switchOn = ({ signIn, clock }: Platform) => {
      const { secret } = signIn.totp.begin(owner_id, "ada@example.org");
      signIn.totp.confirm(owner_id, generateSync({ secret, epoch: Math.floor(clock.now() / 1000) }));
    };
    await within(switchOn);
    const isOn = () => within(({ signIn }) => signIn.totp.isOn(owner_id));
    await postroom(["user", "passwd", "ada@example.org", "--password-stdin"], "another quiet evening");
    expect(await isOn()).toBe(true);
    await postroom(["user", "passwd", "ada@example.org", "--remove-totp", "--password-stdin"], "another quiet evening");
    expect(await isOn()).toBe(false);
  });

  test.each([
    ["short", "at least 10 characters"],
    ["ADA@example.org", "Your email address"],
    ["", "No password was given"],
  ])("refuses %p with one line", async (password, words) => {
    const ran = await postroom(["user", "passwd", "ada@example.org", "--password-stdin"], password);
    expect([ran.code, ran.out, ran.err.trim().split("\n").length]).toEqual([1, "", 1]);
    expect(ran.err).toContain(words);
  });
});

describe("key-rotate --recovery-key", () => {
  test("opens a folder whose key is lost, and also works with the new key", async () => {
    const lost = join(folder, "lost.key");
    const secret = await within(async (platform) => {
      const { secret, recipient } = await newRecoveryKey();
      await adoptRecoveryKey(platform, recipient);
      await moveMasterKey(platform, { kind: "outside", path: lost });
      return secret;
    });
    rmSync(lost);
    expect(within(() => {})).rejects.toThrow("is not in keys/master.key");
    const paper = join(folder, "paper.txt");
    writeFileSync(paper, `${secret.toLowerCase().slice(0, 40)} ${secret.slice(40)}\n`);
    for (let i = 0; i < 2; i++) {
      const ran = await postroom(["key-rotate", "--recovery-key", paper, "--to-data-folder"]);
      expect([ran.code, ran.err]).toEqual([0, ""]);
      expect(await within(({ users }) => users.get(owner_id)?.email)).toBe("ada@example.org");
    }
  });

  test("with the key of another folder, or none, changes nothing", async () => {
    const paper = join(folder, "other.txt");
    writeFileSync(paper, (await newRecoveryKey()).secret);
    const other = await postroom(["key-rotate", "--recovery-key", paper, "--to-data-folder"]);
    expect([other.code, other.err]).toEqual([1, expect.stringContaining("another data folder")]);
    const none = await postroom(["key-rotate", "--recovery-key", join(folder, "no.txt"), "--to-data-folder"]);
    expect([none.code, none.err]).toEqual([1, expect.stringContaining("There is no file")]);
    expect(await within(({ users }) => users.get(owner_id)?.email)).toBe("ada@example.org");
  });
});
