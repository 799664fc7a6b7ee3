import type { AppError } from '../errors/app-error.ts';
import type { DuplexMode } from '../protocol/dialect-and-mode.ts';
import type { DeviceRole } from '../talk/talk-device-states.ts';
import type { TalkEnding } from '../talk/talk-state.ts';

/**
 * The text of a talk, as it stands in `talks/<stamp>/talk.json`. The folder's name is its id, and that of the talk's tape
 * where there is one. A reader ignores fields that it does not know.
 */
export interface TalkRecord {
  /** The person's own; empty until they give it one. */
  readonly title: string;
  readonly pinned: boolean;
  readonly mode: DuplexMode;
  readonly server: TalkRecordServer;
  /** Milliseconds since 1970. */
  readonly begunAt: number;
  /** Until when all of it is here. */
  readonly savedAt: number;
  /** Missing while it goes on, and where a crash has cut it. */
  readonly ending?: TalkEnding | undefined;
  readonly turns: readonly TalkRecordTurn[];
  readonly events: readonly TalkRecordEvent[];
  readonly pictures: readonly TalkRecordPicture[];
}

export interface TalkRecordServer {
  /** As the person calls it. */
  readonly name: string;
  /** Scheme, host and path; none for the demonstration. */
  readonly address?: string | undefined;
}

/** Something happened so many milliseconds after the talk began. */
interface Timed {
  readonly at: number;
}

/** Words as they were heard: up to `heard`, and from `cutFrom` on nobody heard them. */
export interface TalkRecordTurn extends Timed {
  readonly by: 'person' | 'parley';
  readonly text: string;
  readonly heard: number;
  readonly cutFrom?: number | undefined;
  /** Of words that a machine wrote down: whether a person has put them right since. */
  readonly transcribed?: 'byMachine' | 'corrected' | undefined;
}

export type TalkRecordEvent = Timed &
  (
    | { readonly kind: 'began' | 'reconnected' | 'continued' }
    | { readonly kind: 'interrupted'; readonly turn: number }
    | { readonly kind: 'reconnecting' | 'trouble'; readonly error: AppError }
    | { readonly kind: 'deviceLost' | 'deviceBack'; readonly role: DeviceRole }
    | { readonly kind: 'ended'; readonly ending: TalkEnding }
  );

/** A picture that went to the model: a JPEG in the folder of the record. */
export interface TalkRecordPicture extends Timed {
  readonly file: string;
  readonly width: number;
  readonly height: number;
}
