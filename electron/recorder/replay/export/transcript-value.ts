import type { Mode } from '../../../../shared/protocol/dialect-and-mode.ts';

/** Both sides of a talk as text, with times in milliseconds since it began. */
export interface TalkTranscript {
  readonly mode: Mode;
  /** Scheme, host and path, or what the person calls it. */
  readonly server: string;
  /** ISO 8601; may be empty. */
  readonly recordedAt: string;
  readonly lines: readonly TranscriptLine[];
}

export interface TranscriptLine {
  readonly at: number;
  readonly by: 'person' | 'parley';
  /** What was heard; nothing where somebody spoke and nobody wrote down what. */
  readonly text: string | undefined;
  /** What followed and was never heard. */
  readonly unheard: string;
  /** Of the person's own words: a machine wrote them down. */
  readonly byMachine: boolean;
}
