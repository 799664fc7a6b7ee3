import type { Base64 } from '../../shared/protocol/base64.ts';
import type { JsonObject } from '../../shared/protocol/json.ts';
import { parseJsonObject } from '../../shared/protocol/json.ts';
import { inputRate, outputRate } from '../../shared/protocol/limits.ts';
import type { Clock } from '../ports/clock.ts';
import type { Files, FileWriter } from '../ports/files.ts';
import type { Outcome } from '../ports/outcome.ts';
import type { SocketEnd } from '../ports/sockets.ts';
import { createMediaStore } from './media-store.ts';
import type { MediaStore, OpenSoundFile, SoundFile } from './media-store.ts';
import { plainEndpoint, plainEndpoints } from './plain-endpoint.ts';
import type { Recorder } from './recorder.ts';
import { looksReferenced, takeMedia } from './take-media.ts';
import type { PutAway } from './take-media.ts';
import { tapeFiles } from './tape.ts';
import type { TapeHeader } from './tape.ts';

export interface RecorderNeeds {
  readonly files: Files;
  readonly clock: Clock;
  readonly base64: Base64;
  readonly openSound: OpenSoundFile;
  /** Told once, when the tape can no longer be trusted; the session goes on. */
  readonly onProblem: (sentence: string) => void;
}

/** Makes the folder of a new tape and its files; the folder must be new or empty. */
export async function openRecorder(
  folder: string,
  header: TapeHeader,
  needs: RecorderNeeds,
): Promise<Outcome<Recorder>> {
  let problem: string | undefined;
  const fail = (sentence: string): void => {
    if (problem !== undefined) return;
    problem = sentence;
    needs.onProblem(sentence);
  };
  const made = await needs.files.createFolder(folder);
  if (!made.ok) return made;
  const opened: FileWriter[] = [];
  for (const name of [tapeFiles.lines, tapeFiles.microphone, tapeFiles.answer]) {
    const file = await needs.files.create(`${folder}/${name}`, fail);
    if (file.ok) opened.push(file.value);
    else {
      await Promise.all(opened.map((other) => other.close()));
      return file;
    }
  }
  const [lines, microphone, answer] = opened as [FileWriter, FileWriter, FileWriter];
  lines.append(`${JSON.stringify(headerToKeep(header))}\n`);
  const parts = {
    lines,
    files: opened,
    store: createMediaStore({ ...needs, folder, onProblem: fail }),
    microphone: needs.openSound(microphone, { rate: inputRate, coding: 'float32' }),
    answer: needs.openSound(answer, { rate: outputRate, coding: 'float32' }),
    fail,
    problem: () => problem,
  };
  return { ok: true, value: createRecorder(parts, needs.clock) };
}

interface Parts {
  readonly lines: FileWriter;
  /** The three that every tape has. */
  readonly files: readonly FileWriter[];
  readonly store: MediaStore;
  readonly fail: (sentence: string) => void;
  readonly problem: () => string | undefined;
  readonly microphone: SoundFile;
  readonly answer: SoundFile;
}

function createRecorder(parts: Parts, clock: Clock): Recorder {
  const { store, fail } = parts;
  const began = clock.now();
  let anythingCame = false;
  const fromUs = store.putInto({ name: tapeFiles.microphone, sound: parts.microphone });
  const fromServer = store.putInto({ name: tapeFiles.answer, sound: parts.answer });

  const write = (connection: number, body: JsonObject): void => {
    const at = Math.round((clock.now() - began) * 1000) / 1000;
    anythingCame ||= body['dir'] !== 'end';
    const which = connection === 1 ? {} : { connection };
    parts.lines.append(`${JSON.stringify({ at, ...which, ...body })}\n`);
  };

  return {
    opened: (connection) => {
      write(connection, { dir: 'open' });
    },
    sent: (connection, text) => {
      write(connection, frameLine('out', text, fromUs));
    },
    received: (connection, text) => {
      write(connection, text === undefined ? { dir: 'in' } : frameLine('in', text, fromServer));
    },
    ended: (connection, end) => {
      write(connection, { dir: 'end', end: endToKeep(end) });
    },
    close: async () => {
      await store.settle();
      // Where no connection came about there is nothing to play, and the folder is free to try again.
      const ends = anythingCame
        ? [parts.microphone.finish, parts.answer.finish, parts.lines.close]
        : parts.files.map((file) => file.discard);
      for (const end of ends) {
        const finished = await end();
        if (!finished.ok) fail(finished.problem);
      }
      const problem = parts.problem();
      return problem === undefined ? { ok: true, value: undefined } : { ok: false, problem };
    },
  };
}

function frameLine(dir: 'in' | 'out', text: string, putAway: PutAway): JsonObject {
  try {
    const frame = parseJsonObject(text);
    // What a reader would take for a reference to our files is kept as the text that it is.
    if (frame === undefined || looksReferenced(frame)) return { dir, text };
    return { dir, frame: takeMedia(frame, putAway) };
  } catch {
    // Nested deeper than can be walked.
    return { dir, text };
  }
}

function endToKeep(end: SocketEnd): JsonObject {
  if (end.kind === 'closed') return { ...end };
  if (end.kind === 'refused') return { ...end, body: plainEndpoints(end.body) };
  return { kind: end.kind, problem: plainEndpoints(end.problem) };
}

/** Field by field, so that nothing gets on the tape that does not belong there. */
function headerToKeep(header: TapeHeader): TapeHeader {
  const { instructions, generation, maxSlices } = header.settings;
  return {
    format: header.format,
    version: header.version,
    mode: header.mode,
    dialect: header.dialect,
    chunkMs: header.chunkMs,
    settings: { instructions, generation, maxSlices },
    endpoint: plainEndpoint(header.endpoint),
    recordedAt: header.recordedAt,
  };
}
