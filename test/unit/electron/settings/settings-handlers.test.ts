import { afterEach, describe, expect, it } from 'vitest';
import { encodeWav } from '../../../../shared/audio/wav.ts';
import type { ProfileDraft } from '../../../../shared/settings/connection-settings.ts';
import { documentedContext } from '../../../../shared/vision/context-facts.ts';
import { coreWithFakes } from '../../../fakes/core-with-fakes.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';
import { workFolder } from '../../../fakes/work-folder.ts';
import { speech } from './voices/speech.ts';

let core: ReturnType<typeof coreWithFakes>;
let clock: FakeClock;

function openCore() {
  clock = new FakeClock();
  core = coreWithFakes(workFolder()('state'), clock);
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
    ['servers', { endpoints: { chosen: 'embedded', list: [] } }, 'notUnderstood'],
  ])('are not changed by %s', async (_what, patch, code) => {
    const { answer, payloads } = openCore();
    expect(await answer('changeSettings', patch)).toMatchObject({ ok: false, error: { code } });
    expect(payloads('settingsChanged')).toEqual([]);
  });
});

describe('a server or proxy that the user does not confirm', () => {
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
        newCertificate: () => Promise.resolve(answer),
        noFingerprint: () => Promise.resolve(answer),
        newToolServer: () => Promise.resolve(true),
        newToolServers: () => Promise.resolve(true),
        newProxy: () => Promise.resolve(answer),
      },
    });
    const { ask, answer: request, endpoints } = core;
    const { id } = await ask('putEndpoint', draft);
    const proxy = { address: 'http://proxy.example.invalid:1', name: 'ann', password: 'secret' };
    expect((await ask('setProxy', proxy)).proxy).toMatchObject({ hasLogin: true });
    expect((await ask('forgetProxyLogin', undefined)).proxy).toMatchObject({ hasLogin: false });
    answer = false;
    const otherProxy = { ...proxy, address: 'http://two.example.invalid:1' };
    await expect(ask('setProxy', otherProxy)).rejects.toThrow('two.example.invalid');
    expect(core.settings.get().proxy.address).toBe(proxy.address);
    const otherServer = { ...draft, id, url: 'wss://two.example.invalid/' };
    const refused = { ok: false, error: { code: 'serverNotConfirmed' } };
    expect(await request('putEndpoint', otherServer)).toMatchObject(refused);
    // An empty fingerprint counts as none.
    const emptied = { ...otherServer, fingerprint: '' };
    expect(await request('putEndpoint', emptied)).toMatchObject(refused);
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

  it('keeps the values that a page omits as long as the address is the same', async () => {
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
    for (const fields of [{ headers: { 'X-New': null } }, { query: { new: null } }])
      await expect(ask('putEndpoint', { ...draft, ...fields })).rejects.toThrow(
        'refused: A header or query field has no value',
      );
  });

  it('gets a token, which can be deleted again', async () => {
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
    expect(await tested).toMatchObject({ ok: false, error: { code: 'refusedUnknown' } });
  });
});

describe('the frame pipeline', () => {
  it('follows the settings, and changes of its options are stored in the settings', async () => {
    const { ask, framePipeline } = openCore();
    await ask('changeSettings', { vision: { slices: 4, rate: 2 } });
    expect(framePipeline.options).toMatchObject({ slices: 4, rate: { framesPerSecond: 2 } });
    const options = { ...framePipeline.options, rate: 'everyChunk', skipStill: true } as const;
    await ask('setVisionOptions', options);
    const { settings } = await ask('settings', undefined);
    expect(settings.vision).toMatchObject({ slices: 4, rate: 1, fewerWhenStill: true });
    expect(framePipeline.options).toMatchObject({ rate: 'everyChunk', skipStill: true });
  });

  it('plans with the share of the context that the settings give to pictures, and pages receive the server’s context facts', async () => {
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

async function recordVoice() {
  await core.ask('recordVoice', { name: 'Ann' });
  for (let second = 0; second < 4; second += 1) core.devices.microphones.at(-1)?.hear(speech(1));
  return core.ask('saveRecordedVoice', undefined);
}

describe('voice requests', () => {
  it('record, rename, play and remove voices, and post the list each time', async () => {
    const { ask, devices, payloads, settle, settings } = openCore();
    const voice = await recordVoice();
    expect(voice).toMatchObject({ name: 'Ann', seconds: 4 });
    expect(payloads('voiceRecording').at(-1)).toMatchObject({ kind: 'level', seconds: 4 });
    const { id } = await recordVoice();
    expect(await ask('renameVoice', { id: voice.id, name: 'Bea' })).toMatchObject({ name: 'Bea' });
    await expect(ask('renameVoice', { id, name: 'bea' })).rejects.toThrow('called “bea” already');
    await ask('renameVoice', { id, name: 'ANN 2' });
    await ask('previewVoice', { id: voice.id });
    expect(devices.open).toEqual(['speaker']);
    devices.speakers[0]?.playAll();
    clock.advance(100);
    await settle();
    expect(devices.open).toEqual([]);
    expect(payloads('voicePreview')).toEqual([
      { id: voice.id, playing: true },
      { id: voice.id, playing: false },
    ]);
    // The devices are free again, so the refusal has another reason.
    await expect(ask('playChat', { turn: 'gone' })).rejects.toThrow('refused: This message');
    const chosen = { voices: { model: voice.id, speech: id }, chat: { voice: voice.id } };
    await ask('changeSettings', chosen);
    await ask('removeVoice', { id: voice.id });
    expect(settings.get().voices).toEqual({ model: 'none', speech: id });
    expect(settings.get().chat.voice).toBe('none');
    await ask('previewVoice', { id });
    await ask('removeVoice', { id });
    expect([settings.get().voices.speech, devices.open]).toEqual(['none', []]);
    const lists = payloads('voicesChanged').map((list) => list.map(({ name }) => name).join());
    expect(lists).toEqual(['Ann', 'Ann,Ann 2', 'Bea,Ann 2', 'Bea,ANN 2', 'ANN 2', '']);
    expect(await ask('voices', undefined)).toEqual([]);
    await expect(ask('previewVoice', { id })).rejects.toThrow('refused');
    await expect(ask('renameVoice', { id, name: 'Eve' })).rejects.toThrow('refused');
    expect(payloads('voicesChanged')).toHaveLength(lists.length);
  });

  it('stop a preview at a request, when its page closes or another preview starts', async () => {
    const { ask, devices, page, settle } = openCore();
    const wav = encodeWav(speech(4), { rate: 16_000, channels: 1, coding: 'pcm16' });
    const { id } = await ask('importVoice', { name: 'Ann', wav });
    await ask('previewVoice', { id });
    await ask('stopVoicePreview', undefined);
    expect(devices.open).toEqual([]);
    await ask('previewVoice', { id });
    await ask('previewVoice', { id });
    expect(devices.open).toEqual(['speaker']);
    page.gone();
    await settle();
    expect(devices.open).toEqual([]);
  });

  it('cancel a recording, as a talk does, and notify the page', async () => {
    const { ask, devices, payloads } = openCore();
    await ask('recordVoice', { name: 'Ann' });
    await ask('cancelVoiceRecording', undefined);
    expect([devices.open, payloads('voiceRecording')]).toEqual([[], []]);
    const nothing = 'refused: Nothing is being recorded.';
    await expect(ask('saveRecordedVoice', undefined)).rejects.toThrow(nothing);
    await ask('recordVoice', { name: 'Ann' });
    await ask('startTalk', { mode: 'audio' });
    expect(payloads('voiceRecording')).toEqual([{ kind: 'stopped' }]);
    expect(devices.microphones[1]?.ended).toBe(true);
  });
});
