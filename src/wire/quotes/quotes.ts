/**
 * Distinguishes the lines of one message: the writer's own text, quoted history, a forwarded message, the signature.
 *
 * A quote that is followed by an answer is context. It is kept when the writer answered in between ("interleaved") or
 * inserted it without an attribution. A single quote above a bottom-posted answer, and every quote with nothing below
 * it, is history.
 */
import type { SourceLine } from "./lines.ts";
import { type Role, type Scan, scanLines } from "./scan.ts";
import { delimitedSignatures, isClosing, isRule, markSignatureEnds } from "./signature.ts";

interface Block {
  start: number;
  end: number;
  attributed: boolean;
  /** True when own text, other than just a closing formula, is between this block and the next, or the end. */
  answered: boolean;
}

/**
 * Returns the role of every line. `forwarded` means that the subject marks the message as a forward. Runs in linear
 * time.
 */
export function rolesOf(source: readonly SourceLine[], forwarded: boolean): Role[] {
  const scan = scanLines(source, forwarded);
  const own = scan.lines.map((line, i) =>
    scan.roles[i] === "own" ? line.bare : scan.roles[i] === "blank" ? "" : null,
  );
  const signed = delimitedSignatures(own);
  markSignatures(scan, signed);
  settleQuotes(scan);
  // Text that only looks like a signature still counts as an answer to the quote above it.
  markSignatureEnds(own, signed);
  markSignatures(scan, signed);
  markRulesAboveQuotes(scan);
  return scan.roles;
}

/** Marks a line that a program drew directly above quoted history as part of the history. */
function markRulesAboveQuotes({ lines, roles }: Scan): void {
  for (let i = 1; i < lines.length; i += 1) {
    if (lines[i]!.depth === 0 || (roles[i] !== "history" && roles[i] !== "attribution")) continue;
    if ((roles[i - 1] === "own" || roles[i - 1] === "signature") && isRule(lines[i - 1]!.bare))
      roles[i - 1] = "history";
  }
}

function markSignatures({ lines, roles }: Scan, signed: readonly boolean[]): void {
  for (let i = 0; i < lines.length; i += 1) {
    if (signed[i] || (roles[i] === "own" && lines[i]!.cue === "signature")) roles[i] = "signature";
  }
}

function settleQuotes(scan: Scan): void {
  const { roles } = scan;
  const blocks = quotedBlocks(scan);
  // Without any own text, a quote without attribution is the message itself; the others are history.
  const anyOwn = roles.includes("own");
  let answeredLater = false;
  for (let b = blocks.length - 1; b >= 0; b -= 1) {
    const block = blocks[b]!;
    answeredLater ||= block.answered;
    const interleaved =
      block.answered &&
      (!block.attributed || scan.ambiguous || b < blocks.length - 1 || blocks[b - 1]?.answered === true);
    const context = block.answered ? interleaved : answeredLater && !block.attributed;
    if (context || (!block.attributed && (!anyOwn || introduced(scan, block)))) continue;
    for (let i = block.start; i < block.end; i += 1) if (roles[i] === "quote") roles[i] = "history";
  }
}

/** Returns the blocks of quoted lines in order, separated by own text or by an attribution. */
function quotedBlocks({ lines, roles, attributed }: Scan): Block[] {
  const blocks: Block[] = [];
  let between: string[] = [];
  let ownBefore = false;
  const finish = (): void => {
    const block = blocks[blocks.length - 1];
    if (block) block.answered = between.length > 0 && !(ownBefore && isClosing(between));
    if (between.length > 0) ownBefore = true;
    between = [];
  };
  let open = false;
  for (let i = 0; i < roles.length; i += 1) {
    if (roles[i] === "quote") {
      if (!open) {
        finish();
        blocks.push({
          start: i,
          end: i + 1,
          attributed: attributed[i]!,
          answered: false,
        });
      }
      open = true;
      const block = blocks[blocks.length - 1]!;
      block.end = i + 1;
    } else if (roles[i] !== "blank") {
      open = false;
      if (roles[i] === "own" && !isRule(lines[i]!.bare)) between.push(lines[i]!.bare);
    }
  }
  finish();
  return blocks;
}

/** True when a line such as "He said:" above a quote makes the quote part of the text. */
function introduced({ lines, roles }: Scan, block: Block): boolean {
  let i = block.start - 1;
  while (i >= 0 && roles[i] === "blank") i -= 1;
  return i >= 0 && block.start - i <= 2 && roles[i] === "own" && /[:：]$/.test(lines[i]!.bare);
}
