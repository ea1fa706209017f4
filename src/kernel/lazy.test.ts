import { expect, test } from "bun:test";
import { lazyAsync } from "./lazy.ts";

test("what is loaded at the first use is loaded once, and again only after a failure", async () => {
  const outcomes: (Error | string)[] = [new Error("the disk failed"), "loaded", "again"];
  const load = lazyAsync(async () => {
    const outcome = outcomes.shift()!;
    if (outcome instanceof Error) throw outcome;
    return outcome;
  });
  const both = await Promise.allSettled([load(), load()]);
  expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await Promise.all([load(), load(), load()])).toEqual(["loaded", "loaded", "loaded"]);
});
