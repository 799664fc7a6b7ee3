import type { Told, Why } from '../../shared/why.ts';

/** Of a reply that failed, what is said of it. */
export interface Failed {
  readonly message: string;
  readonly why?: Why | undefined;
}

/** What a reply that failed is told by: its sentence, and its code for the page's own words. */
export function toldBy({ message, why }: Failed): Told {
  return why === undefined ? { sentence: message } : { sentence: message, why };
}
