import { describe, expect, it } from 'vitest';
import { DeviceLock } from '../../../../../electron/audio/devices/device-lease.ts';
import {
  createVoiceHandlers,
  type VoiceHandlerDeps,
} from '../../../../../electron/settings/voices/voice-controller.ts';
import { noPage } from '../../../../../shared/ipc/page.ts';
import { deferred } from '../../../../fakes/deferred.ts';

const unexpectedCall = () => {
  throw new Error('This test does not expect this call.');
};

describe('removing several voices', () => {
  it('posts the final list, even if the first list takes longer', async () => {
    const kept = new Set(['a', 'b']);
    const slow = deferred();
    let lists = 0;
    const voices: VoiceHandlerDeps['library'] & VoiceHandlerDeps['voices'] = {
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
      importBytes: unexpectedCall,
      rename: unexpectedCall,
      record: unexpectedCall,
      preview: unexpectedCall,
    };
    const notices: unknown[] = [];
    const handlers = createVoiceHandlers({
      library: voices,
      voices,
      lock: new DeviceLock(),
      post: (name, payload) => {
        if (name === 'voicesChanged') notices.push(payload);
      },
    });
    const removing = Promise.all([
      handlers.removeVoice({ id: 'a' }, noPage),
      Promise.resolve().then(() => handlers.removeVoice({ id: 'b' }, noPage)),
    ]);
    await new Promise((resolve) => setImmediate(resolve));
    slow.resolve();
    await removing;
    expect(notices.at(-1)).toEqual([]);
  });
});
