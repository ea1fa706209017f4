const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Escapes text for HTML. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character]!);
}

/** Converts the small subset of Markdown that our descriptions use: paragraphs, `## ` headings, `code` and **bold**. */
export function prose(text: string, headingLevel: number): string {
  return text
    .split(/\n+/)
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const heading = /^#+ (.*)$/.exec(line)?.[1];
      return heading === undefined
        ? `<p>${inline(line)}</p>`
        : `<h${headingLevel}>${inline(heading)}</h${headingLevel}>`;
    })
    .join("\n");
}

function inline(text: string): string {
  return escapeHtml(text)
    .replace(/`([^`]+)`/g, "<code>$1</code>")
    .replace(/\*\*([^*]+)\*\*/g, "<b>$1</b>");
}
