import { COMMA, DOT, HYPHEN, isApostrophe, isDash, isDigit, isSpace, SLASH, SPACE } from "./characters.ts";

/** More runs than this are a table or an address, not a number or a date. */
const MAX_RUNS = 8;
const MAX_DIGITS = 15;
const THOUSANDS_DIGITS = 3;
const COLON = 0x3a;
const MILLION = 6;

/**
 * Runs of digits joined by single marks: "1.234,50", "12/03/2026", "10:30". One object is reused, because most numbers
 * in mail are neither amounts nor dates.
 */
export class Figures {
  readonly starts = new Int32Array(MAX_RUNS);
  readonly ends = new Int32Array(MAX_RUNS);
  /** The mark after each run except the last; any dash is stored as a hyphen. */
  readonly marks = new Int32Array(MAX_RUNS);
  /** Number of runs; 0 if there are too many. */
  count = 0;
  end = 0;

  /** Returns true for "10:30", the most frequent kind of figures in mail besides plain numbers. */
  get isTime(): boolean {
    return this.count > 1 && this.marks[0] === COLON;
  }

  /** Reads the runs that start with the digit at `at`. @returns where they end */
  read(text: string, at: number): number {
    let runs = 0;
    for (let start = at; ; ) {
      let end = start + 1;
      while (isDigit(text.charCodeAt(end))) end++;
      const mark = text.charCodeAt(end);
      if (runs < MAX_RUNS) {
        this.starts[runs] = start;
        this.ends[runs] = end;
        this.marks[runs] = isDash(mark) ? HYPHEN : mark;
      }
      runs++;
      if (!isMark(mark) || !isDigit(text.charCodeAt(end + 1))) {
        this.count = runs > MAX_RUNS ? 0 : runs;
        this.end = end;
        return end;
      }
      start = end + 1;
    }
  }

  /** Reads thousands separated by spaces, "1 234,50", whose first run is `first`. @returns false if there are none */
  readSpaced(text: string, first: Figures): boolean {
    if (first.count !== 1 || first.length(0) > THOUSANDS_DIGITS) return false;
    this.starts[0] = first.starts[0]!;
    this.count = 1;
    let end = first.end;
    while (this.count < MAX_RUNS - 1 && isSpace(text.charCodeAt(end)) && isThousands(text, end + 1)) {
      this.#append(end, SPACE, end + 1 + THOUSANDS_DIGITS);
      end += 1 + THOUSANDS_DIGITS;
    }
    if (this.count === 1) return false;
    const mark = text.charCodeAt(end);
    if ((mark === DOT || mark === COMMA) && isDigit(text.charCodeAt(end + 1))) {
      let last = end + 2;
      while (isDigit(text.charCodeAt(last))) last++;
      this.#append(end, mark, last);
      end = last;
    }
    this.ends[this.count - 1] = end;
    this.end = end;
    return true;
  }

  #append(before: number, mark: number, end: number): void {
    this.ends[this.count - 1] = before;
    this.marks[this.count - 1] = mark;
    this.starts[this.count] = before + 1;
    this.ends[this.count] = end;
    this.count++;
  }

  length(run: number): number {
    return this.ends[run]! - this.starts[run]!;
  }

  digits(text: string, run: number): string {
    return text.slice(this.starts[run], this.ends[run]);
  }

  value(text: string, run: number): number {
    return numberAt(text, this.starts[run]!, this.ends[run]!);
  }
}

function isMark(code: number): boolean {
  return code === DOT || code === COMMA || code === SLASH || code === COLON || isDash(code) || isApostrophe(code);
}

function isThousands(text: string, at: number): boolean {
  for (let i = 0; i < THOUSANDS_DIGITS; i++) if (!isDigit(text.charCodeAt(at + i))) return false;
  return !isDigit(text.charCodeAt(at + THOUSANDS_DIGITS));
}

/** Returns the value of a few digits. */
export function numberAt(text: string, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end; at++) value = value * 10 + text.charCodeAt(at) - 48;
  return value;
}

/**
 * Returns the number that the runs `first` to `last` represent, times ten to the `power`, in its shortest decimal form
 * ("8200", "8.99"). A single mark before three digits is a thousands separator; with millions ("1.234 Mio") it may also
 * be a decimal mark.
 * @returns no form if the runs are not a number, two if both readings are likely
 */
export function decimalForms(text: string, figures: Figures, first: number, last: number, power: number): string[] {
  if (last === first) return known(shortest(figures.digits(text, first), "", power));
  const mark = figures.marks[last - 1]!;
  const mayBeDecimal = mark === DOT || mark === COMMA;
  const asGroups = isGrouped(text, figures, first, last);
  const asDecimal =
    mayBeDecimal &&
    (last - first === 1 || (figures.marks[first] !== mark && isGrouped(text, figures, first, last - 1)));
  if (asGroups && !(asDecimal && power >= MILLION))
    return known(shortest(joined(text, figures, first, last), "", power));
  if (!asDecimal) return [];
  const decimal = shortest(joined(text, figures, first, last - 1), figures.digits(text, last), power);
  if (!asGroups) return known(decimal);
  return [...known(decimal), ...known(shortest(joined(text, figures, first, last), "", power))];
}

function known(form: string | null): string[] {
  return form === null ? [] : [form];
}

function joined(text: string, figures: Figures, first: number, last: number): string {
  let digits = "";
  for (let run = first; run <= last; run++) digits += figures.digits(text, run);
  return digits;
}

/**
 * Returns true for groups of three digits after one to three digits, all with the same mark. "1,23,456" is Indian
 * grouping.
 */
function isGrouped(text: string, figures: Figures, first: number, last: number): boolean {
  const mark = figures.marks[first]!;
  if (last === first) return true;
  if (figures.length(first) > THOUSANDS_DIGITS || text.charCodeAt(figures.starts[first]!) === 48) return false;
  if (mark === HYPHEN || mark === SLASH || mark === COLON || figures.length(last) !== THOUSANDS_DIGITS) return false;
  const middle = last - first > 1 ? figures.length(first + 1) : THOUSANDS_DIGITS;
  if (middle !== THOUSANDS_DIGITS && !(middle === 2 && mark === COMMA && figures.length(first) <= 2)) return false;
  for (let run = first + 1; run < last; run++) {
    if (figures.marks[run] !== mark || figures.length(run) !== middle) return false;
  }
  return true;
}

/** Returns the shortest form: "008" and "50", times 10^0, is "8.5". Null beyond 15 digits. */
export function shortest(whole: string, fraction: string, power: number): string | null {
  const shifted = power === 0 ? fraction : fraction.padEnd(power, "0");
  const left = (whole + shifted.slice(0, power)).replace(/^0+(?=\d)/, "");
  const right = shifted.slice(power).replace(/0+$/, "");
  if (left.length + right.length > MAX_DIGITS) return null;
  return right === "" ? left : `${left}.${right}`;
}
