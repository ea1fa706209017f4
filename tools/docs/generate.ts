/** Writes the pages that are generated from the program: bun tools/docs/generate.ts */
import { join } from "node:path";
import { GENERATED } from "./pages.ts";

for (const [path, make] of Object.entries(GENERATED)) {
  await Bun.write(join(import.meta.dir, "../..", path), await make());
  console.log(path);
}
