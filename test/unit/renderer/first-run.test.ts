import { describe, expect, it } from 'vitest';
import { takeServer } from '../../../renderer/first-run/own-server.ts';
import { openWords } from '../../../renderer/words/open-words.ts';
import { fakeBridge } from '../../fakes/fake-bridge.ts';
import { promised } from '../../fakes/promised.ts';

const { t } = openWords('en');
const wanted = { address: 'wss://talk.example', token: 'secret' };
const answers = {
  testEndpoint: { ok: true, connectMs: 1, wordMs: 1 },
  putEndpoint: { id: 'server-1' },
};

describe('a server of one’s own, in the first steps', () => {
  it('is kept with its token and chosen when it answers', async () => {
    const { bridge, names } = fakeBridge({ values: answers });
    expect(await takeServer(bridge.request, wanted, t, () => true)).toBeUndefined();
    expect(names()).toEqual(['testEndpoint', 'putEndpoint', 'setToken', 'changeSettings']);
  });

  it('is not taken where the person has gone on, or back, while it was tried', async () => {
    const tried = promised();
    const until = { testEndpoint: tried.promise };
    const { bridge, names } = fakeBridge({ values: answers, until });
    let here = true;
    const taking = takeServer(bridge.request, wanted, t, () => here);
    here = false;
    tried.resolve();
    expect(await taking).toBeUndefined();
    expect(names()).toEqual(['testEndpoint']);
  });
});
