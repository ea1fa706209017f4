import { expect, test } from "bun:test";
import { join } from "node:path";
import { generatedClients, ROOT } from "../../tools/clients/generated.ts";

test("the clients match the OpenAPI document; otherwise run: bun tools/clients/generate.ts", async () => {
  for (const [path, text] of Object.entries(await generatedClients())) {
    const same = (await Bun.file(join(ROOT, path)).text()) === text;
    expect({ path, same }).toEqual({ path, same: true });
  }
});
