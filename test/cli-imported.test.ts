import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMailbox } from "../src/mailbox/mailbox.ts";
import { systemClock } from "../src/platform/clock.ts";
import { loadConfig } from "../src/platform/config/load.ts";
import { openPlatform } from "../src/platform/platform.ts";
import { mailText } from "./support/mail-text.ts";

/** Account commands on a mailbox that `postroom import` created: it has no server and is the only copy of its mail. */

const MAIN = join(import.meta.dir, "../src/main.ts");
const folder = mkdtempSync(join(tmpdir(), "postroom-cli-imported-"));
const data = join(folder, "data");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function postroom(args: string): { code: number; out: string; err: string } {
  const command = [process.execPath, MAIN, ...args.split(" "), "--data", data];
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { stdin: null, env: { PATH: process.env.PATH ?? "" } });
  return { code: exitCode, out: stdout.toString(), err: stderr.toString() };
}
const listed = (): { id: string; provider: string; status: string }[] =>
  JSON.parse(postroom("account list --json").out);

let id: string;
let sandbox: string;
beforeAll(() => {
  const platform = openPlatform({ config: loadConfig({ data_dir: data, env: {} }), clock: systemClock });
  const user = platform.users.add({ email: "ada@example.org", plan: "pro", role: "owner", timezone: "UTC" });
  const { accounts } = createMailbox(platform);
  const sample = { user_id: user.id, provider: "sandbox", email: "sample@sandbox.invalid", connection: null } as const;
  sandbox = accounts.add(sample).id;
  platform.close();
  const mbox = join(folder, "old.mbox");
  writeFileSync(
    mbox,
    `From x Mon Mar  2 09:00:00 2020\n${mailText({ id: "1", subject: "Alt" }).replaceAll("\r", "")}\n`,
  );
  const { code, out, err } = postroom(`import --user ada@example.org --name alte-post --mbox ${mbox} --json`);
  expect([code, err]).toEqual([0, ""]);
  id = JSON.parse(out).id;
}, 60_000);

describe("an imported mailbox at the command line", () => {
  test.each(["sync", "check", "update --password-stdin", "pause", "primary"])(
    "account %s is refused, because the mailbox has no mail server",
    (command) => {
      const [name, ...more] = command.split(" ");
      const { code, out, err } = postroom(["account", name, id, ...more].join(" "));
      expect([code, out]).toEqual([1, ""]);
      expect(err).toContain("alte-post@imported.invalid: This mailbox was imported from files and has no mail server.");
      expect(listed().find((account) => account.id === id)).toMatchObject({ status: "active" });
    },
    60_000,
  );

  test.each(["sync", "check", "update --password-stdin"])(
    "account %s is also refused for the sample mailbox",
    (command) => {
      const [name, ...more] = command.split(" ");
      const { code, err } = postroom(["account", name, sandbox, ...more].join(" "));
      expect([code, err]).toEqual([1, expect.stringContaining("sample mailbox, which has no mail server")]);
    },
    60_000,
  );

  test("account remove without --yes and a terminal deletes nothing, and names the export command", () => {
    const { code, out, err } = postroom(`account remove ${id}`);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain("this is the only copy of its mail");
    expect(err).toContain(`postroom export ${id}`);
    expect(err).toContain("--yes");
    expect(listed().some((account) => account.id === id)).toBe(true);
  }, 60_000);

  test("the named command exports the mailbox, and --yes then removes it", () => {
    expect(postroom(`export ${id} ${join(folder, "out.mbox")}`).code).toBe(0);
    const { code, out } = postroom(`account remove ${id} --yes`);
    expect([code, out]).toEqual([0, "Deleted alte-post@imported.invalid, which was imported from files.\n"]);
    expect(listed().map((account) => account.provider)).toEqual(["sandbox"]);
  }, 60_000);

  test("removing the sample mailbox says nothing about a server", () => {
    const { code, out } = postroom(`account remove ${sandbox}`);
    expect(code).toBe(0);
    expect(out).toContain("The next start of the server creates it again");
  }, 60_000);
});
