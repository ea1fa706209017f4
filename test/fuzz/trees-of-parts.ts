import fc from "fast-check";
import type { MessageStructureObject } from "imapflow";
import { planParts } from "../../src/wire/mime/structure.ts";
import type { Watchdog } from "./watchdog.ts";

const word = fc.oneof(
  fc.constantFrom("text/plain", "text/html", "multipart/mixed", "message/rfc822", "a/b", ""),
  fc.string(),
);
const { structure } = fc.letrec<{ structure: MessageStructureObject }>((tie) => ({
  structure: fc.record(
    {
      part: fc.oneof(fc.constantFrom("1", "1.2", "1.TEXT"), fc.string()),
      type: word,
      parameters: fc.dictionary(fc.constantFrom("charset", "name", "boundary", "__proto__", "format"), fc.string()),
      encoding: fc.constantFrom("7bit", "base64", "quoted-printable", "x-odd", ""),
      size: fc.oneof(fc.nat(), fc.constantFrom(-1, Number.NaN, Number.MAX_SAFE_INTEGER)),
      id: fc.string(),
      disposition: fc.constantFrom("attachment", "inline", "", "ATTACHMENT"),
      dispositionParameters: fc.dictionary(fc.constantFrom("filename", "filename*0", "size"), fc.string()),
      childNodes: fc.array(tie("structure"), { maxLength: 6 }),
    },
    { requiredKeys: ["type"] },
  ) as fc.Arbitrary<MessageStructureObject>,
}));

/** Trees of parts of every shape, as a server may describe a message. */
export async function fuzzTrees(
  runs: number,
  seed: number,
  watchdog: Watchdog,
): Promise<{ runs: number; misses: string[] }> {
  const property = fc.asyncProperty(structure, (tree) =>
    watchdog.during("a tree of parts", JSON.stringify(tree), () => {
      const { text, attachments } = planParts(tree);
      return text.length <= 100 && attachments.every(({ size }) => size >= 0 || Number.isNaN(size));
    }),
  );
  const result = await fc.check(property, { numRuns: runs, seed });
  const misses = result.failed
    ? [`a tree of parts: ${JSON.stringify(result.counterexample)?.slice(0, 600)} ${result.errorInstance ?? ""}`]
    : [];
  return { runs: result.numRuns, misses };
}
