import { advice, type Finding, ok } from "../features/diagnostics/finding.ts";
import { envName, OPTIONS, type Option } from "../platform/config/table.ts";

/** The configuration could be read; what may be misspelt in the environment? */
export function settingsFinding(env: Record<string, string | undefined>): Finding {
  const unknown = unknownVariables(env);
  return unknown.length === 0
    ? ok("configuration", "every value is valid")
    : advice("configuration", `no setting belongs to ${unknown.join(", ")}; misspelt?`);
}

/** Variables that are meant for us and for nothing else. */
const OTHER_VARIABLES = new Set(["POSTROOM_DATA", "POSTROOM_NO_APT"]);

/** Names of variables that look like settings and are none: a misspelt one is silently without effect. */
export function unknownVariables(env: Record<string, string | undefined>): string[] {
  const known = new Set(OTHER_VARIABLES);
  for (const [key, option] of Object.entries<Option>(OPTIONS)) {
    known.add(envName(key));
    if (option.secret) known.add(`${envName(key)}_FILE`);
  }
  return Object.keys(env)
    .filter((name) => name.startsWith("POSTROOM_") && !known.has(name))
    .sort();
}
