import { invitationText } from "../wire/ical/invitation-text.ts";
import { isCalendar } from "../wire/mime/parts-kept.ts";

/** A file whose text was read. */
interface ReadFile {
  mime: string;
  name: string;
  bytes: Uint8Array;
  /** What the full-text index has of it. */
  text: string;
}

const MAX_ROWS = 200;
const CARD_LABELS: Readonly<Record<string, string>> = { TEL: "phone", EMAIL: "email", ADR: "address", NOTE: "note" };

/**
 * Returns the text of a file from which questions are answered: of an invitation its days and times, of a contact card
 * its details, of a table each row with the names of its columns, and everything else unchanged.
 * @param timezone an IANA name
 */
export function passagesOf({ mime, name, bytes, text }: ReadFile, timezone: string): string {
  if (isCalendar(mime, name)) return invitationText(new TextDecoder().decode(bytes), timezone);
  if (/vcard/i.test(mime) || /\.vcf$/i.test(name)) return cardText(text);
  if (/csv|tab-separated/i.test(mime) || /\.(?:csv|tsv)$/i.test(name)) return tableText(text);
  return text;
}

function cardText(text: string): string {
  const lines = text.replace(/\r?\n[ \t]/g, "").split(/\r?\n/);
  const fields = lines
    .map((line) => /^(?:item\d+\.)?([A-Z]+)(?:;[^:]*)?:(.+)$/i.exec(line))
    .filter((match) => match !== null);
  const name = fields.find(([, key]) => key!.toUpperCase() === "FN")?.[2] ?? "";
  return fields
    .flatMap(([, key, value]) => {
      const label = CARD_LABELS[key!.toUpperCase()];
      const plain = value!
        .split(";")
        .filter(Boolean)
        .join(", ")
        .replace(/\\([,;n])/g, "$1");
      return label === undefined ? [] : [`${name}, ${label}: ${plain}`];
    })
    .join("\n\n");
}

/** Writes "Kenia: 250 g 12,50 €; 1 kg 44,00 €" for a row. */
function tableText(text: string): string {
  const [first = "", ...others] = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  const delimiter = [";", "\t", ","].find((mark) => first.includes(mark)) ?? ",";
  const columns = cellsOf(first, delimiter);
  if (columns.length < 2) return text;
  const rows = others.slice(0, MAX_ROWS).map((line) => {
    const [head = "", ...cells] = cellsOf(line, delimiter);
    const named = cells.map((cell, i) => (cell === "" ? "" : `${columns[i + 1] ?? ""} ${cell}`.trim())).filter(Boolean);
    return `${head}: ${named.join("; ")}`;
  });
  return rows.join("\n\n");
}

function cellsOf(line: string, delimiter: string): string[] {
  const cells = [""];
  let isQuoted = false;
  for (const letter of line) {
    if (letter === '"') isQuoted = !isQuoted;
    else if (letter === delimiter && !isQuoted) cells.push("");
    else cells[cells.length - 1] += letter;
  }
  return cells.map((cell) => cell.trim());
}
