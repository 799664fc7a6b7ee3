/** What a page is to tell about how it came to be loaded, besides what it always shows. */
export const recoveryNotes = ['pageCrashed', 'pageHung', 'restarted', 'safeStart'] as const;

export type RecoveryNote = (typeof recoveryNotes)[number];

/** In the page's address, because it is told before the page has asked for anything. */
export const recoveryParameter = 'after';

export function withRecoveryNote(address: string, note: RecoveryNote | undefined): string {
  if (note === undefined) return address;
  return `${address}${address.includes('?') ? '&' : '?'}${recoveryParameter}=${note}`;
}
