/** So much sooner than was told it may be heard, in blocks: the first times after a break are some milliseconds off… */
const sooner = 1;
/** …and so much later it is known by what is heard whether it was right. */
const later = 4;
/** Nothing is heard so late. */
const longest = 40;

/** Where what is played began anew, until that has been heard. */
export class RecentBreaks {
  #ages: readonly number[] = [];

  /** So many blocks before the newest one that was played. */
  push(age: number): void {
    this.#ages = [...this.#ages, age];
  }

  /** The next block. */
  goOn(): void {
    if (this.#ages.length > 0)
      this.#ages = this.#ages.flatMap((age) => (age < longest ? [age + 1] : []));
  }

  /** Whether one is heard now, by how many blocks after it was played a sound is. */
  isHeard(after: number): boolean {
    return this.#ages.some((age) => age >= after - sooner && age <= after + later);
  }

  forget(): void {
    this.#ages = [];
  }
}
