import type { TFunction } from 'i18next';
import type { OpenedTalkRecord } from '../../../shared/history/opened-talk-record.ts';
import { recordTitle } from '../../../shared/history/record-title.ts';
import { isTextless } from './record-lines.ts';

/** What a talk is called; one without a name by what there is of it. */
export function talkTitle(t: TFunction, talk: OpenedTalkRecord): string {
  const named = recordTitle(talk.record);
  if (named !== '') return named;
  return t(isTextless(talk) ? 'history.taped' : 'history.unsaid');
}
