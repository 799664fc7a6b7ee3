import { firstStateMetaName } from '../../shared/first-state.ts';
import type { FirstState } from '../../shared/first-state.ts';
import { firstStepsOf } from '../../shared/first-steps.ts';
import type { FirstSteps } from '../../shared/first-steps.ts';
import type { UiState } from './ui-state.ts';

/** What the host has written into the page; a page that it has not served says nothing. */
export function readFirstState(page: Pick<Document, 'querySelector'>): Partial<FirstState> {
  const mark = page.querySelector(`meta[name="${firstStateMetaName}"]`)?.getAttribute('content');
  if (mark === undefined || mark === null || mark === 'unknown') return {};
  return JSON.parse(mark) as FirstState;
}

/** Nothing while it is not known: then neither they nor the conversation are shown. */
export function firstStepsNow({
  settings,
  firstSteps,
  problem,
}: Pick<UiState, 'settings' | 'firstSteps' | 'problem'>): FirstSteps | undefined {
  if (settings !== undefined) return firstStepsOf(settings);
  // Where the settings cannot be had it will never be known.
  return firstSteps ?? (problem === undefined ? undefined : 'done');
}
