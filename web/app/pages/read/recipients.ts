/** Returns recipients as one line of text. */
export function recipientText(recipients: readonly string[]): string {
  return recipients.join(", ");
}

/**
 * Returns the recipients in a line of text, separated by commas, semicolons or line breaks. Separators in quoted names
 * and in angle brackets do not count: `"Winter, Zoe" <zoe@harbourline.example>` is one recipient.
 */
export function recipientsOf(text: string): string[] {
  const found: string[] = [];
  let current = "";
  let quoted = false;
  let inAddress = false;
  for (const char of text) {
    if (char === '"' && !inAddress) quoted = !quoted;
    else if (!quoted && char === "<") inAddress = true;
    else if (!quoted && char === ">") inAddress = false;
    if (!quoted && !inAddress && /[,;\n]/.test(char)) {
      found.push(current);
      current = "";
    } else current += char;
  }
  return [...found, current].map((one) => one.trim()).filter((one) => one !== "");
}
