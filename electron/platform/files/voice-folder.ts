import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { failure, type Failure, type Outcome } from '../../../shared/errors/app-error.ts';
import { errorCode } from '../../../shared/harmless-text.ts';
import { parseJsonObject } from '../../../shared/protocol/json.ts';
import { idPattern } from '../../../shared/settings/setting-rule.ts';
import type { StoredVoice, VoiceIssue } from '../../../shared/settings/stored-voice.ts';
import type { VoiceStore } from '../../settings/voices/voice-library.ts';
import { namesIn, orFailure, writeAtomically } from './atomic-files.ts';

/** A voice of 15 s has half a megabyte; what is far larger was not put there by Parley. */
const maxVoiceBytes = 16 * 1024 * 1024;

/**
 * A folder with `<id>.wav` and `<id>.json` for each voice. The sound is what counts: it is written
 * first, and without its description it is still a voice.
 */
export function createVoiceFolder(folder: string): VoiceStore {
  const wavOf = (id: string): string => join(folder, `${id}.wav`);
  const factsOf = (id: string): string => join(folder, `${id}.json`);

  const read = async (id: string): Promise<StoredVoice> => {
    const [facts, wav] = await Promise.all([
      readFile(factsOf(id), 'utf8').catch(() => ''),
      stat(wavOf(id)),
    ]);
    return describe(id, parseJsonObject(facts), wav.mtime);
  };

  const save = async (voice: StoredVoice): Promise<StoredVoice> => {
    const facts = `${JSON.stringify({ version: 1, ...voice }, undefined, 2)}\n`;
    await writeAtomically(factsOf(voice.id), facts);
    return voice;
  };

  /** An id from outside names a voice and no other file. */
  const known = <Value>(id: string, work: () => Promise<Value>): Promise<Outcome<Value>> =>
    idPattern.test(id) ? orFailure(wavOf(id), work).then(orGone) : Promise.resolve(gone);

  return {
    list: () =>
      orFailure(folder, async () => {
        const names = await namesIn(folder);
        const ids = names.flatMap((name) => /^(.+)\.wav$/.exec(name)?.[1] ?? []);
        const found = ids
          .filter((id) => idPattern.test(id))
          .map((id) => read(id).catch(undefinedIfGone));
        const voices = (await Promise.all(found)).filter((voice) => voice !== undefined);
        return voices.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
      }),
    save: (voice, wav) =>
      known(voice.id, async () => {
        await writeAtomically(wavOf(voice.id), wav);
        return save({ ...voice, createdAt: new Date().toISOString() });
      }),
    rename: (id, name) => known(id, async () => save({ ...(await read(id)), name })),
    read: (id) =>
      known(id, async () => {
        const { size } = await stat(wavOf(id));
        if (size > maxVoiceBytes) throw new Error('it is too large to be a voice');
        return new Uint8Array(await readFile(wavOf(id)));
      }),
    remove: (id) =>
      known(id, async () => {
        await rm(wavOf(id), { force: true });
        await rm(factsOf(id), { force: true });
        return undefined;
      }),
  };
}

const gone: Failure = failure('voiceGone');

/** The sound of a voice is the voice: where its file has gone, so has it. */
function orGone<Value>(outcome: Outcome<Value>): Outcome<Value> {
  return !outcome.ok && outcome.error.code === 'fileGone' ? gone : outcome;
}

function describe(id: string, facts: ReturnType<typeof parseJsonObject>, made: Date): StoredVoice {
  const { name, seconds, notes, createdAt } = facts ?? {};
  return {
    id,
    name: typeof name === 'string' && name !== '' ? name : id,
    seconds: typeof seconds === 'number' ? seconds : 0,
    notes: Array.isArray(notes) ? notes.filter(isNote) : [],
    createdAt: typeof createdAt === 'string' ? createdAt : made.toISOString(),
  };
}

function isNote(value: unknown): value is VoiceIssue {
  return value === 'quiet' || value === 'clipped' || value === 'cut';
}

/** One that was removed while the folder was being looked through takes none of the others with it. */
function undefinedIfGone(error: unknown): undefined {
  if (errorCode(error) === 'ENOENT') return undefined;
  throw error;
}
