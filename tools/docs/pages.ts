import { commandLinePage } from "./command-line.ts";
import { configurationPage, exampleFile } from "./configuration.ts";

/** Pages that cannot drift: path → the text that it must have. */
export const GENERATED: Record<string, () => string> = {
  "docs/configuration.md": configurationPage,
  "docs/cli.md": commandLinePage,
  "config/postroom.example.toml": exampleFile,
};
