import { describe, expect, test } from "bun:test";
import { ask, readPassword, type Terminal } from "./password.ts";

/** A terminal that a test types into. */
function terminal() {
  const listeners = new Set<(bytes: Uint8Array) => void>();
  const modes: boolean[] = [];
  const said: string[] = [];
  const input: Terminal = {
    isTTY: true,
    setRawMode: (raw) => modes.push(raw),
    on: (_event, listener) => listeners.add(listener),
    off: (_event, listener) => listeners.delete(listener),
    resume: () => {},
    pause: () => {},
  };
  const type = (bytes: Uint8Array | string) => {
    for (const listener of [...listeners]) listener(typeof bytes === "string" ? Buffer.from(bytes) : bytes);
  };
  return { input, type, modes, said, answer: ask(input, (text) => said.push(text)) };
}

describe("a password at the terminal", () => {
  test("is not shown while it is typed, and the terminal is left as it was", async () => {
    const { type, modes, said, answer } = terminal();
    type("hunt");
    type("er2\r");
    expect(await answer).toBe("hunter2");
    expect(said.join("")).toBe("Password (not shown): \n");
    expect(modes).toEqual([true, false]);
  });

  test("can be corrected, in whole letters", async () => {
    const { type, answer } = terminal();
    type("añ\u007f\u007fb\b\b\bcé\n");
    expect(await answer).toBe("cé");
  });

  test("may arrive in the middle of a letter", async () => {
    const { type, answer } = terminal();
    const bytes = Buffer.from("é");
    type(bytes.subarray(0, 1));
    type(bytes.subarray(1));
    type("\r");
    expect(await answer).toBe("é");
  });

  test("Ctrl-C ends the question and gives the terminal back", async () => {
    const { type, modes, answer } = terminal();
    type("hun\u0003");
    expect(answer).rejects.toThrow("Interrupted");
    await answer.catch(() => {});
    expect(modes).toEqual([true, false]);
  });
});

test("a pipe is read only when that was asked for", () => {
  const { input } = terminal();
  expect(readPassword(false, { ...input, isTTY: false })).rejects.toThrow("--password-stdin");
});
