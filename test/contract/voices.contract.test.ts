import { readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createVoiceFolder } from '../../electron/platform/files/voice-folder.ts';
import type { VoiceStore } from '../../electron/settings/voices/voice-library.ts';
import { failure } from '../../shared/errors/app-error.ts';
import { fakeVoices } from '../fakes/fake-voices.ts';
import { unwrap } from '../fakes/unwrap.ts';
import { workFolder } from '../fakes/work-folder.ts';

const ann = { id: 'voice-1', name: 'Ann', seconds: 4.2, notes: ['quiet'] } as const;
const wav = Uint8Array.from([82, 73, 70, 70, 1, 2, 3]);

const kinds: readonly [string, () => VoiceStore][] = [
  ['voices in memory', fakeVoices],
  ['voices in a folder', () => createVoiceFolder(workFolder()('voices'))],
];

describe.each(kinds)('%s', (_name, open) => {
  it('are stored, listed, renamed and removed', async () => {
    const store = open();
    expect(unwrap(await store.list())).toEqual([]);
    const kept = unwrap(await store.save(ann, wav));
    expect(kept).toEqual({ ...ann, createdAt: kept.createdAt });
    expect(new Date(kept.createdAt).toISOString()).toBe(kept.createdAt);
    expect(unwrap(await store.list())).toEqual([kept]);
    expect([...unwrap(await store.read('voice-1'))]).toEqual([...wav]);
    expect(unwrap(await store.rename('voice-1', '安'))).toEqual({ ...kept, name: '安' });
    expect(unwrap(await store.list())).toEqual([{ ...kept, name: '安' }]);
    unwrap(await store.remove('voice-1'));
    unwrap(await store.remove('voice-1'));
    expect(unwrap(await store.list())).toEqual([]);
  });

  it('cannot be read or renamed if they are gone', async () => {
    const store = open();
    unwrap(await store.save(ann, wav));
    const tries = [await store.read('voice-9'), await store.rename('voice-9', 'x')];
    const gone = failure('voiceGone');
    expect(tries).toEqual([gone, gone]);
  });

  it.each(['../settings', '/etc/passwd', '', 'A', 'a b', 'a/b', 'x'.repeat(50)])(
    'are refused under the unsafe id %j',
    async (id) => {
      const store = open();
      const tries = [
        await store.read(id),
        await store.rename(id, 'x'),
        await store.remove(id),
        await store.save({ ...ann, id }, wav),
      ];
      expect(tries.map(({ ok }) => ok)).toEqual([false, false, false, false]);
    },
  );
});

describe('voices in a folder', () => {
  it('are private WAV files without drafts', async () => {
    const folder = workFolder()('deep/voices');
    unwrap(await createVoiceFolder(folder).save(ann, wav));
    expect(readdirSync(folder).toSorted()).toEqual(['voice-1.json', 'voice-1.wav']);
    const modes = readdirSync(folder).map((name) => statSync(`${folder}/${name}`).mode & 0o777);
    expect(modes).toEqual([0o600, 0o600]);
    expect([...readFileSync(`${folder}/voice-1.wav`)]).toEqual([...wav]);
  });

  it('are listed without one that disappears meanwhile', async () => {
    const folder = workFolder()('voices');
    const store = createVoiceFolder(folder);
    unwrap(await store.save(ann, wav));
    // A directory entry without a file behind it.
    symlinkSync('nowhere', `${folder}/voice-2.wav`);
    expect(unwrap(await store.list()).map(({ id }) => id)).toEqual(['voice-1']);
  });

  it.each(['', '{"name": 3, "notes": "no"}', '{"na', undefined])(
    'are listed by their ids with the description %j',
    async (damaged) => {
      const folder = workFolder()('voices');
      const store = createVoiceFolder(folder);
      unwrap(await store.save(ann, wav));
      if (damaged === undefined) rmSync(`${folder}/voice-1.json`);
      else writeFileSync(`${folder}/voice-1.json`, damaged);
      const [voice] = unwrap(await store.list());
      expect(voice).toMatchObject({ id: 'voice-1', name: 'voice-1', seconds: 0, notes: [] });
      expect(unwrap(await store.rename('voice-1', 'Ann')).name).toBe('Ann');
    },
  );

  it('are listed oldest first, without other files', async () => {
    const folder = workFolder()('voices');
    const store = createVoiceFolder(folder);
    for (const id of ['voice-b', 'voice-a', 'voice-c']) {
      unwrap(await store.save({ ...ann, id }, wav));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    writeFileSync(`${folder}/My Song.wav`, '');
    writeFileSync(`${folder}/voice-d.json`, '{}');
    expect(unwrap(await store.list()).map(({ id }) => id)).toEqual([
      'voice-b',
      'voice-a',
      'voice-c',
    ]);
  });

  it('cannot be stored if the folder is a file', async () => {
    const at = workFolder();
    writeFileSync(at('voices'), 'a file');
    const store = createVoiceFolder(at('voices'));
    const tries = [await store.save(ann, wav), await store.list()];
    for (const tried of tries) {
      expect(tried).toMatchObject({
        ok: false,
        error: { code: 'notFolder' },
      });
    }
  });
});
