import { describe, expect, it } from 'vitest';
import { SoundTurns } from '../../../../electron/desk/sound-turns.ts';
import { createVoiceHandlers } from '../../../../electron/desk/voice-requests.ts';
import type { VoiceDeskNeeds } from '../../../../electron/desk/voice-requests.ts';
import { noPage } from '../../../../shared/ipc/page.ts';
import { promised } from '../../../fakes/promised.ts';

const must = () => {
  throw new Error('This is not asked for here.');
};

describe('voices that are removed one after the other', () => {
  it('are told as they are at last, also where the first list takes longer', async () => {
    const kept = new Set(['a', 'b']);
    const slow = promised();
    let lists = 0;
    const voices: VoiceDeskNeeds['voices'] = {
      list: async () => {
        const found = [...kept].map((id) => ({
          id,
          name: id,
          seconds: 4,
          notes: [],
          createdAt: '',
        }));
        lists += 1;
        if (lists === 1) await slow.promise;
        return { ok: true, value: found };
      },
      remove: (id) => {
        kept.delete(id);
        return Promise.resolve({ ok: true, value: undefined });
      },
      importBytes: must,
      rename: must,
      record: must,
      preview: must,
    };
    const told: unknown[] = [];
    const handlers = createVoiceHandlers({
      voices,
      turns: new SoundTurns({ talking: () => false, quiet: () => undefined }),
      post: (name, payload) => {
        if (name === 'voicesChanged') told.push(payload);
      },
    });
    const removing = Promise.all([
      handlers.removeVoice({ id: 'a' }, noPage),
      Promise.resolve().then(() => handlers.removeVoice({ id: 'b' }, noPage)),
    ]);
    await new Promise((resolve) => setImmediate(resolve));
    slow.resolve();
    await removing;
    expect(told.at(-1)).toEqual([]);
  });
});
