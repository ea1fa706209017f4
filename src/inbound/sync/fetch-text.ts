import type { ImapFlow } from "imapflow";
import { LongPartReader, skimLimits } from "../../wire/mime/long-part.ts";
import type { PlannedText } from "../../wire/mime/structure.ts";
import { range } from "../port/remote-parts.ts";

/** Fetched with one command. */
const CHUNK_BYTES = 1024 * 1024;

export interface TextLimits {
  text_part_bytes: number;
  text_read_bytes: number;
}

export interface ReadTexts {
  texts: PlannedText[];
  parts: Map<string, Uint8Array>;
  /** Some text is missing: there is more than is stored or read, or the server did not return it. */
  cut: boolean;
}

/**
 * Reads further text parts of which `parts` has only the beginning, beyond content that readers do not see. Such a part
 * is stored decoded. The sizes of the others are corrected, because servers may overstate them.
 * @param parts the first `text_part_bytes` of each, by part number
 */
export async function readTexts(
  client: ImapFlow,
  uid: number,
  texts: readonly PlannedText[],
  parts: ReadonlyMap<string, Uint8Array>,
  limits: TextLimits,
): Promise<ReadTexts> {
  const read: ReadTexts = { texts: [], parts: new Map(parts), cut: false };
  let budgetBytes = limits.text_read_bytes;
  for (const text of texts) {
    const beginning = parts.get(text.part);
    if (!beginning) {
      read.cut = true;
      read.texts.push(text);
      continue;
    }
    budgetBytes -= beginning.length;
    if (beginning.length < limits.text_part_bytes) {
      read.texts.push({ ...text, size: beginning.length });
      continue;
    }
    const reader = new LongPartReader(text, beginning, skimLimits(limits.text_part_bytes));
    reader.write(beginning);
    let ended = false;
    let at = beginning.length;
    while (!ended && !reader.full && budgetBytes > 0) {
      const wanted = Math.min(CHUNK_BYTES, budgetBytes);
      const chunk = await range(client, uid, text.part, at, wanted);
      // The message was deleted. What was read is kept, and the next comparison finds the deletion.
      if (!chunk) break;
      reader.write(chunk);
      at += chunk.length;
      budgetBytes -= chunk.length;
      ended = chunk.length < wanted;
    }
    const kept = reader.end(!ended);
    const bytes = new TextEncoder().encode(kept.text);
    read.parts.set(text.part, bytes);
    read.texts.push({ ...text, size: bytes.length, decoded: true });
    read.cut ||= kept.cut;
  }
  return read;
}
