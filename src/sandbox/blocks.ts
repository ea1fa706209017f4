import { templateFault } from "./template.ts";

/** One `key: value` line of a block. */
interface Field {
  key: string;
  value: string;
  line: number;
}

/** A part of a file of sample mail: a line that opens it, its fields, and its text (mail/README.md). */
export interface Block {
  /** `===` begins a thread, a brand or a list of headers; `---` belongs to the thread above. */
  level: "===" | "---";
  kind: string;
  /** After the colon of the first line; "" if there is none. */
  name: string;
  line: number;
  fields: Field[];
  /** Without empty lines at both ends. */
  text: string;
}

const OPENING = /^(===|---) (\S.*)$/;
const FIELD = /^([A-Za-z][A-Za-z0-9-]*):(?: +(.*))?$/;

/** A mistake in a file of sample mail, with the place to correct. */
export class SampleMailError extends Error {
  constructor(file: string, line: number, what: string) {
    super(`${file}:${line}: ${what}`);
  }
}

/** Splits a file into its blocks. @throws SampleMailError */
export function readBlocks(file: string, content: string): Block[] {
  const blocks: Block[] = [];
  let text: string[] | null = null;
  const close = () => {
    const last = blocks.at(-1);
    if (last && text) last.text = trimEmptyLines(text).join("\n");
    text = null;
  };
  for (const [index, line] of content.split(/\r?\n/).entries()) {
    const number = index + 1;
    const fault = templateFault(line);
    if (fault !== null) throw new SampleMailError(file, number, fault);
    const opening = OPENING.exec(line);
    if (opening) {
      close();
      const [kind, name = ""] = opening[2]!.split(/: +(.*)/);
      const level = opening[1] as Block["level"];
      blocks.push({ level, kind: kind!.trim(), name: name.trim(), line: number, fields: [], text: "" });
    } else if (text !== null) {
      text.push(line);
    } else if (line.trim() === "") {
      if (blocks.length > 0) text = [];
    } else if (!line.startsWith("#")) {
      const [, key, value = ""] = FIELD.exec(line) ?? [];
      if (key === undefined || blocks.length === 0) {
        throw new SampleMailError(file, number, "Expected `name: value`. Text follows an empty line.");
      }
      blocks.at(-1)!.fields.push({ key, value: value.trim(), line: number });
    }
  }
  close();
  return blocks;
}

function trimEmptyLines(lines: string[]): string[] {
  const first = lines.findIndex((line) => line.trim() !== "");
  const last = lines.findLastIndex((line) => line.trim() !== "");
  return first === -1 ? [] : lines.slice(first, last + 1);
}

/** Reads the fields of one block, and reports those that are unknown, repeated or missing. */
export class FieldReader {
  readonly #left: Map<string, Field[]>;

  constructor(
    readonly file: string,
    readonly block: Block,
  ) {
    this.#left = Map.groupBy(block.fields, ({ key }) => key);
  }

  /** Returns the name after the colon of the first line. */
  name(): string {
    const { level, kind, name } = this.block;
    return name === "" ? this.fail(`\`${kind}\` needs a name: \`${level} ${kind}: NAME\`.`) : name;
  }

  /** Returns all fields, as headers of mail by their names. */
  headers(): Record<string, string> {
    const names = this.block.fields.map(({ key }) => key);
    const headers = Object.fromEntries(names.map((name) => [name, this.required(name)]));
    this.noText();
    return headers;
  }

  /** Returns the value of a field that may occur once; undefined if it is absent. */
  optional(key: string): string | undefined {
    return this.#take(key)?.value;
  }

  required(key: string): string {
    return this.optional(key) ?? this.fail(`\`${this.block.kind}\` needs a field \`${key}\`.`);
  }

  /** Returns the value of a field, converted. @param convert returns undefined for a value that is not `expected` */
  value<T>(key: string, expected: string, convert: (value: string) => T | undefined): T | undefined {
    const field = this.#take(key);
    if (!field) return undefined;
    const converted = convert(field.value);
    return converted ?? this.fail(`\`${key}\` must be ${expected}, not \`${field.value}\`.`, field.line);
  }

  /** Returns the value of a field that must be there, converted as `value` does. */
  needed<T>(key: string, expected: string, convert: (value: string) => T | undefined): T {
    return this.value(key, expected, convert) ?? this.fail(`\`${this.block.kind}\` needs a field \`${key}\`.`);
  }

  /** Returns the parts of a value that are separated by commas, converted; undefined if the field is absent. */
  list<T>(key: string, expected: string, convert: (value: string) => T | undefined): T[] | undefined {
    const field = this.#take(key);
    return field?.value
      .split(",")
      .map((part) => convert(part.trim()) ?? this.fail(`\`${part.trim()}\` is not ${expected}.`, field.line));
  }

  /** Returns the values of a field of so many cells, which `|` separates. */
  rows(key: string, cells: number): string[][] {
    const found = this.#left.get(key) ?? [];
    this.#left.delete(key);
    return found.map(({ value, line }) => {
      const row = cellsOf(value);
      return row.length === cells ? row : this.fail(`\`${key}\` needs ${cells} parts, separated by \` | \`.`, line);
    });
  }

  /** Call this after reading all fields. @returns the text */
  text(): string {
    this.#end();
    return this.block.text;
  }

  /** Call this after reading all fields of a block without text. */
  noText(): void {
    this.#end();
    if (this.block.text !== "") this.fail(`\`${this.block.kind}\` has no text.`);
  }

  fail(what: string, line = this.block.line): never {
    throw new SampleMailError(this.file, line, what);
  }

  #end(): void {
    const unknown = [...this.#left.values()][0]?.[0];
    if (unknown) this.fail(`\`${this.block.kind}\` has no field \`${unknown.key}\`.`, unknown.line);
  }

  #take(key: string): Field | undefined {
    const [field, again] = this.#left.get(key) ?? [];
    this.#left.delete(key);
    if (again) this.fail(`\`${key}\` occurs twice.`, again.line);
    return field;
  }
}

/** Splits a line at each `|` between spaces. Date templates contain `|` without spaces. */
export function cellsOf(line: string): string[] {
  return line.split(/(?<=^|\s)\|(?=\s|$)/).map((cell) => cell.trim());
}
