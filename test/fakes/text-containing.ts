import { expect } from 'vitest';

/** Matches any text that contains the part. Vitest's own matchers are typed `any`, which the linter refuses. */
export function textContaining(part: string | RegExp): unknown {
  return typeof part === 'string' ? expect.stringContaining(part) : expect.stringMatching(part);
}
