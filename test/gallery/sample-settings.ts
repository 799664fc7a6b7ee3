import { defaultSettings } from '../../shared/settings/default-settings.ts';
import { showSettings } from '../../shared/settings/shown-settings.ts';

/** Those of somebody who has taken the first steps and changed nothing. */
export const sampleSettings = showSettings({ ...defaultSettings, firstRun: { done: true } });
