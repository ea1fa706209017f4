/**
 * Two texts with equal tags, and different otherwise: what short tags allow, and what must not be taken for equality.
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
  throw new Error("no two texts have equal tags: they are not short");
}
