import type { SessionSettings } from '../../shared/protocol/client-event.ts';
import type { SessionContext } from './session-state.ts';

/** What of the settings this mode and dialect know: the documents give each its own fields. */
export function settingsForDialect({ mode, dialect, settings }: SessionContext): SessionSettings {
  if (mode === 'chat') return {};
  const { maxSlices, ...rest } = settings;
  return mode === 'video' && dialect === 'legacy' ? { ...rest, maxSlices } : rest;
}
