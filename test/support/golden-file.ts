import { expect } from "bun:test";
import { join } from "node:path";

/** Compares with test/golden/<name>. `UPDATE_GOLDEN=1 bun test …` writes it instead; the change then shows in review. */
export async function expectGolden(name: string, text: string): Promise<void> {
  const path = join(import.meta.dir, "../golden", name);
  if (process.env.UPDATE_GOLDEN === "1") await Bun.write(path, text);
  expect(
    await Bun.file(path).text(),
    `test/golden/${name} differs. If the change is intended, run: ./dev generate`,
  ).toBe(text);
}
