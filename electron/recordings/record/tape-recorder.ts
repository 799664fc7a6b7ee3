import type { AppError, ErrorCode, Outcome } from '../../../shared/errors/app-error.ts';
import type { Clock } from '../../../shared/ports/clock.ts';
import type { Files, FileWriter, StartDigest } from '../../../shared/ports/files.ts';
import type { SocketEnd, SocketListener, Sockets } from '../../../shared/ports/sockets.ts';
import type { Base64 } from '../../../shared/protocol/base64-media.ts';
import { inputRate, outputRate } from '../../../shared/protocol/realtime-api.ts';
import { exactCoding, type TapeCoding } from '../../../shared/recordings/talk-keeping.ts';
import type { TapeEvent } from '../../../shared/recordings/tape-event.ts';
import { openSoundFile, soundFileName, type WavWriter } from '../tape/sound-writer.ts';
import { TapeChecksums } from '../tape/tape-checksums.ts';
import { tapeFiles, type TapeHeader } from '../tape/tape.ts';
import { BothSides, type TalkSide, type TapeUpsampler } from './both-sides.ts';
import {
  createTapeMediaWriter,
  endForTape,
  headerForTape,
  type SoundTrack,
  type TapeMediaWriter,
  wireLine,
  type WrittenLine,
} from './tape-line-writer.ts';

/** Writes down what happens on the wire. It never throws, and nothing waits for it. */
export interface TapeRecorder {
  readonly opened: (connection: number) => void;
  readonly sent: (connection: number, text: string) => void;
  /** A binary frame has no text. */
  readonly received: (connection: number, text: string | undefined) => void;
  readonly ended: (connection: number, end: SocketEnd) => void;
  /** What the wire does not show. */
  readonly happened: (event: TapeEvent) => void;
  /** Something of a turn came, with so many samples: by it what was heard is counted where a tape has not all of a talk. */
  readonly answered: (turn: number, samples: number) => void;
  /** What has just been said to the server, 16 kHz, or heard of it, 24 kHz; taken over before the call returns. */
  readonly sounded: (who: TalkSide, samples: Float32Array) => void;
  /** Finishes the files, or takes them away where no connection ever opened; the first thing that went wrong with any of them. */
  readonly close: () => Promise<Outcome<undefined>>;
}

/** A recorder whose disk may be full, or whose folder may be taken away. */
export interface ResumableRecorder extends TapeRecorder {
  /** Whether its files are still where they were made. */
  readonly isThere: () => boolean;
  /** Goes on after something went wrong. */
  readonly resume: () => Promise<Outcome<undefined>>;
  /** Says on the tape that something is missing up to now. */
  readonly gap: (gap: TapeGap) => void;
}

export interface TapeGap {
  /** By the recorder's clock. */
  readonly since: number;
  readonly why: ErrorCode;
}

export interface TapeRecorderDeps {
  readonly files: Files;
  readonly clock: Clock;
  readonly base64: Base64;
  /** Where it is given, checksums of all files stand beside them at the close. */
  readonly digest?: StartDigest | undefined;
  /** Where it is given, both voices stand in one stereo file, too. */
  readonly upsampler?: (() => TapeUpsampler) | undefined;
  /** Called when something cannot be written, once until it is resumed; the session goes on. */
  readonly onError: (error: AppError) => void;
}

/** Makes the folder of a new tape and its files; the folder must be new or empty. */
export async function openTapeRecorder(
  folder: string,
  header: TapeHeader,
  deps: TapeRecorderDeps,
): Promise<Outcome<ResumableRecorder>> {
  let failed: AppError | undefined;
  const fail = (error: AppError): void => {
    if (failed !== undefined) return;
    failed = error;
    deps.onError(error);
  };
  const made = await deps.files.createFolder(folder);
  if (!made.ok) return made;
  const checksums = deps.digest && new TapeChecksums(deps.digest);
  const opened: FileWriter[] = [];
  const coding = header.sound ?? exactCoding;
  const names = {
    microphone: soundFileName('microphone', coding),
    answer: soundFileName('answer', coding),
    both: soundFileName('bothSides', listeningCoding(coding)),
  };
  const both = deps.upsampler === undefined ? [] : [names.both];
  for (const name of [tapeFiles.lines, names.microphone, names.answer, ...both]) {
    const file = await deps.files.create(`${folder}/${name}`, (error) => {
      checksums?.forget(name);
      fail(error);
    });
    const kind = name === tapeFiles.lines ? 'text' : 'sound';
    if (file.ok) opened.push(checksums?.watch(name, kind, file.value) ?? file.value);
    else {
      // The folder is free for another try.
      await Promise.all(opened.map((other) => other.discard()));
      return file;
    }
  }
  const [lines, microphone, answer, stereo] = opened as [
    FileWriter,
    FileWriter,
    FileWriter,
    FileWriter?,
  ];
  lines.append(`${JSON.stringify(headerForTape(header))}\n`);
  const parts = {
    lines,
    files: opened,
    store: createTapeMediaWriter({ ...deps, folder, checksums, onError: fail }),
    microphone: {
      name: names.microphone,
      sound: openSoundFile(microphone, { rate: inputRate, coding }, deps.clock),
    },
    answer: {
      name: names.answer,
      sound: openSoundFile(answer, { rate: outputRate, coding }, deps.clock),
    },
    bothSides:
      stereo &&
      deps.upsampler &&
      new BothSides(
        openSoundFile(
          stereo,
          { rate: outputRate, channels: 2, coding: listeningCoding(coding) },
          deps.clock,
        ),
        deps.clock,
        deps.upsampler(),
      ),
    writeChecksums: () => writeChecksums(folder, checksums, deps.files),
    fail,
    failed: () => failed,
    forget: () => {
      failed = undefined;
    },
  };
  return { ok: true, value: recorderOfFiles(parts, deps.clock) };
}

/** Nothing is played of what is for listening: 16 bit are enough, and what can be smaller is. */
function listeningCoding(coding: TapeCoding): TapeCoding {
  return coding === exactCoding ? 'pcm16' : 'flac';
}

/** Last of all, so that what a killed recorder leaves has none. */
async function writeChecksums(
  folder: string,
  checksums: TapeChecksums | undefined,
  files: Files,
): Promise<Outcome<undefined>> {
  if (checksums === undefined) return { ok: true, value: undefined };
  const file = await files.create(`${folder}/${tapeFiles.checksums}`);
  if (!file.ok) return file;
  file.value.append(checksums.text());
  const closed = await file.value.close();
  // Half of them would say that the tape was changed.
  if (!closed.ok) await file.value.discard();
  return closed;
}

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
function recorderOfFiles(parts: Parts, clock: Clock): ResumableRecorder {
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

/** The same sockets, with everything that passes through them recorded first. */
export function recordSockets(sockets: Sockets, recorder: TapeRecorder): Sockets {
  let connections = 0;
  return {
    connect: (mode, listener) => {
      connections += 1;
      const connection = connections;
      return sockets.connect(mode, recordedListener(listener, recorder, connection));
    },
  };
}

function recordedListener(
  listener: SocketListener,
  recorder: TapeRecorder,
  connection: number,
): SocketListener {
  return {
    opened: () => {
      recorder.opened(connection);
      listener.opened();
    },
    sending: (text) => {
      recorder.sent(connection, text);
      listener.sending?.(text);
    },
    received: (text) => {
      recorder.received(connection, text);
      listener.received(text);
    },
    ended: (end) => {
      recorder.ended(connection, end);
      listener.ended(end);
    },
  };
}
