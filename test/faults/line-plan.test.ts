import { expect, test } from "bun:test";
import { plan, unknownSteps } from "./line-plan.ts";
import { LINE_FAULTS } from "./line-proxy.ts";

test("a plan has every fault at every step, and cuts the client where it writes", () => {
  const pairs = plan(["greeting", "MAIL", "content"]);
  const faultsAt = (step: string) => pairs.filter((pair) => pair.step === step).map(({ fault }) => fault);
  expect(faultsAt("greeting")).toEqual([...LINE_FAULTS]);
  expect(faultsAt("MAIL")).toEqual([...LINE_FAULTS, "cut_writing"]);
  expect(faultsAt("content")).toEqual(["cut_writing"]);
});

test("only named exceptions are left out, and an unplanned step is reported", () => {
  const exceptions = [
    { step: "QUIT", why: "the client does not wait for the answer" },
    { step: "MAIL", fault: "drip" as const, why: "for the test" },
  ];
  const pairs = plan(["MAIL", "QUIT"], exceptions);
  expect(pairs.map(({ step }) => step)).not.toContain("QUIT");
  expect(pairs).toHaveLength(LINE_FAULTS.length);
  const unknown = unknownSteps(new Set(["MAIL", "QUIT", "VRFY"]), ["MAIL"], exceptions);
  expect(unknown).toEqual(["the plan does not know the step VRFY"]);
});
