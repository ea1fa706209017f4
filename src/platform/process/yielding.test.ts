import { expect, test } from "bun:test";
import { yieldInSlices } from "./yielding.ts";

test("work goes on within a slice, and gives way to others when it is over", async () => {
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
