import { join } from "node:path";
import { pythonModule } from "./python.ts";
import { typescriptTypes } from "./typescript.ts";

export const ROOT = join(import.meta.dir, "../..");

/** Path → the text that it must have. */
export async function generatedClients(): Promise<Record<string, string>> {
  // The published document: a test compares it with the routes.
  const document = await Bun.file(join(ROOT, "test/golden/openapi.json")).text();
  return {
    "clients/typescript/src/api.ts": await typescriptTypes(document),
    "clients/python/postroom/api.py": pythonModule(document),
  };
}
