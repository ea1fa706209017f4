import { commandLinePage } from "./command-line.ts";
import { configurationPage, exampleFile } from "./configuration.ts";

/** Generated pages: path → function that returns the text. */
export const GENERATED: Record<string, () => string> = {
  "docs/configuration.md": configurationPage,
  "docs/cli.md": commandLinePage,
  "config/postroom.example.toml": exampleFile,
};
