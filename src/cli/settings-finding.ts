import { advice, type Finding, ok } from "../features/diagnostics/finding.ts";
import { envName, OPTIONS, type Option } from "../platform/config/table.ts";

/** Reports environment variables that look misspelled, once the configuration is valid. */
export function settingsFinding(env: Record<string, string | undefined>): Finding {
  const unknown = unknownVariables(env);
  return unknown.length === 0
    ? ok("configuration", "Every value is valid.")
    : advice("configuration", `Unknown environment variables: ${unknown.join(", ")}. Check their spelling.`);
}

/** Variables of Postroom that are not settings. */
const OTHER_VARIABLES = new Set(["POSTROOM_DATA", "POSTROOM_NO_APT"]);

/** Returns variables that look like settings but are not: a misspelled variable silently has no effect. */
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
