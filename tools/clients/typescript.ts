import { plugin } from "bun";

// The generator builds its output with the compiler's programming interface, which TypeScript 7 does not have any more.
plugin({
  name: "typescript-5-for-the-generator",
  setup(build) {
    build.onLoad({ filter: /[\\/]openapi-typescript[\\/]dist[\\/].*\.mjs$/ }, async ({ path }) => ({
      contents: (await Bun.file(path).text()).replaceAll(/from (["'])typescript\1/g, 'from "typescript5"'),
      loader: "js",
    }));
  },
});

/** clients/typescript/src/api.ts: the types of every path, made by openapi-typescript. @param document OpenAPI 3.1, JSON */
export async function typescriptTypes(document: string): Promise<string> {
  const { astToString, default: generate } = await import("openapi-typescript");
  const nodes = await generate(document, { alphabetize: false, rootTypes: true, rootTypesNoSchemaPrefix: true });
  return `// Made from the OpenAPI document by: bun tools/clients/generate.ts. A test compares it.\n\n${astToString(nodes)}`;
}
