import type { TalkRecord } from './talk-record.ts';

const titleLetters = 80;

/** What a talk is called: by the person, or else by what was said first; empty where nothing was. */
export function recordTitle({ title, turns }: TalkRecord): string {
  if (title.trim() !== '') return title;
  const first = turns.find(({ text }) => text.trim() !== '')?.text.trim() ?? '';
  const letters = Array.from(first.replaceAll(/\s+/gu, ' '));
  return letters.length <= titleLetters
    ? letters.join('')
    : `${letters.slice(0, titleLetters).join('')}…`;
}
