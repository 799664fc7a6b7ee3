import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  failure,
  type Failure,
  type Outcome,
  errorCode,
} from '../../../shared/errors/app-error.ts';
import { parseJsonObject } from '../../../shared/protocol/json.ts';
import { idPattern } from '../../../shared/settings/setting-rule.ts';
import type { StoredVoice, VoiceIssue } from '../../../shared/settings/audio-settings.ts';
import type { VoiceStore } from '../../settings/voices/voice-library.ts';
import { listNames, orFailure, writeAtomically } from './atomic-files.ts';

/** A voice of 15 s takes half a megabyte. A much larger file is not from Parley. */
const maxVoiceBytes = 16 * 1024 * 1024;

/** Stores a voice as `<id>.wav` and `<id>.json`. The sound is written first, because it is a voice even without the JSON. */
export function createVoiceFolder(folder: string): VoiceStore {
  const wavPath = (id: string): string => join(folder, `${id}.wav`);
  const factsPath = (id: string): string => join(folder, `${id}.json`);

  const read = async (id: string): Promise<StoredVoice> => {
    const [facts, wav] = await Promise.all([
      readFile(factsPath(id), 'utf8').catch(() => ''),
      stat(wavPath(id)),
    ]);
    return describe(id, parseJsonObject(facts), wav.mtime);
  };

  const save = async (voice: StoredVoice): Promise<StoredVoice> => {
    const facts = `${JSON.stringify({ version: 1, ...voice }, undefined, 2)}\n`;
    await writeAtomically(factsPath(voice.id), facts);
    return voice;
  };

  /** Runs file work for a voice, unless its id is not a plain name and must not become a path. */
  const withValidId = <Value>(id: string, work: () => Promise<Value>): Promise<Outcome<Value>> =>
    idPattern.test(id)
      ? orFailure(wavPath(id), work).then(asVoiceGone)
      : Promise.resolve(voiceGone);

  return {
    list: () =>
      orFailure(folder, async () => {
        const names = await listNames(folder);
        const ids = names.flatMap((name) => /^(.+)\.wav$/.exec(name)?.[1] ?? []);
        const reads = ids
          .filter((id) => idPattern.test(id))
          .map((id) => read(id).catch(undefinedIfGone));
        const voices = (await Promise.all(reads)).filter((voice) => voice !== undefined);
        return voices.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
      }),
    save: (voice, wav) =>
      withValidId(voice.id, async () => {
        await writeAtomically(wavPath(voice.id), wav);
        return save({ ...voice, createdAt: new Date().toISOString() });
      }),
    rename: (id, name) => withValidId(id, async () => save({ ...(await read(id)), name })),
    read: (id) =>
      withValidId(id, async () => {
        const { size } = await stat(wavPath(id));
        if (size > maxVoiceBytes) throw new Error('the file is too large to be a voice');
        return new Uint8Array(await readFile(wavPath(id)));
      }),
    remove: (id) =>
      withValidId(id, async () => {
        await rm(wavPath(id), { force: true });
        await rm(factsPath(id), { force: true });
        return undefined;
      }),
  };
}

const voiceGone: Failure = failure('voiceGone');

/** A voice without its sound file counts as removed. */
function asVoiceGone<Value>(outcome: Outcome<Value>): Outcome<Value> {
  return !outcome.ok && outcome.error.code === 'fileGone' ? voiceGone : outcome;
}

function describe(
  id: string,
  facts: ReturnType<typeof parseJsonObject>,
  fallbackTime: Date,
): StoredVoice {
  const { name, seconds, notes, createdAt } = facts ?? {};
  return {
    id,
    name: typeof name === 'string' && name !== '' ? name : id,
    seconds: typeof seconds === 'number' ? seconds : 0,
    notes: Array.isArray(notes) ? notes.filter(isNote) : [],
    createdAt: typeof createdAt === 'string' ? createdAt : fallbackTime.toISOString(),
  };
}

function isNote(value: unknown): value is VoiceIssue {
  return value === 'quiet' || value === 'clipped' || value === 'cut';
}

function undefinedIfGone(error: unknown): undefined {
  if (errorCode(error) === 'ENOENT') return undefined;
  throw error;
}
