import { useEffect } from 'react';
import type { RefObject } from 'react';
import { foldText } from '../../shared/chat/fold-text.ts';
import type { GuideSection } from './read-guide.ts';

const name = 'guide-found';

/** Marks what is looked for in the sections where they stand, without a change to the page's elements. */
export function useMarkedWords(
  place: RefObject<HTMLElement | null>,
  typed: string,
  sections: readonly GuideSection[],
): void {
  const count = sections.length;
  useEffect(() => {
    // A browser may have none: what was found is shown all the same.
    if (!('highlights' in CSS)) return undefined;
    const words = foldText(typed).split(/\s+/u).filter(Boolean);
    if (place.current === null || words.length === 0 || count === 0) return undefined;
    CSS.highlights.set(name, new Highlight(...rangesOf(place.current, words)));
    return () => {
      CSS.highlights.delete(name);
    };
  }, [place, typed, count]);
}

function rangesOf(place: HTMLElement, words: readonly string[]): readonly Range[] {
  const ranges: Range[] = [];
  const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const text = foldText(node.textContent ?? '');
    // Letters that fold to more than one would shift what is marked: such a text is left alone.
    if (text.length !== node.textContent?.length) continue;
    for (const word of words)
      for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length)) {
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + word.length);
        ranges.push(range);
      }
  }
  return ranges;
}
