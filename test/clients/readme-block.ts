import { readFileSync } from "node:fs";

/** Returns the listing of a page with this file name: "```ts quick-start.ts". */
export function readmeBlock(page: string, name: string): string {
  const found = new RegExp(`\`\`\`\\w+ ${name.replaceAll(".", "\\.")}\n([\\s\\S]*?)\`\`\``).exec(
    readFileSync(page, "utf8"),
  );
  if (!found) throw new Error(`${page} has no listing ${name}`);
  return found[1]!;
}
