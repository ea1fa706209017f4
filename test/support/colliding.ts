/**
 * Returns two different texts with equal tags: short tags allow this, so equal tags must not be taken for equal texts.
 * @param textOf makes the i-th text
 * @param tagOf the tags that must be equal, as bytes
 */
export function collidingPair(textOf: (i: number) => string, tagOf: (text: string) => Uint8Array): [string, string] {
  const seen = new Map<string, string>();
  for (let i = 0; i < 1_000_000; i++) {
    const text = textOf(i);
    const tag = Buffer.from(tagOf(text)).toString("hex");
    const other = seen.get(tag);
    if (other !== undefined) return [other, text];
    seen.set(tag, text);
  }
  throw new Error("No two texts have equal tags, so the tags are not short.");
}
