/** What Parley keeps of a person on this machine, and can delete. */
export const storedDataKinds = [
  'chats',
  'talks',
  'tapes',
  'voices',
  'tokens',
  'logs',
  'crashes',
] as const;

export type StoredDataKind = (typeof storedDataKinds)[number];

export interface StoredData {
  readonly kind: StoredDataKind;
  /** The folder or file it is in. */
  readonly place: string;
  readonly count: number;
  /** On the disk. */
  readonly bytes: number;
}
