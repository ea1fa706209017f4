import { expect, test } from "bun:test";
import { environmentFor } from "./runtime-options.ts";

test("a command that reads much mail is started once more, with the options of the engine and its own settings", () => {
  const env = environmentFor("serve", { POSTROOM_DATA: "/data" });
  expect(env).toMatchObject({ POSTROOM_DATA: "/data", BUN_JSC_forceRAMSize: expect.any(String) });
  expect(environmentFor("import", {})).not.toBeNull();
  expect(environmentFor("serve", env!)).toBeNull();
});

test("other commands, and options that a person has set, stay as they are", () => {
  for (const command of ["status", "health", "--version", undefined]) expect(environmentFor(command, {})).toBeNull();
  expect(environmentFor("serve", { BUN_JSC_forceRAMSize: "1" })).toBeNull();
});
