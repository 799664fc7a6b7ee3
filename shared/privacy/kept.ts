/** What Parley keeps of a person on this machine, and can delete. */
export const keptKinds = ['chats', 'tapes', 'voices', 'tokens'] as const;

export type KeptKind = (typeof keptKinds)[number];

export interface Kept {
  readonly kind: KeptKind;
  /** The folder or file it is in. */
  readonly place: string;
  readonly count: number;
  /** On the disk. */
  readonly bytes: number;
}
