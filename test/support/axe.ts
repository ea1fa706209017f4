import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Returns violations of WCAG 2.2 A and AA that keep people from using the page in its current state. */
export async function faults(page: Page): Promise<string[]> {
  // Not injected as a <script> element: the page's content security policy would refuse it.
  await page.evaluate(AXE);
  return await page.evaluate(async () => {
    type Violation = { id: string; impact: string; nodes: { html: string; any: { message: string }[] }[] };
    const axe = Reflect.get(globalThis, "axe") as {
      run(root: Document, options: object): Promise<{ violations: Violation[] }>;
    };
    const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
    const { violations } = await axe.run(document, { runOnly: { type: "tag", values: tags } });
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical" || impact === "moderate")
      .flatMap(({ id, nodes }) =>
        nodes.map(({ html, any }) => `${id}: ${html.slice(0, 160)} ${any[0]?.message ?? ""}`),
      );
  });
}

/** Checks the page in light and dark mode; leaves it in light mode. */
export async function faultsInBoth(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    found.push(...(await faults(page)).map((fault) => `${colorScheme}: ${fault}`));
  }
  return found;
}
