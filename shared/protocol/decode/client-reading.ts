import type { Mode } from '../dialect-and-mode.ts';

/** How a server reads what its clients say, where servers differ. */
export interface ClientReading {
  /** Takes what servers in use take besides what is documented; left out, only what is documented. */
  readonly lenient?: boolean | undefined;
  /** By which an input is judged; left out, by what is in it. */
  readonly mode?: Mode | undefined;
}

/** No prompt and no message of a written conversation is longer; the context takes a hundredth of it. */
export const maxClientText = 1024 * 1024;
