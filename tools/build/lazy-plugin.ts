import type { BunPlugin } from "bun";

/**
 * Packages that most threads never need, although others import them, or they are called where nothing can be awaited.
 * Otherwise each thread evaluates them at its start: in the mail worker, they take 14 MB. A package that code extends
 * at its start does not profit.
 */
export const LAZY_PACKAGES: readonly string[] = [
  // imapflow: texts in ISO-2022-JP, its log, which is off, and proxies.
  "encoding-japanese",
  "pino",
  "socks",
  // Mail that people write.
  "nodemailer",
  "sanitize-html",
  // Calendars on a server, and events by Outlook.
  "tsdav",
  "windows-iana",
  // The second factor.
  "otplib",
];

const STUBS = "postroom-lazy";
/** Prefix of the name by which a stub requires the package. It is not a path, so that builds in two folders are equal. */
const REAL = "postroom-lazy:";

/** Makes the executable evaluate packages when they are first used, not when they are imported. */
export function lazyPlugin(root: string, packages: readonly string[] = LAZY_PACKAGES): BunPlugin {
  const resolve = (name: string) => Bun.resolveSync(name, root);
  return {
    name: STUBS,
    setup(build) {
      build.onResolve({ filter: new RegExp(`^(?:${packages.join("|")})$`) }, ({ path }) => ({
        path,
        namespace: STUBS,
      }));
      build.onLoad({ filter: /./, namespace: STUBS }, ({ path }) => ({
        contents: stubOf(path, require(resolve(path))),
        loader: "js",
      }));
      build.onResolve({ filter: new RegExp(`^${REAL}`) }, ({ path }) => ({ path: resolve(path.slice(REAL.length)) }));
    },
  };
}

/**
 * Returns a module with the names of a package, which loads it when one of them is read, or when it is called itself.
 * @throws Error for a package that is an instance of a class, because its methods would have another `this`
 */
export function stubOf(name: string, exported: object): string {
  const kind = typeof exported === "function" ? Function : Object.getPrototypeOf(exported)?.constructor;
  if (kind !== undefined && kind !== Object && kind !== Function)
    throw new Error(`${name} is an instance of a class and cannot be loaded lazily`);
  const getters = Object.keys(exported)
    .filter((key) => key !== "default")
    .map((key) => `${JSON.stringify(key)}: { enumerable: true, get: () => real()[${JSON.stringify(key)}] }`);
  const call = "(...given) { return new.target ? new (real())(...given) : real()(...given); }";
  return [
    `const real = () => require(${JSON.stringify(REAL + name)});`,
    `module.exports = Object.defineProperties(${typeof exported === "function" ? `function ${call}` : "{}"}, {`,
    getters.join(",\n"),
    "});",
  ].join("\n");
}
