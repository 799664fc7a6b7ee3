import { afterEach, describe, expect, it } from 'vitest';
import { refusedError } from '../../../../shared/errors/app-error.ts';
import type { ProfileDraft } from '../../../../shared/settings/connection-settings.ts';
import { documentedContext } from '../../../../shared/vision/context-facts.ts';
import { coreWithFakes } from '../../../fakes/core-with-fakes.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';
import { workFolder } from '../../../fakes/work-folder.ts';

let core: ReturnType<typeof coreWithFakes>;

function openCore() {
  core = coreWithFakes(workFolder()('state'), new FakeClock());
  return core;
}

afterEach(() => core.lifetime.end());

const draft: ProfileDraft = {
  name: 'Hosted',
  kind: 'hosted',
  url: 'wss://one.example.invalid/v1/realtime?sig=in-the-address',
  dialect: 'auto',
  headers: { 'X-Key': 'header-secret' },
  query: { code: 'query-secret' },
};

describe('settings', () => {
  it('are changed, reset, and posted to every page', async () => {
    const { ask, payloads } = openCore();
    const changed = await ask('changeSettings', { captions: { size: 40 } });
    expect(changed.captions.size).toBe(40);
    expect(await ask('settings', undefined)).toEqual({ settings: changed, problems: [] });
    expect((await ask('resetSettings', { group: 'captions' })).captions.size).toBe(28);
    expect(payloads('settingsChanged').map(({ captions }) => captions.size)).toEqual([40, 28]);
  });

  it.each([
    ['a value out of bounds', { captions: { size: 4000 } }, 'settingNotAllowed'],
    ['an unknown server', { endpoints: { chosen: 'nowhere' } }, 'serverGone'],
    ['an unknown setting', { captions: { colour: 'red' } }, 'settingNotAllowed'],
    ['servers', { endpoints: { chosen: 'embedded', list: [] } }, 'notUnderstood'],
  ])('are not changed by %s', async (_what, patch, code) => {
    const { answer, payloads } = openCore();
    expect(await answer('changeSettings', patch)).toMatchObject({ ok: false, error: { code } });
    expect(payloads('settingsChanged')).toEqual([]);
  });
});

describe('a server that the user does not confirm', () => {
  it('is neither saved nor tested, and gets no stored values', async () => {
    const connected: string[] = [];
    let answer = true;
    core = coreWithFakes(workFolder()('state'), new FakeClock(), {
      connectTo: ({ url }) => {
        connected.push(url);
        return core.sockets;
      },
      confirm: {
        newServer: () => Promise.resolve(answer),
        newToolServer: () => Promise.resolve(true),
        newProxy: () => Promise.resolve(answer),
      },
    });
    const { ask, answer: request, endpoints } = core;
    const { id } = await ask('putEndpoint', draft);
    answer = false;
    const otherServer = { ...draft, id, url: 'wss://two.example.invalid/' };
    const refused = { ok: false, error: { code: 'serverNotConfirmed' } };
    expect(await request('putEndpoint', otherServer)).toMatchObject(refused);
    expect(
      await request('testEndpoint', { server: otherServer, mode: 'audio', token: 'secret' }),
    ).toMatchObject(refused);
    expect(connected).toEqual([]);
    expect(await endpoints.open(id)).toMatchObject({
      value: { endpoint: { url: expect.stringContaining('one.example.invalid') as string } },
    });
  });
});

describe('a server', () => {
  it('is added, chosen and removed, and its values stay hidden', async () => {
    const { ask } = openCore();
    const profile = await ask('putEndpoint', draft);
    expect(profile).toMatchObject({
      url: 'wss://one.example.invalid/v1/realtime',
      headers: { 'X-Key': null },
      query: { code: null, sig: null },
      hasToken: false,
    });
    const chosen = await ask('changeSettings', { endpoints: { chosen: profile.id } });
    expect(chosen.endpoints.chosen).toBe(profile.id);
    expect((await ask('removeEndpoint', { id: profile.id })).endpoints).toMatchObject({
      chosen: 'embedded',
      list: [{ id: 'embedded' }, { id: 'computer' }],
    });
    await expect(ask('removeEndpoint', { id: 'embedded' })).rejects.toThrow('refused: ');
  });

  it('keeps the values that a page omits while the server is the same', async () => {
    const { ask, endpoints } = openCore();
    const profile = await ask('putEndpoint', draft);
    const { hasToken: _, kind: _kind, ...rest } = profile;
    const again = { ...rest, kind: 'hosted', name: 'Renamed' } as const;
    await ask('putEndpoint', again);
    expect(await endpoints.open(profile.id)).toMatchObject({
      value: {
        profile: { name: 'Renamed' },
        endpoint: { headers: draft.headers, query: { ...draft.query, sig: 'in-the-address' } },
      },
    });
    const server = { ...again, url: 'wss://evil.example.invalid/' };
    for (const request of [
      ask('putEndpoint', server),
      ask('testEndpoint', { server, mode: 'audio' }),
    ])
      await expect(request).rejects.toThrow('refused: The address names another server');
    expect(core.sockets.lines).toEqual([]);
    await expect(ask('putEndpoint', { ...draft, headers: { 'X-New': null } })).rejects.toThrow(
      'refused: A header or query field has no value',
    );
  });

  it('stores a token and forgets it', async () => {
    const { ask, endpoints } = openCore();
    const { id } = await ask('putEndpoint', draft);
    expect(await ask('setToken', { id, token: 'tok-123456789' })).toMatchObject({ hasToken: true });
    expect(await endpoints.open(id)).toMatchObject({
      value: { endpoint: { token: 'tok-123456789' } },
    });
    expect(await ask('tokenStorage', undefined)).toBe('keychain');
    expect(await ask('forgetToken', { id })).toMatchObject({ hasToken: false });
    await expect(ask('setToken', { id: 'gone', token: 'x' })).rejects.toThrow(
      'refused: This server no longer exists',
    );
  });

  it('is tested while it is edited', async () => {
    const { ask, sockets, settle } = openCore();
    const tested = ask('testEndpoint', { server: draft, mode: 'audio', token: 'tok-123456789' });
    await settle();
    sockets.line.end({ kind: 'refused', status: 401, body: '' });
    expect(await tested).toMatchObject({ ok: false, error: refusedError(401, '') });
  });
});

describe('the frame pipeline', () => {
  it('follows the settings, and they follow it', async () => {
    const { ask, framePipeline } = openCore();
    await ask('changeSettings', { vision: { slices: 4, rate: 2 } });
    expect(framePipeline.options).toMatchObject({ slices: 4, rate: { framesPerSecond: 2 } });
    const options = { ...framePipeline.options, rate: 'everyChunk', skipStill: true } as const;
    await ask('setVisionOptions', options);
    const { settings } = await ask('settings', undefined);
    expect(settings.vision).toMatchObject({ slices: 4, rate: 1, fewerWhenStill: true });
    expect(framePipeline.options).toMatchObject({ rate: 'everyChunk', skipStill: true });
  });

  it('plans with the memory share for pictures, and pages receive the server’s memory', async () => {
    const { ask, framePipeline } = openCore();
    const planned: number[] = [];
    framePipeline.budget.plan = (_facts, { budget }) => void planned.push(budget);
    await ask('changeSettings', { vision: { budget: 1 } });
    expect(planned.at(-1)).toBe(1);
    expect(await ask('serverContext', undefined)).toMatchObject({ pictureScale: 1 });
    const traits = { contextLimit: 4096 };
    const { id } = await ask('putEndpoint', { ...draft, dialect: 'legacy', traits });
    await ask('changeSettings', { endpoints: { chosen: id } });
    const known = { ...documentedContext, contextTokens: 4096, everyAppend: true };
    expect(await ask('serverContext', undefined)).toEqual(known);
  });
});
