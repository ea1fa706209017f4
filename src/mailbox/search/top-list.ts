/**
 * Keeps the highest entries, ordered by score, then time, then number. Implemented as a heap whose root is the lowest
 * of them.
 */
export class TopList {
  readonly #scores: Float64Array;
  readonly #dates: Float64Array;
  readonly #numbers: Float64Array;
  #length = 0;

  constructor(private readonly most: number) {
    this.#scores = new Float64Array(most);
    this.#dates = new Float64Array(most);
    this.#numbers = new Float64Array(most);
  }

  /** Returns the score below which a hit is not kept. */
  get least(): number {
    return this.#length < this.most || this.most === 0 ? Number.NEGATIVE_INFINITY : this.#scores[0]!;
  }

  add(score: number, date: number, n: number): void {
    if (this.#length < this.most) {
      this.#set(this.#length++, score, date, n);
      this.#up(this.#length - 1);
    } else if (this.most > 0 && this.#isLess(0, score, date, n)) {
      this.#set(0, score, date, n);
      this.#down(0);
    }
  }

  /** Returns what was kept, highest first. */
  take(): { n: number; score: number }[] {
    const order = Array.from({ length: this.#length }, (_, i) => i).sort((a, b) => (this.#isBefore(a, b) ? 1 : -1));
    return order.map((i) => ({ n: this.#numbers[i]!, score: this.#scores[i]! }));
  }

  #isLess(at: number, score: number, date: number, n: number): boolean {
    if (this.#scores[at] !== score) return this.#scores[at]! < score;
    return this.#dates[at] === date ? this.#numbers[at]! < n : this.#dates[at]! < date;
  }

  #isBefore(a: number, b: number): boolean {
    return this.#isLess(a, this.#scores[b]!, this.#dates[b]!, this.#numbers[b]!);
  }

  #set(at: number, score: number, date: number, n: number): void {
    this.#scores[at] = score;
    this.#dates[at] = date;
    this.#numbers[at] = n;
  }

  #swap(a: number, b: number): void {
    const [score, date, n] = [this.#scores[a]!, this.#dates[a]!, this.#numbers[a]!];
    this.#set(a, this.#scores[b]!, this.#dates[b]!, this.#numbers[b]!);
    this.#set(b, score, date, n);
  }

  #up(from: number): void {
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (!this.#isBefore(at, parent)) return;
      this.#swap(at, parent);
      at = parent;
    }
  }

  #down(from: number): void {
    for (let at = from; ; ) {
      let least = at;
      for (const child of [at * 2 + 1, at * 2 + 2]) {
        if (child < this.#length && this.#isBefore(child, least)) least = child;
      }
      if (least === at) return;
      this.#swap(at, least);
      at = least;
    }
  }
}
