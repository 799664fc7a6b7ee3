import type { AppError } from '../../../shared/errors/app-error.ts';
import type { Clock } from '../../ports/clock.ts';
import type { FileWriter } from '../../ports/files.ts';
import type { Outcome } from '../../ports/outcome.ts';
import type { BothSides } from './both-sides.ts';
import type { SoundTrack, TapeMediaWriter } from './tape-media-writer.ts';
import type { ResumableRecorder } from './tape-recorder.ts';
import type { WavWriter } from './wav-writer.ts';
import { endForTape, wireLine } from './written-line.ts';
import type { WrittenLine } from './written-line.ts';

interface OpenTrack extends SoundTrack {
  readonly sound: WavWriter;
}

interface Parts {
  readonly lines: FileWriter;
  /** Those that it begins with. */
  readonly files: readonly FileWriter[];
  readonly bothSides: BothSides | undefined;
  readonly store: TapeMediaWriter;
  readonly writeChecksums: () => Promise<Outcome<undefined>>;
  readonly fail: (error: AppError) => void;
  readonly failed: () => AppError | undefined;
  readonly forget: () => void;
  readonly microphone: OpenTrack;
  readonly answer: OpenTrack;
}

/** The recorder of files that are open. */
export function recorderOfFiles(parts: Parts, clock: Clock): ResumableRecorder {
  const { store, fail } = parts;
  const began = clock.now();
  let anyConnection = false;
  const fromUs = store.storeInto(parts.microphone);
  const fromServer = store.storeInto(parts.answer);

  const sinceBegun = (time: number): number => Math.round((time - began) * 1000) / 1000;

  const write = (connection: number, body: WrittenLine): void => {
    const at = sinceBegun(clock.now());
    anyConnection ||= body.dir !== 'end' && body.dir !== 'event';
    const which = connection === 1 ? {} : { connection };
    parts.lines.append(`${JSON.stringify({ at, ...which, ...body })}\n`);
  };

  return {
    opened: (connection) => {
      write(connection, { dir: 'open' });
    },
    sent: (connection, text) => {
      write(connection, wireLine('out', text, fromUs));
    },
    received: (connection, text) => {
      write(connection, text === undefined ? { dir: 'in' } : wireLine('in', text, fromServer));
    },
    ended: (connection, end) => {
      write(connection, { dir: 'end', end: endForTape(end) });
    },
    happened: (event) => {
      write(1, { dir: 'event', event });
    },
    answered: () => {
      // All of it is on this tape.
    },
    sounded: (who, samples) => {
      parts.bothSides?.sounded(who, samples);
    },
    isThere: () => parts.files.every((file) => file.isThere()),
    resume: async () => {
      parts.forget();
      for (const file of parts.files) {
        const resumed = await file.resume();
        if (!resumed.ok) return resumed;
      }
      return { ok: true, value: undefined };
    },
    gap: ({ since, why }) => {
      write(1, { dir: 'event', event: { kind: 'gap', from: sinceBegun(since), why } });
    },
    close: async () => {
      await store.settle();
      // In a folder that was taken away meanwhile there is nothing to check.
      const isThere = parts.files.every((file) => file.isThere());
      // Where no connection came about there is nothing to play, and the folder is free to try again.
      const ends = anyConnection
        ? [
            parts.microphone.sound.finish,
            parts.answer.sound.finish,
            () => parts.bothSides?.finish() ?? ({ ok: true, value: undefined } as const),
            parts.lines.close,
          ]
        : parts.files.map((file) => file.discard);
      for (const end of ends) {
        const finished = await end();
        if (!finished.ok) fail(finished.error);
      }
      if (anyConnection && isThere && parts.failed() === undefined) {
        const written = await parts.writeChecksums();
        if (!written.ok) fail(written.error);
      }
      const error = parts.failed();
      return error === undefined ? { ok: true, value: undefined } : { ok: false, error };
    },
  };
}
