import { firstStepsOf } from './first-steps.ts';
import type { FirstSteps } from './first-steps.ts';
import type { RedactedSettings } from './settings/redacted-settings.ts';
import type { WindowsShown } from './windows-shown.ts';

/** What a page knows before it can ask its host for anything, so that nothing moves once that answers. */
export interface FirstState {
  readonly firstSteps: FirstSteps;
  /** Left out where the page is given to whoever asks for it. */
  readonly settings?: RedactedSettings;
  readonly windows?: WindowsShown;
}

/** The page's `meta` in which its host writes it. */
export const firstStateMetaName = 'parley-first-state';

/** For a page of the program's own, which nobody else is given. */
export const firstStateOf = (settings: RedactedSettings, windows: WindowsShown): FirstState => ({
  firstSteps: firstStepsOf(settings),
  settings,
  windows,
});
