import { recoveryNotes, recoveryParameter } from '../../../shared/recovery-note.ts';
import type { RecoveryNote } from '../../../shared/recovery-note.ts';

/** What this page is to tell; taken out of its address, or it would be told at every reload. */
export function readRecoveryNote(
  page: Pick<Location, 'href'>,
  history: Pick<History, 'replaceState'>,
): RecoveryNote | undefined {
  const address = new URL(page.href);
  const told = address.searchParams.get(recoveryParameter);
  if (told === null) return undefined;
  address.searchParams.delete(recoveryParameter);
  history.replaceState(null, '', address.href);
  return recoveryNotes.find((note) => note === told);
}
