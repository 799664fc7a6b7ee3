import { foldText, searchWords } from '../../shared/fold-text.ts';

export type GuidePart =
  | { readonly kind: 'text'; readonly text: string }
  /** `file` as the guide names it, from its own folder. */
  | { readonly kind: 'picture'; readonly alt: string; readonly file: string };

export interface GuideSection {
  readonly title: string;
  readonly parts: readonly GuidePart[];
  /** All of it as it is searched. */
  readonly source: string;
}

const picture = /^!\[(?<alt>[^\]]*)\]\((?<file>[^)]+)\)$/u;

/** The guide's Markdown as sections; what stands before the first is left to its pages. */
export function readGuide(source: string): readonly GuideSection[] {
  return source
    .split(/^## /mu)
    .slice(1)
    .map((section) => {
      const end = section.indexOf('\n');
      const title = end === -1 ? section : section.slice(0, end);
      return { title: title.trim(), parts: partsOf(section.slice(title.length)), source: section };
    });
}

function partsOf(body: string): readonly GuidePart[] {
  const parts: GuidePart[] = [];
  let text = '';
  const close = (): void => {
    if (text.trim() !== '') parts.push({ kind: 'text', text: text.trim() });
    text = '';
  };
  for (const line of body.split('\n')) {
    const { alt, file } = picture.exec(line.trim())?.groups ?? {};
    if (alt === undefined || file === undefined) {
      text += `${line}\n`;
      continue;
    }
    close();
    parts.push({ kind: 'picture', alt, file });
  }
  close();
  return parts;
}

/** The sections that have every word of what is looked for; those with one in their title come first. */
export function findInGuide(
  sections: readonly GuideSection[],
  typed: string,
): readonly GuideSection[] {
  const words = searchWords(typed);
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
