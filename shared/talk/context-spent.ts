/** What takes up the model's memory; instructions count as words. */
export const memoryParts = ['pictures', 'sound', 'words'] as const;
export type MemoryPart = (typeof memoryParts)[number];

/** What one session has spent of the model's memory so far. */
export interface ContextSpent {
  /** Tokens. */
  readonly spent: Readonly<Record<MemoryPart, number>>;
  /** What the server did not report, and was reckoned from what went and came. */
  readonly estimated: readonly MemoryPart[];
}
