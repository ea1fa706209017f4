import type { BunPlugin } from "bun";
import { patch } from "./native-plugin.ts";

/**
 * Texts to replace in imapflow. It writes every response of a server out again for a log, which is off, and each name of
 * an attribute, which is a plain word for all but parts of messages.
 */
const PATCHES: { file: RegExp; replace: [from: string, to: string][] }[] = [
  {
    file: /[\\/]imapflow[\\/]dist[\\/]esm[\\/]imap-flow\.js$/,
    replace: [
      ["let logCompiled = await compiler(parsed, {\n            isLogging: true\n        });", 'let logCompiled = "";'],
    ],
  },
  {
    file: /[\\/]imapflow[\\/]dist[\\/]esm[\\/]tools\.js$/,
    replace: [
      [
        "key = (await compiler({",
        'key = attribute && attribute.type === "ATOM" && !attribute.section && typeof attribute.value === "string" ? attribute.value.toLowerCase() : (await compiler({',
      ],
    ],
  },
];

/** Removes work of imapflow whose result is not used: about half of its processor time in a first sync. */
export function imapflowPlugin(): BunPlugin {
  return {
    name: "postroom-imapflow",
    setup(build) {
      for (const { file, replace } of PATCHES)
        build.onLoad({ filter: file }, async ({ path }) => ({
          contents: patch(path, await Bun.file(path).text(), replace),
          loader: "js",
        }));
    },
  };
}
