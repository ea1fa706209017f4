/** Converts format=flowed text (RFC 3676) back into paragraphs. */

/**
 * Joins lines that end in a space with the next line at the same quote depth, and removes the space stuffing. Quoted
 * paragraphs keep one ">" for each level. With `delSp` (§4.3), the space at a soft break is removed. Input and output
 * have LF line ends. Runs in linear time.
 */
export function unflow(text: string, delSp: boolean): string {
  const out: string[] = [];
  let paragraph: string[] = [];
  let depth = 0;
  let open = false;
  const finish = () => {
    if (open || paragraph.length > 0) out.push(quote(depth, paragraph.join("")));
    paragraph = [];
    open = false;
  };
  for (const line of text.split("\n")) {
    const level = quoteDepth(line);
    const content = line[level] === " " ? line.slice(level + 1) : line.slice(level);
    // §4.3: the signature separator is never flowed, and §4.5: a change of depth ends a paragraph.
    const signature = content === "-- ";
    if (open && (level !== depth || signature)) finish();
    depth = level;
    const soft = content.endsWith(" ") && !signature;
    paragraph.push(soft && delSp ? content.slice(0, -1) : content);
    open = soft;
    if (!soft) {
      out.push(quote(depth, paragraph.join("")));
      paragraph = [];
    }
  }
  finish();
  return out.join("\n");
}

function quoteDepth(line: string): number {
  let depth = 0;
  while (line[depth] === ">") depth++;
  return depth;
}

function quote(depth: number, content: string): string {
  return depth === 0 ? content : `${">".repeat(depth)}${content === "" ? "" : " "}${content}`;
}
