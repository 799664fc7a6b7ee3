import type { TFunction } from 'i18next';
import type { HistoryItem } from '../../../shared/history/history-item.ts';

/** What the person called it, for want of that how it begins, and what it is where it has no words. */
export function entryTitle(item: HistoryItem, t: TFunction): string {
  const { title, firstWords, kind } = item;
  const name = [title, firstWords].find((each) => each.trim() !== '');
  if (name !== undefined) return name;
  if (isTapeOnly(item)) return t('history.taped');
  return t(kind === 'talk' ? 'history.unsaid' : 'history.untitled');
}

/** There is nothing of it but what was recorded. */
export function isTapeOnly(item: HistoryItem): boolean {
  return item.kind === 'talk' && item.tape && item.firstWords === '' && item.pictures === 0;
}
