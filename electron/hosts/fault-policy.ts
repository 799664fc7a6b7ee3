/** What is to be done about a fault that nobody has caught. */
export type FaultVerdict = 'goOn' | 'end';

const withinMs = 60_000;
/** What comes more often is not one unlucky event but something that is broken for good. */
const mostOfOne = 10;
const mostOfAll = 30;

/**
 * One fault in a listener, a timer or a request leaves all else as it was, and a talk is worth more
 * than certainty about it. What goes on failing, or fails before anything is there for a person to
 * use, is the end.
 */
export class FaultPolicy {
  readonly #now: () => number;
  #faults: readonly { readonly what: string; readonly at: number }[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  judge(what: string, open: boolean): FaultVerdict {
    const at = this.#now();
    this.#faults = [...this.#faults.filter((fault) => at - fault.at < withinMs), { what, at }];
    if (!open) return 'end';
    const same = this.#faults.filter((fault) => fault.what === what).length;
    return same > mostOfOne || this.#faults.length > mostOfAll ? 'end' : 'goOn';
  }
}
