import type { Clock } from "../kernel/clock.ts";
import { isoTime } from "../kernel/clock.ts";

const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Fields of a log line: only ids, counts, durations and codes, never a secret, an address, a subject or a body. */
export type LogFields = Record<string, string | number | boolean | null | undefined>;

export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** Returns a logger that adds `fields` to every line. */
  with(fields: LogFields): Log;
}

export interface LogOptions {
  level: LogLevel;
  format: "text" | "json";
  clock: Clock;
  /** Receives one line without its line end. Default: standard error, because standard output is for results. */
  write?: (line: string) => void;
}

/** Creates a logger. @param bound fields of every line */
export function createLog(options: LogOptions, bound: LogFields = {}): Log {
  const least = LOG_LEVELS.indexOf(options.level);
  const write = options.write ?? ((line) => process.stderr.write(`${line}\n`));
  const at =
    (level: LogLevel) =>
    (message: string, fields: LogFields = {}) => {
      if (LOG_LEVELS.indexOf(level) < least) return;
      const all = { ...bound, ...fields };
      const time = isoTime(options.clock.now());
      write(
        options.format === "json"
          ? JSON.stringify({ time, level, message, ...all })
          : asText(time, level, message, all),
      );
    };
  return {
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    with: (fields) => createLog(options, { ...bound, ...fields }),
  };
}

/** Values to quote, because they contain a separator or a control character. */
const QUOTED = /^$|[\s"=\u0000-\u001f\u007f-\u009f]/;

function asText(time: string, level: LogLevel, message: string, fields: LogFields): string {
  const facts = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(
      ([name, value]) => ` ${name}=${typeof value === "string" && QUOTED.test(value) ? JSON.stringify(value) : value}`,
    );
  return `${time} ${level.padEnd(5)} ${message}${facts.join("")}`;
}

/**
 * Returns the fields of an unknown error: its name, code and first stack frames. The message is left out by default,
 * because that of a protocol library may quote mail or credentials.
 */
export function errorFields(error: unknown, logMessages = false): LogFields {
  if (!(error instanceof Error)) return { error: typeof error };
  const code = (error as Error & { code?: unknown }).code;
  const frames = stackFrames(error).slice(0, 4).join(" | ");
  return {
    error: error.name,
    code: typeof code === "string" ? code : undefined,
    detail: logMessages ? error.message : undefined,
    frames: frames || undefined,
  };
}

/** Returns the stack frames of an error without its message, which may contain a line that looks like a frame. */
export function stackFrames(error: Error): string[] {
  const stack = error.stack ?? "";
  const at = error.message === "" ? -1 : stack.indexOf(error.message);
  return stack
    .slice(at < 0 ? 0 : at + error.message.length)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => /^at .*(:\d+:\d+\)?|\(native\)|\(unknown\)|<anonymous>\)?)$/.test(line));
}
