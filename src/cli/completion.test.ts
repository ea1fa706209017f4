import { describe, expect, test } from "bun:test";
import { completionScript } from "./completion.ts";
import { buildProgram } from "./program.ts";

const program = await buildProgram();
const script = (shell: "bash" | "zsh" | "fish") => completionScript(shell, program);

/** Returns what a real bash, which sources the script, offers for the last word of a line. */
async function offered(...words: string[]): Promise<string[]> {
  const list = words.map((word) => `'${word}'`).join(" ");
  const ask = `${script("bash")}\nCOMP_WORDS=(postroom ${list}); COMP_CWORD=${words.length}; _postroom; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const shell = Bun.spawn(["bash", "--norc", "-c", ask], { stdout: "pipe", stderr: "pipe" });
  const [out, err] = await Promise.all([new Response(shell.stdout).text(), new Response(shell.stderr).text()]);
  expect(err).toBe("");
  return out.split("\n").filter((line) => line !== "");
}

describe.skipIf(!Bun.which("bash"))("bash", () => {
  test("offers commands, then their commands, then their options", async () => {
    expect(await offered("te")).toEqual(["team"]);
    expect(await offered("team", "")).toEqual(expect.arrayContaining(["create", "add", "accept", "list", "remove"]));
    expect(await offered("key", "create", "--te")).toEqual(["--team", "--test"]);
    expect(await offered("key", "create", "--name", "x", "--sc")).toEqual(["--scopes"]);
  });

  test("offers the possible values of an option or argument", async () => {
    expect(await offered("account", "add", "--imap-security", "")).toEqual(["tls", "starttls", "none"]);
    expect(await offered("account", "add", "--imap-security", "st")).toEqual(["starttls"]);
    expect(await offered("completion", "z")).toEqual(["zsh"]);
    expect(await offered("account", "add", "--email", "")).toEqual([]);
  });

  test("does not mistake a value for a command", async () => {
    expect(await offered("key", "create", "--name", "user", "--us")).toEqual(["--user"]);
  });
});

describe("the script of every shell", () => {
  test.each(["bash", "zsh", "fish"] as const)("%s: names every command and every option of the program", (shell) => {
    const text = script(shell);
    const walk = (subject: typeof program): void => {
      for (const child of subject.commands) {
        expect(text).toContain(child.name());
        for (const option of child.options) if (option.long) expect(text).toContain(option.long.slice(2));
        walk(child);
      }
    };
    walk(program);
  });

  test.each([
    ["bash", ["-n"]],
    ["zsh", ["-n"]],
    ["fish", ["--no-execute"]],
  ] as const)("%s parses it without errors, if installed", async (shell, flags) => {
    if (!Bun.which(shell)) return console.info(`not checked with ${shell}: not installed`);
    const reader = Bun.spawn([shell, ...flags], { stdin: new Blob([script(shell)]), stdout: "pipe", stderr: "pipe" });
    expect([await reader.exited, await new Response(reader.stderr).text()]).toEqual([0, ""]);
  });

  test("texts with quotes stay quoted", () => {
    for (const shell of ["bash", "zsh"] as const) {
      const odd = script(shell)
        .split("\n")
        .filter((line) => (line.replaceAll("'\\''", "").match(/'/g) ?? []).length % 2);
      expect(odd.filter((line) => !line.startsWith("#"))).toEqual([]);
    }
  });
});
