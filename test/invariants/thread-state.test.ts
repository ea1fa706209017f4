import { expect, test } from "bun:test";
import fc from "fast-check";
import { FOLDER_ROLES, threadState } from "../../src/mailbox/store/state.ts";
import { stateOf } from "./thread-state.ts";

test("the checker's rule for a thread's state matches the program's", () => {
  const message = fc.record({
    internal_date: fc.nat(3),
    roles: fc.uniqueArray(fc.constantFrom(...FOLDER_ROLES), { maxLength: 4 }),
  });
  fc.assert(
    fc.property(fc.array(message, { maxLength: 5 }), (messages) => {
      const oldestFirst = messages.toSorted((a, b) => a.internal_date - b.internal_date);
      expect(stateOf(oldestFirst.map(({ roles }) => new Set<string>(roles)))).toBe(threadState(oldestFirst));
    }),
    { numRuns: 2_000 },
  );
});
