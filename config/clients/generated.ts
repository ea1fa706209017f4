import { join } from "node:path";
import { pythonModule } from "./python.ts";
import { typescriptTypes } from "./typescript.ts";

export const ROOT = join(import.meta.dir, "../..");

/** Returns the generated text of each file, by path. */
export async function generatedClients(): Promise<Record<string, string>> {
  // A test keeps the published document equal to the routes.
  const document = await Bun.file(join(ROOT, "test/golden/openapi.json")).text();
  return {
    "clients/typescript/src/api.ts": await typescriptTypes(document),
    "clients/python/postroom/api.py": pythonModule(document),
  };
}
