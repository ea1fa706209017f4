import { expect, test } from "bun:test";
import { unknownVariables } from "./settings-finding.ts";

test("a misspelled variable is reported, but a setting and its file form are not", () => {
  const env = {
    POSTROOM_HTTP_PORT: "1",
    POSTROOM_MASTER_KEY_FILE: "x",
    POSTROOM_DATA: "x",
    POSTROOM_HTTP_PROT: "1",
    POSTROOM_HTTP_PORT_FILE: "x",
    PATH: "x",
  };
  expect(unknownVariables(env)).toEqual(["POSTROOM_HTTP_PORT_FILE", "POSTROOM_HTTP_PROT"]);
});
