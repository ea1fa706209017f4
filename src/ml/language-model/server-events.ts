import { ModelFault } from "./faults.ts";

/** Longest accepted event, characters. No event of a chat completion is longer. */
const LONGEST_EVENT_CHARS = 1_000_000;

/**
 * Yields the data of server-sent events (WHATWG HTML, 9.2.6), one text per event. This protocol does not use names and
 * ids.
 * @throws ModelFault protocol when an event has no end
 */
export async function* serverEvents(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  let data: string[] = [];
  for await (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true });
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop()!;
    for (const line of lines) {
      if (line !== "") {
        if (line.startsWith("data:")) data.push(line.slice(line[5] === " " ? 6 : 5));
        continue;
      }
      if (data.length > 0) yield data.join("\n");
      data = [];
    }
    if (rest.length > LONGEST_EVENT_CHARS || data.length > LONGEST_EVENT_CHARS) {
      throw new ModelFault("protocol", "The model's answer has an event without an end.");
    }
  }
  // Some servers omit the last empty line.
  if (rest.startsWith("data:")) data.push(rest.slice(5).trim());
  if (data.length > 0) yield data.join("\n");
}
