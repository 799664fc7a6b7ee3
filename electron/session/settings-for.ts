import type { SessionSettings } from '../../shared/protocol/client-ask.ts';
import type { Course } from './state.ts';

/** What of the settings this mode and dialect know: the documents give each its own fields. */
export function settingsFor({ mode, dialect, settings }: Course): SessionSettings {
  if (mode === 'chat') return {};
  const { maxSlices, ...rest } = settings;
  return mode === 'video' && dialect === 'legacy' ? { ...rest, maxSlices } : rest;
}
