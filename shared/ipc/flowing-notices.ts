import type { TalkNotices } from './talk-contract.ts';

const flowing = new Set<string>([
  'level',
  'caption',
  'floor',
  'talkStep',
  'talkLimits',
] satisfies readonly (keyof TalkNotices)[]);

/**
 * What flows by itself while one talks, many times a second: nobody has done anything that it answers. It comes to the
 * screen on the screen's own beat, and waits for as long as there is no screen to be seen.
 */
export function isFlowing(notice: string): boolean {
  return flowing.has(notice);
}
