import { desktopEntry, quotedWord } from './desktop-entry.ts';
import type { ListedState } from './keep-listed.ts';

/** A desktop entry that starts these words. */
export function autostartEntry(command: readonly string[]): string {
  return desktopEntry(command.map(quotedWord).join(' '), ['X-GNOME-Autostart-enabled=true']);
}

/** A desktop's own settings switch an entry off in the entry itself. */
export function readAutostartEntry(text: string | undefined): ListedState | 'missing' {
  if (text === undefined) return 'missing';
  const off = /^(?:Hidden\s*=\s*true|X-GNOME-Autostart-enabled\s*=\s*false)\s*$/mu;
  return off.test(text) ? 'off' : 'on';
}
