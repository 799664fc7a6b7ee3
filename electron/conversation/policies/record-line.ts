import type { TranscriptTurn } from './transcript.ts';

/** A turn as one line of the record, which cannot be taken for the record's own. */
export function lineOf({ text, cut }: Pick<TranscriptTurn, 'text' | 'cut'>): string {
  const said = text.replaceAll(/\s+/gu, ' ').replaceAll(/-{3,}/gu, '—').trim();
  return `- ${said}${cut ? ' […]' : ''}`;
}
