import type { Language, Part } from "./number-lexicon.ts";

/** Removes errors of binary fractions: 0.082 times a million is 82,000. */
export const rounded = (value: number): number => Number(value.toPrecision(12));

/** Builds one number from its parts, by the grammar of one language: "two hundred" + "and" + "five" + "thousand". */
export class Reading {
  /** The sum that scales have already multiplied: thousands, millions. */
  #total = 0;
  /** The value that the next scale multiplies. */
  #current = 0;
  /** Alternative values of the digits. */
  #others: readonly number[] = [];
  /** Digits after "point"; null if there was none. */
  #decimals: string | null = null;
  #scales = 0;
  #units = 0;
  #isBegun = false;
  #isFigures = false;
  /** Whether "half" or "quarter" was added. */
  #isHalf = false;
  /** The factor of the last scale. */
  #lastScale = 1;
  #isZero = false;
  /** Whether the number has a part other than an article and a scale. */
  #isCounted = false;

  constructor(private readonly language: Language) {}

  get isBegun(): boolean {
    return this.#isBegun;
  }

  get hasScale(): boolean {
    return this.#scales > 0;
  }

  /** Whether the number ends with "half" or "quarter". */
  get isFraction(): boolean {
    return this.#isHalf;
  }

  get endsWithScale(): boolean {
    return this.#scales > 0 && this.#current === 0;
  }

  /** False for "a million", which may be a figure of speech. */
  get isExact(): boolean {
    return this.#isCounted || this.#units > 1;
  }

  /** The possible values, the most likely first. Before a scale, "1.234" is a fraction: "1.234 million". */
  get values(): readonly [number, ...number[]] {
    const value = rounded(this.#total + this.#current + this.#fraction());
    if (this.#others.length === 0) return [value];
    const others = this.#others.map(rounded);
    return this.#scales > 0 ? [others[0]!, value] : [value, ...others];
  }

  /** Takes digits if they start the number or follow a scale ("48 thousand 500"). Otherwise they start the next number. */
  takeFigures([first, ...others]: readonly [number, ...number[]]): boolean {
    if (this.#isBegun) {
      const follow = this.endsWithScale && this.#others.length === 0 && !this.#isHalf;
      if (!follow || first >= Math.min(this.#lastScale, 1_000) || first % 1 !== 0) return false;
    }
    this.#current = first;
    this.#others = others;
    this.#isBegun = true;
    this.#isFigures = true;
    this.#isCounted = true;
    return true;
  }

  /**
   * Takes one more part.
   * @param isJoined whether "and" precedes it, or it is written as one word with the part before it
   * @returns false if the part belongs to another number; nothing has changed then
   */
  take(part: Part, isJoined: boolean): boolean {
    if (this.#isZero && part.kind !== "point" && this.#decimals === null) return false;
    switch (part.kind) {
      case "join":
        return false;
      case "point":
        if (!this.#isBegun || this.#scales > 0 || this.#decimals !== null || this.#isHalf) return false;
        this.#decimals = "";
        return true;
      case "of":
        return false;
      case "half":
        return this.#addPart(0.5, isJoined);
      case "quarter":
        return this.#addPart(0.25, isJoined);
      case "hundred":
        if (this.#current >= (this.#isFigures ? 1_000 : 100) || this.#isHalf || this.#decimals !== null) return false;
        this.#current = (this.#current || 1) * 100;
        this.#isBegun = true;
        this.#isCounted = true;
        return true;
      case "scale":
        return this.multiply(part.value, part.plain);
      case "unit":
        return this.#decimals === null ? this.#add(part.value, part.oneLike, isJoined) : this.#addDecimal(part.value);
    }
  }

  /** Multiplies the value since the last scale: "82" by "thousand". */
  multiply(scale: number, isPlain = false): boolean {
    if (this.#decimals === "") return false;
    const factor = this.#current + this.#fraction();
    if (this.#total > 0 && this.#total < scale) {
      // "mil millones" is a thousand million.
      this.#total = (this.#total + factor) * scale;
    } else {
      if (this.#total > 0 && this.#total % (scale * 1_000) !== 0) return false;
      this.#total += (this.#isBegun && factor > 0 ? factor : 1) * scale;
    }
    this.#others = this.#others.map((value) => value * scale);
    this.#lastScale = scale;
    this.#current = 0;
    this.#decimals = null;
    this.#isHalf = false;
    this.#isBegun = true;
    this.#isCounted ||= !isPlain;
    this.#scales++;
    return true;
  }

  /** "half", "two and a half", "three quarters", "a million and a half". */
  #addPart(part: number, isJoined: boolean): boolean {
    if (this.#isHalf || this.#decimals !== null || (this.#scales > 0 && (!isJoined || this.#current !== 0)))
      return false;
    if (this.#scales > 0) this.#total += part * this.#lastScale;
    else if (part < 0.5 && !isJoined && this.#isBegun) this.#current *= part;
    else this.#current += part;
    this.#isHalf = true;
    this.#isBegun = true;
    this.#isCounted = true;
    return true;
  }

  #add(value: number, isArticle: boolean, isJoined: boolean): boolean {
    if (!this.#fits(value, isJoined)) return false;
    // "quatre-vingt" is four times twenty.
    this.#current += this.#isFourTwenties(value) ? 76 : value;
    this.#isBegun = true;
    this.#isZero = value === 0;
    this.#isCounted ||= !isArticle;
    this.#units++;
    return true;
  }

  #fits(value: number, isJoined: boolean): boolean {
    if (!this.#isBegun) return true;
    if (value === 0 || this.#isHalf || (this.#isFigures && this.#scales === 0)) return false;
    const { unitsFirst, vigesimal } = this.language;
    if (this.#current === 0) return value < 1_000;
    const low = this.#current % 100;
    if (low === 0) return value < 100;
    if (low >= 20 && low % 10 === 0 && value < 10) return true;
    if (unitsFirst && isJoined && low < 10 && value >= 20 && value < 100 && value % 10 === 0) return true;
    // "dix-sept", "diez y siete".
    if (low === 10 && value >= 6 && value < 10 && (vigesimal || isJoined)) return true;
    return vigesimal && (((low === 60 || low === 80) && value < 20) || this.#isFourTwenties(value));
  }

  #isFourTwenties(value: number): boolean {
    return this.language.vigesimal && this.#current % 100 === 4 && value === 20;
  }

  #addDecimal(value: number): boolean {
    if (value > 9 || value % 1 !== 0) return false;
    this.#decimals += String(value);
    return true;
  }

  #fraction(): number {
    return this.#decimals ? Number(`0.${this.#decimals}`) : 0;
  }
}
