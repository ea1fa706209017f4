import { describe, expect, test } from "bun:test";
import { ask, readPassword, type Terminal } from "./password.ts";

/** Creates a terminal that a test types into. */
function terminal() {
  const listeners = new Set<(bytes: Uint8Array) => void>();
  const modes: boolean[] = [];
  const printed: string[] = [];
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
  return { input, type, modes, printed, answer: ask(input, (text) => printed.push(text)) };
}

describe("a password at the terminal", () => {
  test("is not shown while it is typed, and the terminal mode is restored", async () => {
    const { type, modes, printed, answer } = terminal();
    type("hunt");
    type("er2\r");
    expect(await answer).toBe("hunter2");
    expect(printed.join("")).toBe("Password (not shown): \n");
    expect(modes).toEqual([true, false]);
  });

  test("can be corrected, one letter at a time", async () => {
    const { type, answer } = terminal();
    type("añ\u007f\u007fb\b\b\bcé\n");
    expect(await answer).toBe("cé");
  });

  test("can arrive in chunks that split a letter", async () => {
    const { type, answer } = terminal();
    const bytes = Buffer.from("é");
    type(bytes.subarray(0, 1));
    type(bytes.subarray(1));
    type("\r");
    expect(await answer).toBe("é");
  });

  test("Ctrl-C ends the prompt and restores the terminal mode", async () => {
    const { type, modes, answer } = terminal();
    type("hun\u0003");
    expect(answer).rejects.toThrow("Interrupted");
    await answer.catch(() => {});
    expect(modes).toEqual([true, false]);
  });
});

test("a pipe is read only with --password-stdin", () => {
  const { input } = terminal();
  expect(readPassword(false, { ...input, isTTY: false })).rejects.toThrow("--password-stdin");
});
