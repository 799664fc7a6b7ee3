import type { TFunction } from 'i18next';
import type { HistoryItem } from '../../shared/history/history-item.ts';

/** What the person called it, for want of that how it begins, and what it is where it has no words. */
export function entryTitle({ title, firstWords, kind }: HistoryItem, t: TFunction): string {
  const name = [title, firstWords].find((each) => each.trim() !== '');
  return name ?? t(kind === 'talk' ? 'history.unsaid' : 'history.untitled');
}
