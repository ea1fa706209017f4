import { expect, test } from "bun:test";
import { yieldInSlices } from "./yielding.ts";

test("work continues within a time slice, and yields at its end", async () => {
  const order: string[] = [];
  setImmediate(() => order.push("other"));
  const patient = yieldInSlices(60_000);
  await patient();
  order.push("same slice");
  const hasty = yieldInSlices(0);
  await hasty();
  order.push("next slice");
  expect(order).toEqual(["same slice", "other", "next slice"]);
});
