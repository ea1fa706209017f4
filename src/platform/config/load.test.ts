import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exampleFile } from "../../../tools/docs/configuration.ts";
import { UserError } from "../../kernel/errors.ts";
import { type ConfigSources, loadConfig, withValues } from "./load.ts";
import { envName, OPTIONS, type OptionKey } from "./table.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "postroom-config-"));
});
afterEach(() => rmSync(dir, { recursive: true }));

const load = (toml: string | null, env: ConfigSources["env"] = {}, flags: ConfigSources["flags"] = {}) => {
  if (toml !== null) writeFileSync(join(dir, "postroom.toml"), toml);
  return loadConfig({ data_dir: dir, env, flags });
};
const KEYS = Object.keys(OPTIONS) as OptionKey[];

test("without any configuration, every key has its default", () => {
  const config = load(null);
  for (const key of KEYS) expect(config.get(key)).toEqual(OPTIONS[key].default);
});

test("a flag overrides the environment, which overrides the file, which overrides the default", () => {
  const toml = "[http]\nport = 1111\n";
  const env = { POSTROOM_HTTP_PORT: "2222" };
  expect(load(toml).get("http.port")).toBe(1111);
  expect(load(toml, env).get("http.port")).toBe(2222);
  expect(load(toml, env, { "http.port": "3333" }).get("http.port")).toBe(3333);
});

test("reads every type of value from the file and from the environment", () => {
  const toml = `[http]\nhost = "0.0.0.0"\nport = 8080\ntrusted_proxies = ["10.0.0.1", "10.1.0.0/16"]\n[ai]\nmetered = true\n[limits]\npro.sends_per_day = 7\n`;
  const env = {
    POSTROOM_HTTP_HOST: "0.0.0.0",
    POSTROOM_HTTP_PORT: " 8080 ",
    POSTROOM_HTTP_TRUSTED_PROXIES: "10.0.0.1, 10.1.0.0/16,",
    POSTROOM_AI_METERED: "TRUE",
    POSTROOM_LIMITS_PRO_SENDS_PER_DAY: "7",
  };
  const fromFile = load(toml);
  const fromEnv = loadConfig({ data_dir: join(dir, "none"), env });
  for (const config of [fromFile, fromEnv]) {
    expect(config.get("http.host")).toBe("0.0.0.0");
    expect(config.get("http.port")).toBe(8080);
    expect(config.get("http.trusted_proxies")).toEqual(["10.0.0.1", "10.1.0.0/16"]);
    expect(config.get("ai.metered")).toBe(true);
    expect(config.get("limits.pro.sends_per_day")).toBe(7);
  }
});

test("an empty variable counts as not set", () => {
  expect(load("[http]\nport = 1111\n", { POSTROOM_HTTP_PORT: "", POSTROOM_LOG_LEVEL: "" }).get("http.port")).toBe(1111);
});

describe("an error names the key", () => {
  const errorOf = (attempt: () => unknown): string => {
    try {
      attempt();
    } catch (error) {
      expect(error).toBeInstanceOf(UserError);
      return (error as Error).message;
    }
    return "no error";
  };

  test.each([
    ["[http]\nprot = 80\n", "http.prot"],
    ["color = 'red'\n", "color"],
    ["toString = 1\n", "toString"],
    ["[limits.pro]\nrequests = 1\n", "limits.pro.requests"],
  ])("an unknown key: %p", (toml, key) => {
    expect(errorOf(() => load(toml))).toEndWith(`unknown key: ${key}`);
  });

  test.each([
    ['[http]\nport = "80"\n', "http.port (POSTROOM_HTTP_PORT) must be a whole number from 0 to 65535"],
    ["[http]\nport = 8.5\n", "http.port"],
    ["[http]\nport = 70000\n", "http.port"],
    ["[http]\nhost = 1\n", "http.host (POSTROOM_HTTP_HOST) must be a string"],
    ["[mail]\npoll_seconds = 0\n", "must be a whole number from 1."],
    ["[ai]\nmetered = 1\n", "ai.metered (POSTROOM_AI_METERED) must be true or false"],
    ['[http]\ntrusted_proxies = "10.0.0.1"\n', "must be a list of strings"],
    ['[owner]\ntimezone = "Mars/Olympus"\n', "owner.timezone (POSTROOM_OWNER_TIMEZONE) must be an IANA time zone"],
    ['[owner]\nemail = "ada"\n', "owner.email (POSTROOM_OWNER_EMAIL) must be an email address"],
    ['[http]\npublic_url = "mail.example.org"\n', "must be an address such as https://mail.example.org"],
    ['[http]\nbase_path = "mail/"\n', "must be empty or a path such as /mail"],
    ['[http]\nbase_path = "/a/../b"\n', "must be empty or a path such as /mail"],
    ['[http]\nforward_auth_header = "Remote Email"\n', "must be a header name"],
    ['[oidc]\nissuer = "http://id.example.org"\n', "must be an https:// address"],
    ['[log]\nlevel = "loud"\n', "log.level (POSTROOM_LOG_LEVEL) must be one of debug, info, warn, error"],
  ])("an invalid value: %p", (toml, words) => {
    expect(errorOf(() => load(toml))).toContain(words);
  });

  test.each([
    ["POSTROOM_HTTP_PORT", "80 80"],
    ["POSTROOM_HTTP_PORT", "0x50"],
    ["POSTROOM_AI_METERED", "constructor"],
    ["POSTROOM_STORE_ATTACHMENTS", "some"],
  ])("an invalid value from the environment: %s=%s", (name, value) => {
    expect(errorOf(() => load(null, { [name]: value }))).toContain(name);
  });

  test("reports a file that is not TOML, and a named file that does not exist", () => {
    expect(errorOf(() => load("[http\nport"))).toContain("is not valid TOML");
    expect(errorOf(() => loadConfig({ data_dir: dir, env: {}, file: join(dir, "no.toml") }))).toContain(
      "does not exist",
    );
  });
});

describe("secrets", () => {
  const secretKeys = KEYS.filter((key) => "secret" in OPTIONS[key]);

  test.each(secretKeys)("%s can be read from a file, without its line end", (key) => {
    const path = join(dir, "secret");
    writeFileSync(path, "s3cret\n");
    expect(load(null, { [`${envName(key)}_FILE`]: path, [envName(key)]: "other" }).get(key)).toBe("s3cret");
  });

  test("a missing file is reported, and only secrets can be read from a file", () => {
    expect(() => load(null, { POSTROOM_MASTER_KEY_FILE: join(dir, "no") })).toThrow("POSTROOM_MASTER_KEY_FILE");
    expect(load(null, { POSTROOM_HTTP_HOST_FILE: join(dir, "no") }).get("http.host")).toBe("127.0.0.1");
  });

  test("an invalid value is not repeated in the error", () => {
    expect(() => load('[master]\nkey = ["hunter2"]\n')).toThrow(/^(?!.*hunter2).*master\.key/);
  });
});

test("every key has its own variable", () => {
  const names = KEYS.map(envName);
  expect(new Set(names).size).toBe(names.length);
  expect(envName("webhooks.allow")).toBe("POSTROOM_WEBHOOKS_ALLOW");
});

test("the example file is valid, and contains the defaults when every line is uncommented", () => {
  load(exampleFile());
  const config = load(exampleFile().replaceAll(/^#(?=\S)/gm, ""));
  for (const key of KEYS) expect(config.get(key)).toEqual(OPTIONS[key].default);
});

test("changed values override the loaded ones", () => {
  const config = withValues(load(null), { "http.port": 1 });
  expect([config.get("http.port"), config.get("http.host")]).toEqual([1, "127.0.0.1"]);
});
