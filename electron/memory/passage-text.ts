import type { CoreMessages } from '../../shared/i18n/messages.ts';
import type { FoundPassage } from '../../shared/memory/past-passage.ts';

/** Formats passages for the model, with where and when they were said. */
export function formatPassages(
  found: readonly FoundPassage[],
  { pastBegin, pastAbout, pastEnd, pastTalk, pastChat }: CoreMessages['memory'],
): string | undefined {
  if (found.length === 0) return undefined;
  const lines = found.map(({ passage: { kind, title, at }, text }) => {
    const day = new Date(at).toISOString().slice(0, 10);
    return `- ${day}, ${kind === 'talk' ? pastTalk : pastChat} “${title.replaceAll(/-{3,}/gu, '—')}”: ${text}`;
  });
  return [pastBegin, pastAbout, ...lines, pastEnd].join('\n');
}
