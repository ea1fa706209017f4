import { readFileSync } from "node:fs";
import { join } from "node:path";
import { EVENT_NAMES, EVENTS } from "../../src/kernel/events.ts";
import { KEY_PRESETS } from "../../src/kernel/key-presets.ts";
import { SCOPES } from "../../src/kernel/scopes.ts";
import { OPERATORS, type Operator } from "../../src/mailbox/search/operators.ts";
import { TOOLS } from "../../src/mcp/catalog.ts";
import type { Tool } from "../../src/mcp/tool.ts";

/** Returns docs/search.md with the table of operators. */
export function searchPage(): string {
  const people = [...OPERATORS].filter(([, operator]) => "takesMe" in operator).map(([name]) => `${name}:me`);
  const own = `| ${codes(people)} | your own addresses. \`from:"me"\` searches for the word |`;
  const rows = [...OPERATORS.values()].map(operatorRow);
  return withTable("docs/search.md", "src/mailbox/search/operators.ts", ["operator", "finds"], [...rows, own]);
}

/** Returns docs/api.md with the presets of API keys. */
export function apiPage(): string {
  const rows = KEY_PRESETS.map(({ name, can, cannot, scopes }) => {
    const allowed = scopes.length === SCOPES.length ? "all" : codes(scopes);
    return `| \`${name.replaceAll("_", "-")}\` | ${can} ${cannot} | ${allowed} |`;
  });
  return withTable("docs/api.md", "src/kernel/key-presets.ts", ["preset", "a program with the key", "scopes"], rows);
}

/** Returns docs/webhooks.md with the event catalog. */
export function webhooksPage(): string {
  const rows = EVENT_NAMES.map((name) => {
    const { when, data } = EVENTS[name];
    return `| \`${name}\` | ${when} | ${codes(Object.keys(data))} |`;
  });
  const test = `| \`webhook.test\` | someone chose "Send test event"; needs no subscription, and is not in the event log | \`endpoint_id\` |`;
  return withTable("docs/webhooks.md", "src/kernel/events.ts", ["event", "emitted when", "`data`"], [...rows, test]);
}

/** Returns docs/assistants.md with the catalog of tools. */
export function assistantsPage(): string {
  const rows = TOOLS.map(
    (tool) => `| \`${tool.name}\` | ${tool.description.replaceAll("|", "\\|")} | \`${tool.scope}\` | ${kindOf(tool)} |`,
  );
  return withTable("docs/assistants.md", "src/mcp/catalog.ts", ["tool", "description", "scope", "kind"], rows);
}

function kindOf({ kind, reachesOthers }: Tool): string {
  return (
    { read: "reads", write: "changes, can be undone", destructive: "destructive" }[kind] +
    (reachesOthers ? ", reaches others" : "")
  );
}

function operatorRow(operator: Operator): string {
  const { finds, note, examples } = operator;
  const values = "values" in operator ? `: ${codes(operator.values!)}` : "";
  const queries = codes(examples.map(({ query }) => query));
  return `| ${queries} | ${finds}${values}${note ? `. ${note}` : ""} |`;
}

/** Returns a page with the rows of its generated table, which is between two comments. */
function withTable(path: string, source: string, columns: readonly string[], rows: readonly string[]): string {
  const page = readFileSync(join(import.meta.dir, "../..", path), "utf8");
  const start = `<!-- Generated from ${source} by: ./dev generate -->\n`;
  const end = "<!-- End of the generated table -->\n";
  const [before, after] = [page.indexOf(start), page.indexOf(end)];
  if (before < 0 || after < before)
    throw new Error(`${path} must contain the two comments around its table: ${start}${end}`);
  const table = [`| ${columns.join(" | ")} |`, `|${"---|".repeat(columns.length)}`, ...rows].join("\n");
  return `${page.slice(0, before + start.length)}\n${table}\n\n${page.slice(after)}`;
}

function codes(texts: readonly string[]): string {
  return texts.map((text) => `\`${text}\``).join(", ");
}
