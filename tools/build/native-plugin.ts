import { join, relative } from "node:path";
import type { BunPlugin } from "bun";
import { modelSources, type NativeSource, nativeSources } from "./native-files.ts";
import type { Platform } from "./targets.ts";

/** Texts to replace in a file of a package. The build fails if a text is missing (`patch`). */
interface Patch {
  /** Matches the absolute path of the file. */
  file: RegExp;
  replace: [from: string, to: string][];
}

/**
 * Names src/platform/native/binding.ts in packages. The modules that this plugin writes are part of the source map, where
 * absolute paths would make builds in two folders differ.
 */
const BINDING = "postroom:native-binding";
const BINDING_MODULE = JSON.stringify(BINDING);

/**
 * Leads from both modules that embed files to the root of the project. A name that `onResolve` resolves would not do:
 * Bun then ignores `type: "file"`, and loads the library at the start.
 */
const TO_ROOT = "../../..";

const PATCHES: Patch[] = [
  {
    // The CommonJS build is matched, too. It has other text, so that requiring usearch instead of importing it fails
    // the build, and not the first search.
    file: /[\\/]usearch[\\/]javascript[\\/]dist[\\/](esm|cjs)[\\/]usearch\.js$/,
    replace: [
      ['import build from "node-gyp-build";', `import { nativeBinding } from ${BINDING_MODULE};`],
      ["const compiled = build(getBuildDir(getDirName()));", 'const compiled = nativeBinding("usearch");'],
      // Names the files of all platforms for another bundler; this one would resolve them.
      ["if (process.uptime() < 0) {", "if (false) {"],
    ],
  },
  {
    file: /[\\/]onnxruntime-node[\\/]dist[\\/]binding\.js$/,
    replace: [
      [
        "require(`../bin/napi-v6/$" + "{process.platform}/$" + "{process.arch}/onnxruntime_binding.node`)",
        `require(${BINDING_MODULE}).nativeBinding("onnxruntime")`,
      ],
    ],
  },
  {
    // A createRequire is invisible to the bundler and would search node_modules beside the executable.
    file: /[\\/]@huggingface[\\/]transformers[\\/]dist[\\/]transformers\.node\.mjs$/,
    replace: [
      ["var requireFromHere = createRequire(import.meta.url ?? __filename);", ""],
      [
        'var onnx_node_default = requireFromHere("onnxruntime-node");',
        'import * as onnx_node_default from "onnxruntime-node";',
      ],
    ],
  },
];

/**
 * Makes usearch, ONNX Runtime and transformers.js work inside a compiled executable: their native files are embedded as
 * data, and their loaders call `src/platform/native/binding.ts` instead of searching node_modules. See
 * docs/decisions/0001.
 */
export function nativePlugin(root: string, platform: Platform): BunPlugin {
  return {
    name: "postroom-native",
    setup(build) {
      const binding = join(root, "src/platform/native/binding.ts");
      build.onResolve({ filter: new RegExp(`^${BINDING}$`) }, () => ({ path: binding }));
      for (const { file, replace } of PATCHES) {
        build.onLoad({ filter: file }, async ({ path }) => ({
          contents: patch(path, await Bun.file(path).text(), replace),
          loader: "js",
        }));
      }
      build.onLoad({ filter: /[\\/]src[\\/]platform[\\/]native[\\/]embedded\.ts$/ }, async () => ({
        contents: embeddedModule(root, await nativeSources(join(root, "node_modules"), platform)),
        loader: "ts",
      }));
      build.onLoad({ filter: /[\\/]src[\\/]ml[\\/]embedding[\\/]built-in-files\.ts$/ }, async () => ({
        contents: modelModule(root, await modelSources()),
        loader: "ts",
      }));
      leaveOut(build);
    },
  };
}

/** Replaces each text exactly once. @throws Error when one is missing, which means that the package has changed */
export function patch(path: string, text: string, replacements: [from: string, to: string][]): string {
  let result = text;
  for (const [from, to] of replacements) {
    const parts = result.split(from);
    if (parts.length !== 2) {
      throw new Error(
        `${path}: expected exactly one «${from}», found ${parts.length - 1}. The package has changed; ` +
          "adapt the plugin in tools/build that replaces it.",
      );
    }
    result = parts.join(to);
  }
  return result;
}

/** Returns the module that replaces src/ml/embedding/built-in-files.ts in the executable. */
export function modelModule(root: string, source: NativeSource): string {
  const imports: string[] = [];
  const model = embeddedLibrary(root, source, imports);
  return [...imports, `export const embeddedModel = ${model};`].join("\n");
}

/** Returns a library as source text; adds the imports of its files to `imports`. */
function embeddedLibrary(root: string, { files, entry }: NativeSource, imports: string[]): string {
  const embedded = files.map((file) => {
    const variable = `file${imports.length}`;
    const specifier = JSON.stringify(`${TO_ROOT}/${relative(root, file.path)}`);
    imports.push(`import ${variable} from ${specifier} with { type: "file" };`);
    return `{ name: ${JSON.stringify(file.name)}, path: ${variable}, sha256: ${JSON.stringify(file.sha256)} }`;
  });
  return `{ entry: ${JSON.stringify(entry)}, files: [${embedded.join(", ")}] }`;
}

/** Returns the module that replaces src/platform/native/embedded.ts in the executable. */
export function embeddedModule(root: string, sources: Record<string, NativeSource>): string {
  const imports: string[] = [];
  const libraries = Object.entries(sources).map(
    ([name, source]) => `${name}: ${embeddedLibrary(root, source, imports)}`,
  );
  const versions = Object.entries(sources).map(([name, { version }]) => `${name}: ${JSON.stringify(version)}`);
  return [
    ...imports,
    `export const embeddedLibraries = { ${libraries.join(", ")} };`,
    `export const versions = { ${versions.join(", ")} };`,
  ].join("\n");
}

/**
 * Leaves out sharp (images) and ONNX Runtime for browsers, which transformers.js depends on but Postroom never uses.
 * The stub for sharp must be truthy, because transformers.js throws at import if it finds no image library.
 *
 * Leaves out the native parts of ssh2 as well, which tries them and works without them: the executable must not search
 * for code beside it.
 */
function leaveOut(build: Parameters<BunPlugin["setup"]>[0]): void {
  const reason = (path: string) => JSON.stringify(`${path} is not part of Postroom`);
  build.onResolve({ filter: /^(sharp|onnxruntime-web)(\/|$)/ }, ({ path }) => ({ path, namespace: "left-out" }));
  build.onLoad({ filter: /.*/, namespace: "left-out" }, ({ path }) => ({
    contents: `export default function leftOut() { throw new Error(${reason(path)}); }`,
    loader: "js",
  }));
  build.onResolve({ filter: /^cpu-features$|\/sshcrypto\.node$/ }, ({ path }) => ({ path, namespace: "not-there" }));
  build.onLoad({ filter: /.*/, namespace: "not-there" }, ({ path }) => ({
    contents: `module.exports = null; throw new Error(${reason(path)});`,
    loader: "js",
  }));
}
