import { unzipSync } from "fflate";
import { Parser } from "htmlparser2";
import { DOCUMENT_BOUNDS } from "./bounds.ts";

/** The parts of a WordprocessingML package that contain written text (ECMA-376 part 1, §11.3), in reading order. */
const PARTS = /^word\/(?:document|header\d*|footnotes|endnotes|footer\d*)\.xml$/;
const ORDER = ["document", "header", "footnotes", "endnotes", "footer"];

/**
 * Returns the text of a DOCX: a line per paragraph, with the cells of a table row separated by tabs. Deleted text of
 * tracked changes is left out. Runs in the document thread. @throws when the bytes are not a readable DOCX, or unpack
 * to more than the limit
 */
export function docxText(bytes: Uint8Array): string {
  const parts = unzipSync(bytes, {
    filter: ({ name, originalSize }) => {
      if (!PARTS.test(name)) return false;
      // The unpacker allocates this size and never writes beyond it, regardless of the packed data.
      if (originalSize > DOCUMENT_BOUNDS.unpackedBytes) throw new Error(`${name} is too large`);
      return true;
    },
  });
  const names = Object.keys(parts).sort((a, b) => rank(a) - rank(b) || a.localeCompare(b));
  if (!names.some((name) => name === "word/document.xml")) throw new Error("the file has no word/document.xml");
  return names.map((name) => partText(new TextDecoder().decode(parts[name]))).join("\n");
}

function rank(name: string): number {
  return ORDER.findIndex((part) => name.startsWith(`word/${part}`));
}

/** Returns the text of one part: the character data of w:t, with tabs and breaks (ECMA-376 part 1, §17.3.3). */
function partText(xml: string): string {
  const out: string[] = [];
  let reading = false;
  let cells = 0;
  const parser = new Parser(
    {
      onopentagname(name) {
        if (name === "w:t") reading = true;
        else if (name === "w:tab") out.push("\t");
        else if (name === "w:br" || name === "w:cr") out.push("\n");
        else if (name === "w:noBreakHyphen") out.push("-");
        else if (name === "w:tr") cells = 0;
        else if (name === "w:tc" && cells++ > 0) out.push("\t");
      },
      ontext(text) {
        if (reading) out.push(text);
      },
      onclosetag(name) {
        if (name === "w:t") reading = false;
        else if (name === "w:p" || name === "w:tr") out.push("\n");
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.write(xml);
  parser.end();
  // The paragraph at the end of every cell must not break the row.
  return out.join("").replace(/\n+\t/g, "\t");
}
