import { UserError } from "../kernel/errors.ts";

/** The part of a terminal's input that the prompt uses; `process.stdin` has it. */
export interface Terminal {
  isTTY?: boolean;
  setRawMode?(raw: boolean): unknown;
  on(event: "data", listener: (bytes: Uint8Array) => void): unknown;
  off(event: "data", listener: (bytes: Uint8Array) => void): unknown;
  resume(): unknown;
  pause(): unknown;
}

const ENTER = new Set(["\r", "\n", "\u0004"]);
const RUBOUT = new Set(["\b", "\u007f"]);
const INTERRUPT = "\u0003";

/**
 * Reads a password: from standard input when that is a pipe or a file, otherwise from a prompt in the terminal that
 * does not show what is typed.
 * @param fromStdin whether `--password-stdin` was given. Without it, a pipe is not read, because it may be meant for
 * another program.
 * @throws UserError when there is none
 */
export async function readPassword(fromStdin: boolean, input: Terminal = process.stdin): Promise<string> {
  if (!input.isTTY && !fromStdin) {
    throw new UserError(
      "There is no terminal to ask for the password. Pass the password on standard input with --password-stdin.",
    );
  }
  const password = input.isTTY ? await ask(input) : (await Bun.stdin.text()).replace(/\r?\n$/, "");
  if (password === "") throw new UserError("No password was given.");
  return password;
}

/** Prompts on standard error, because standard output is for results. */
export function ask(
  input: Terminal,
  say: (text: string) => void = (text) => process.stderr.write(text),
  question = "Password (not shown): ",
): Promise<string> {
  // Before the question, so that not even a fast answer is shown.
  input.setRawMode?.(true);
  say(question);
  input.resume();
  return new Promise((resolve, reject) => {
    let typed: string[] = [];
    const decoder = new TextDecoder();
    const end = () => {
      input.off("data", onData);
      input.setRawMode?.(false);
      input.pause();
      say("\n");
    };
    const onData = (bytes: Uint8Array) => {
      for (const key of decoder.decode(bytes, { stream: true })) {
        if (key === INTERRUPT) {
          end();
          return reject(new UserError("Interrupted."));
        }
        if (ENTER.has(key)) {
          end();
          return resolve(typed.join(""));
        }
        if (RUBOUT.has(key)) typed = typed.slice(0, -1);
        else typed.push(key);
      }
    };
    input.on("data", onData);
  });
}
