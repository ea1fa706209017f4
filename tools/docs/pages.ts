import { commandLinePage } from "./command-line.ts";
import { configurationPage, exampleFile } from "./configuration.ts";
import { schemaPage } from "./schema.ts";
import { apiPage, assistantsPage, searchPage, webhooksPage } from "./tables.ts";

/** Generated pages, or pages with a generated part: path → function that returns the text. */
export const GENERATED: Record<string, () => string | Promise<string>> = {
  "docs/configuration.md": configurationPage,
  "docs/cli.md": commandLinePage,
  "docs/schema.md": schemaPage,
  "config/postroom.example.toml": exampleFile,
  "docs/api.md": apiPage,
  "docs/assistants.md": assistantsPage,
  "docs/search.md": searchPage,
  "docs/webhooks.md": webhooksPage,
};
