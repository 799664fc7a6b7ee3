import { firstStepsMetaName, firstStepsOf } from '../../shared/first-steps.ts';
import type { FirstSteps } from '../../shared/first-steps.ts';
import type { UiState } from './ui-state.ts';

/** What the host has written into the page; a page that it has not served says nothing. */
export function readFirstSteps(page: Pick<Document, 'querySelector'>): FirstSteps | undefined {
  const mark = page.querySelector(`meta[name="${firstStepsMetaName}"]`)?.getAttribute('content');
  return mark === 'due' || mark === 'done' ? mark : undefined;
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
