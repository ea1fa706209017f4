const ENTITIES: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'" };

/**
 * A search snippet: the API gives HTML in which only <mark> is markup and all else is escaped. It is taken apart as text
 * and put together from elements, so nothing in it is ever parsed as HTML here, whatever it holds.
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
