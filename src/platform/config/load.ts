import { existsSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import { UserError } from "../../kernel/errors.ts";
import { type ConfigValues, envName, OPTIONS, type Option, type OptionKey } from "./table.ts";

export interface Config {
  /** The data folder. */
  data_dir: string;
  get<K extends OptionKey>(key: K): ConfigValues[K];
  /** Returns whether a flag, the environment or the file sets the key. Otherwise its value is the default. */
  isSet(key: OptionKey): boolean;
  /** The configuration file, if it is in the data folder: anyone who can write to the folder can change the file. */
  beside?: {
    /** "" when there is no file. */
    text: string;
    /** Keys whose values are from the file. */
    keys: OptionKey[];
  };
}

export interface ConfigSources {
  data_dir: string;
  /** Path of a TOML file; by default `<data>/postroom.toml`, if that exists. */
  file?: string;
  env: Record<string, string | undefined>;
  /** Values of command-line flags. Flags override the environment, which overrides the file. */
  flags?: Partial<Record<OptionKey, string>>;
}

/** Reads the configuration. @throws UserError with the key that is unknown or has an invalid value */
export function loadConfig(sources: ConfigSources): Config {
  const { values: file, text } = readFile(sources);
  const keys: OptionKey[] = [];
  const values = new Map<string, unknown>();
  const set = new Set<OptionKey>();
  for (const [key, option] of Object.entries(OPTIONS) as [OptionKey, Option][]) {
    const flag = sources.flags?.[key];
    const env = fromEnv(key, option, sources.env);
    if (flag !== undefined || env !== undefined || file.has(key)) set.add(key);
    if (flag !== undefined) values.set(key, parseText(key, option, flag));
    else if (env !== undefined) values.set(key, parseText(key, option, env));
    else if (file.has(key)) {
      values.set(key, checkValue(key, option, file.get(key)));
      keys.push(key);
    } else values.set(key, option.default);
  }
  const { data_dir } = sources;
  const beside = isBeside(sources) ? { beside: { text, keys } } : {};
  return { data_dir, get: (key) => values.get(key) as never, isSet: (key) => set.has(key), ...beside };
}

/** Returns the configuration with some values changed, for tests and for values known only at run time. */
export function withValues(config: Config, changes: Partial<ConfigValues>): Config {
  return {
    ...config,
    get: (key) => (key in changes ? changes[key]! : config.get(key)),
    isSet: (key) => key in changes || config.isSet(key),
  };
}

/**
 * Returns whether the file is in the data folder, also through a link: anyone who can write to the folder can then
 * change it.
 */
function isBeside({ data_dir, file }: ConfigSources): boolean {
  if (file === undefined) return true;
  const folder = real(data_dir);
  return [resolve(file), real(file), join(real(dirname(file)), basename(file))].some(
    (path) => path.startsWith(folder + sep) || path.startsWith(resolve(data_dir) + sep),
  );
}

function real(path: string): string {
  return existsSync(path) ? realpathSync(path) : resolve(path);
}

function readFile(sources: ConfigSources): { values: Map<string, unknown>; text: string } {
  const path = sources.file ?? `${sources.data_dir}/postroom.toml`;
  if (!existsSync(path)) {
    if (sources.file) throw new UserError(`The configuration file ${path} does not exist.`);
    return { values: new Map(), text: "" };
  }
  let tree: unknown;
  const text = readFileSync(path, "utf8");
  try {
    tree = Bun.TOML.parse(text);
  } catch (cause) {
    throw new UserError(`The configuration file ${path} is not valid TOML: ${(cause as Error).message}`);
  }
  const flat = new Map<string, unknown>();
  flatten(tree, "", flat);
  for (const key of flat.keys()) {
    if (!Object.hasOwn(OPTIONS, key)) throw new UserError(`The configuration file ${path} has an unknown key: ${key}`);
  }
  return { values: flat, text };
}

function flatten(node: unknown, prefix: string, into: Map<string, unknown>): void {
  if (typeof node !== "object" || node === null || Array.isArray(node)) {
    into.set(prefix, node);
    return;
  }
  for (const [name, child] of Object.entries(node)) flatten(child, prefix ? `${prefix}.${name}` : name, into);
}

function fromEnv(key: string, option: Option, env: ConfigSources["env"]): string | undefined {
  const name = envName(key);
  const path = option.secret ? env[`${name}_FILE`] : undefined;
  if (path) {
    if (!existsSync(path)) throw new UserError(`${name}_FILE names a file that does not exist.`);
    return readFileSync(path, "utf8").trim();
  }
  // Compose files pass unset variables as empty strings.
  return env[name] || undefined;
}

function parseText(key: string, option: Option, text: string): unknown {
  switch (option.type) {
    case "integer":
      return checkValue(key, option, /^-?\d+$/.test(text.trim()) ? Number(text) : Number.NaN);
    case "boolean":
      return checkValue(key, option, { true: true, "1": true, false: false, "0": false }[text.trim().toLowerCase()]);
    case "list":
      return text
        .split(",")
        .map((item) => item.trim())
        .filter((item) => item !== "");
    default:
      return checkValue(key, option, text);
  }
}

function checkValue(key: string, option: Option, value: unknown): unknown {
  const bad = (wanted: string) => new UserError(`Configuration ${key} (${envName(key)}) must be ${wanted}.`);
  switch (option.type) {
    case "integer": {
      const { min = 0, max = Number.MAX_SAFE_INTEGER } = option;
      if (!Number.isInteger(value) || (value as number) < min || (value as number) > max) {
        throw bad(
          max === Number.MAX_SAFE_INTEGER ? `a whole number from ${min}` : `a whole number from ${min} to ${max}`,
        );
      }
      return value;
    }
    case "boolean":
      if (typeof value !== "boolean") throw bad("true or false");
      return value;
    case "list":
      if (!Array.isArray(value) || value.some((item) => typeof item !== "string")) throw bad("a list of strings");
      return value;
    default:
      if (typeof value !== "string") throw bad("a string");
      if (option.check && !option.check.holds(value)) throw bad(option.check.wanted);
      if (option.choices && !option.choices.includes(value)) throw bad(`one of ${option.choices.join(", ")}`);
      return value;
  }
}
