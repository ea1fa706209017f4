const ENTITIES: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'" };

/**
 * Shows a search snippet. The API returns HTML in which only <mark> is markup and everything else is escaped.
 * The snippet is split as text and rebuilt from elements, so that no part of it is ever parsed as HTML.
 */
export function Marked({ snippet }: { snippet: string }) {
  const parts = snippet.split(/(<mark>.*?<\/mark>)/s);
  return (
    <>
      {parts.map((part, i) => {
        const marked = /^<mark>(.*)<\/mark>$/s.exec(part)?.[1];
        return marked === undefined ? plain(part) : <mark key={i}>{plain(marked)}</mark>;
      })}
    </>
  );
}

function plain(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity]!);
}
