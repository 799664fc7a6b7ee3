import { describe, expect, it } from 'vitest';
import { connectOwnServer } from '../../../../../renderer/app/first-run/server-step.tsx';
import { createI18n } from '../../../../../renderer/i18n/page-language.ts';
import { deferred } from '../../../../fakes/deferred.ts';
import { fakeBridge } from '../../../../fakes/fake-bridge.ts';

const { t } = await createI18n('en');
const wanted = { address: 'wss://talk.example', token: 'secret' };
const answers = {
  testEndpoint: { ok: true, connectMs: 1, firstMessageMs: 1 },
  putEndpoint: { id: 'server-1' },
};

describe('the user’s own server, in the first-run steps', () => {
  it('is stored with its token and chosen after a successful test', async () => {
    const { bridge, names } = fakeBridge({ values: answers });
    expect(await connectOwnServer(bridge.request, wanted, t, () => true)).toBeUndefined();
    expect(names()).toEqual(['testEndpoint', 'putEndpoint', 'setToken', 'changeSettings']);
  });

  it('is not stored if the user left the step during the test', async () => {
    const tried = deferred();
    const until = { testEndpoint: tried.promise };
    const { bridge, names } = fakeBridge({ values: answers, until });
    let here = true;
    const taking = connectOwnServer(bridge.request, wanted, t, () => here);
    here = false;
    tried.resolve();
    expect(await taking).toBeUndefined();
    expect(names()).toEqual(['testEndpoint']);
  });
});
