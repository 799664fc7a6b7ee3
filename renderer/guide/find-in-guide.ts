import { foldText } from '../../shared/chat/fold-text.ts';
import type { GuideSection } from './read-guide.ts';

/** The sections that have every word of what is looked for; those with one in their title come first. */
export function findInGuide(
  sections: readonly GuideSection[],
  typed: string,
): readonly GuideSection[] {
  const words = foldText(typed).split(/\s+/u).filter(Boolean);
  const found = sections.filter(({ source }) => {
    const text = foldText(source);
    return words.every((word) => text.includes(word));
  });
  if (words.length === 0) return found;
  const named = ({ title }: GuideSection): boolean => {
    const folded = foldText(title);
    return words.some((word) => folded.includes(word));
  };
  return [...found.filter(named), ...found.filter((section) => !named(section))];
}
