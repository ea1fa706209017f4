import { expect, test } from "bun:test";
import { grantsAccess } from "./granting.ts";
import { OPTIONS, type Option, type OptionKey } from "./table.ts";

const KEYS = Object.keys(OPTIONS) as OptionKey[];
/** Needed before the register opens. Any master key other than that of the installation is refused anyway. */
const KEY_ITSELF: OptionKey[] = ["master.key", "master.passphrase"];

test("a setting that holds a secret, an address, a list of hosts or a certificate file takes effect only when accepted", () => {
  const leadsElsewhere = (key: OptionKey) => {
    const option: Option = OPTIONS[key];
    return (
      option.secret === true ||
      option.type === "list" ||
      /^https:/.test(String(option.default)) ||
      /(?:_url|_hosts?|_header|_file|\.host|\.hub|\.issuer|\.folder|\.allow|sessions\..*)$/.test(key)
    );
  };
  const wanted = KEYS.filter((key) => leadsElsewhere(key) && !KEY_ITSELF.includes(key));
  expect(wanted.length).toBeGreaterThan(20);
  expect(wanted.filter((key) => !grantsAccess(key))).toEqual([]);
});

test("limits and tuning settings take effect at once, except the one that also lifts what plans leave out", () => {
  const harmless = KEYS.filter((key) => /^(?:limits|log|retention)\.|_seconds$|_bytes$|^http\.port$/.test(key));
  expect(harmless.length).toBeGreaterThan(20);
  expect(harmless.filter((key) => grantsAccess(key))).toEqual(["limits.programs"]);
});
