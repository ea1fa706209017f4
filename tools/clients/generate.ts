/** Writes the generated parts of the clients from the OpenAPI document: bun tools/clients/generate.ts */
import { join } from "node:path";
import { generatedClients, ROOT } from "./generated.ts";

for (const [path, text] of Object.entries(await generatedClients())) {
  await Bun.write(join(ROOT, path), text);
  console.log(path);
}
