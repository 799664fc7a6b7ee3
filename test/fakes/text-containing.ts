import { expect } from 'vitest';

/** Any text with this in it; vitest's own matchers have no type that the linter lets pass. */
export function textContaining(part: string | RegExp): unknown {
  return typeof part === 'string' ? expect.stringContaining(part) : expect.stringMatching(part);
}
