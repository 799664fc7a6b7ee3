import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  emptyEndpointForm,
  validateEndpointForm,
} from '../../../renderer/settings/endpoints/endpoint-form.ts';
import { isFieldInvalid } from '../../../renderer/settings/settings-ui-state.ts';
import { appError } from '../../../shared/errors/app-error.ts';
import { englishErrorMessage } from '../../../shared/i18n/en/errors.ts';
import { embeddedId, embeddedProfile } from '../../../shared/settings/connection-settings.ts';
import { redactSettings, defaultSettings } from '../../../shared/settings/settings.ts';
import { fakeHeadset } from '../../fakes/fake-sound-driver.ts';
import { openApp } from './open-app.ts';
import { readFile } from 'node:fs/promises';
import { licences } from '../../../renderer/settings/about/licences.ts';
import manifest from '../../../package.json' with { type: 'json' };
import { initialUiState } from '../../../renderer/app/ui-state.ts';
import { diagnosticsText } from '../../../renderer/settings/about/diagnostics-text.ts';
import { chooseBuiltIn, connectOwnServer } from '../../../renderer/app/first-run/server-step.tsx';
import { createI18n } from '../../../renderer/i18n/page-language.ts';
import { deferred } from '../../fakes/promises.ts';
import { fakeBridge } from '../../fakes/fake-bridge.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

async function open(works = true) {
  const app = openApp({ works });
  await vi.advanceTimersByTimeAsync(0);
  return { ...app, setup: app.actions.setup };
}

const size = (value: number) => ({ captions: { size: value } });

describe('a search result in the Servers section', () => {
  const own = { ...embeddedProfile, id: 'attic', kind: 'local', hasToken: false } as const;
  const openWith = async (chosen: string, ...others: (typeof own)[]) => {
    const opened = await open();
    const settings = redactSettings(defaultSettings);
    const list = [...settings.endpoints.list, ...others];
    opened.store.setState({ settings: { ...settings, endpoints: { chosen, list } } });
    opened.setup.goTo('endpoints', 'endpoints.token');
    const { form, focusTarget } = opened.store.getState().settingsUi;
    return { form: form && { id: form.id }, focusTarget };
  };

  it('opens the form of the chosen server', async () => {
    expect(await openWith('attic', own)).toEqual({
      form: { id: 'attic' },
      focusTarget: 'endpoints.token',
    });
  });

  it('opens a new form if there is only the demonstration', async () => {
    const { form, focusTarget } = await openWith(embeddedId);
    expect([form, focusTarget]).toEqual([{ id: undefined }, 'endpoints.token']);
  });

  it('focuses the list if several servers are possible', async () => {
    const { form, focusTarget } = await openWith(embeddedId, own);
    expect([form, focusTarget]).toEqual([undefined, 'endpoints.list']);
  });

  it.each([
    ['endpoints.proxy', 'system', 'endpoints.proxy'],
    ['endpoints.proxyAddress', 'system', 'endpoints.proxy'],
    ['endpoints.proxyAddress', 'address', 'endpoints.proxyAddress'],
  ] as const)(
    'for %s, with the proxy choice %s, focuses %s outside the form',
    async (sought, way, focused) => {
      const opened = await open();
      const settings = redactSettings(defaultSettings);
      opened.store.setState({ settings: { ...settings, proxy: { ...settings.proxy, way } } });
      opened.setup.goTo('endpoints', sought);
      const { form, focusTarget } = opened.store.getState().settingsUi;
      expect([form, focusTarget]).toEqual([undefined, focused]);
    },
  );
});

describe('a typed setting', () => {
  it('shows its value at once and sends the newest value soon', async () => {
    const { setup, store, inputs } = await open();
    for (const value of [30, 31, 32]) setup.edit('captions.size', value, size(value));
    expect(store.getState().settingsUi.fields['captions.size']).toEqual({ typed: 32 });
    await vi.advanceTimersByTimeAsync(500);
    expect(inputs('changeSettings')).toEqual([size(32)]);
    expect(store.getState().settingsUi.fields).toEqual({});
  });

  it('is sent a few times a second during a drag', async () => {
    const { setup, inputs } = await open();
    for (let value = 20; value < 60; value += 1) {
      setup.edit('captions.size', value, size(value));
      await vi.advanceTimersByTimeAsync(25);
    }
    await vi.advanceTimersByTimeAsync(500);
    expect(inputs('changeSettings').length).toBeGreaterThan(3);
    expect(inputs('changeSettings').length).toBeLessThan(7);
    expect(inputs('changeSettings').at(-1)).toEqual(size(59));
  });

  it('is sent once when the user leaves the field or the screen', async () => {
    const { setup, inputs } = await open();
    setup.edit('captions.size', 30, size(30));
    setup.flush('captions.size');
    setup.edit('audio.inputVolume', 2, { audio: { inputVolume: 2 } });
    setup.flushAll();
    await vi.advanceTimersByTimeAsync(500);
    expect(inputs('changeSettings')).toHaveLength(2);
  });

  it('stays with its error if the core rejects it', async () => {
    const { setup, store } = await open(false);
    setup.edit('captions.size', 3, size(3));
    await vi.advanceTimersByTimeAsync(500);
    expect(store.getState().settingsUi.fields['captions.size']).toEqual({
      typed: 3,
      problem: appError('noTalk'),
    });
  });

  it('is not sent if the page knows that it is too long', async () => {
    const { setup, store, inputs } = await open();
    setup.edit('assistant.instructions', 'a', { assistant: { instructions: 'a' } });
    setup.showInvalid('assistant.instructions', 'b'.repeat(50_000), 'Too long.');
    await vi.advanceTimersByTimeAsync(500);
    expect(inputs('changeSettings')).toEqual([]);
    expect(store.getState().settingsUi.fields['assistant.instructions']?.problem).toBe('Too long.');
  });
});

describe('a choice of settings', () => {
  it('is sent once for repeated clicks', async () => {
    const { setup, inputs } = await open();
    const patch = { privacy: { keepTapes: true } };
    await Promise.all([1, 2, 3].map(() => setup.choose('privacy.keepTapes', patch)));
    expect(inputs('changeSettings')).toHaveLength(1);
    await setup.choose('privacy.keepTapes', patch);
    expect(inputs('changeSettings')).toHaveLength(2);
  });

  it('shows its error at the field if it is refused', async () => {
    const { setup, store } = await open(false);
    await setup.choose('privacy.keepTapes', { privacy: { keepTapes: true } });
    expect(store.getState().settingsUi.fields['privacy.keepTapes']).toEqual({
      problem: appError('noTalk'),
    });
  });
});

describe('the server form', () => {
  it.each([
    ['url', { url: 'talk.example' }],
    ['url', { url: 'ws://' }],
    ['headers', { headers: [{ key: 0, name: 'a b', value: 'x' }] }],
    ['fingerprint', { fingerprint: 'AA:BB' }],
    ['fingerprint', { url: 'ws://a', fingerprint: 'AA:'.repeat(31) + 'AA' }],
    ['token', { token: 'wörd' }],
  ] as const)('is invalid at the field %s: %o', (place, part) => {
    const fault = validateEndpointForm({
      ...emptyEndpointForm,
      url: 'wss://talk.example',
      ...part,
    });
    expect(fault?.field).toBe(place);
    expect(fault && englishErrorMessage(fault.problem)).toMatch(/^[A-Z][^]*\.$/);
  });

  it('sends nothing while invalid', async () => {
    const { setup, store, inputs } = await open();
    setup.addServer();
    setup.fillIn({ url: 'talk.example' });
    expect(await setup.testForm()).toBe(false);
    await setup.saveForm();
    expect([inputs('testEndpoint'), inputs('putEndpoint')]).toEqual([[], []]);
    expect(store.getState().settingsUi.fields['form.url']?.problem).toEqual(
      appError('noScheme', { address: 'talk.example' }),
    );
    setup.fillIn({ url: 'wss://talk.example', token: 'secret' });
    // `true`: the form leaves the focus beside the verdict.
    expect(await setup.testForm()).toBe(true);
    expect(store.getState().settingsUi.fields).toEqual({});
    expect(inputs('testEndpoint')).toMatchObject([
      { mode: 'audio', token: 'secret', server: { url: 'wss://talk.example' } },
    ]);
  });

  it('marks the field that the test result points to, until that field changes', async () => {
    const { setup, store } = await open();
    setup.addServer();
    setup.fillIn({ url: 'wss://talk.example' });
    const wrongAfter = (kind: 'notRealtime' | 'refused' | 'busy') => {
      const result = { ok: false, kind, error: appError('noTalk') } as const;
      const { settingsUi } = store.getState();
      const marked = { ...settingsUi, verdict: { of: 'form', result } };
      store.setState({ settingsUi: marked });
      return (['url', 'name', 'token'] as const).filter((part) => isFieldInvalid(marked, part));
    };
    expect(wrongAfter('notRealtime')).toEqual(['url']);
    expect(wrongAfter('refused')).toEqual(['token']);
    expect(wrongAfter('busy')).toEqual([]);
    wrongAfter('notRealtime');
    setup.fillIn({ url: 'wss://talk.example/other' });
    expect(isFieldInvalid(store.getState().settingsUi, 'url')).toBe(false);
  });

  it('keeps its content if saving fails', async () => {
    const { setup, store } = await open(false);
    setup.addServer();
    setup.fillIn({ url: 'wss://talk.example', token: 'secret' });
    await Promise.all([setup.saveForm(), setup.saveForm()]);
    expect(store.getState().settingsUi.form).toMatchObject({
      url: 'wss://talk.example',
      token: 'secret',
    });
    expect(store.getState().settingsUi.fields['form']?.problem).toEqual(appError('noTalk'));
  });
});

describe('a key that another function has', () => {
  const openConflict = async (translateKey: string) => {
    const { setup, store, inputs } = await open();
    const { cursor } = defaultSettings;
    const actions = cursor.actions.map((action) =>
      action.id === 'translate' ? { ...action, key: translateKey } : action,
    );
    store.setState({ settings: { ...defaultSettings, cursor: { ...cursor, actions } } });
    setup.showKeyConflict('mute', 'Control+Alt+KeyT', ['palette', 'action-translate']);
    await setup.resolveKeyConflict();
    return inputs('changeSettings');
  };
  const keys = { palette: 'none', mute: 'Control+Alt+KeyT' };

  it('is taken from it', async () => {
    const [patch] = await openConflict('Control+Alt+KeyT');
    expect(patch).toMatchObject({
      keys,
      cursor: {
        actions: expect.arrayContaining([
          expect.objectContaining({ id: 'translate', key: 'none' }),
        ]) as unknown,
      },
    });
  });

  it('is not taken from it if it has got another key since', async () => {
    expect(await openConflict('Control+Alt+KeyU')).toEqual([{ keys }]);
  });
});

describe('outside the settings screen', () => {
  it('the microphone level does not change the state', async () => {
    const { setup, store, notice } = await open();
    await setup.setMeter(true);
    let changes = 0;
    store.subscribe(() => (changes += 1));
    const level = { kind: 'level', rmsDb: -20, peakDb: -9, clipped: 0 } as const;
    notice({ name: 'microphoneMeter', payload: level });
    expect(changes).toBe(0);
    notice({ name: 'microphoneMeter', payload: { kind: 'using', device: 'Mic' } });
    expect(store.getState().settingsUi.meter).toEqual({ device: 'Mic' });
  });
});

describe('the list of sound devices', () => {
  it('is replaced by a posted list, which clears its error', async () => {
    const { setup, store, notice } = await open(false);
    await setup.readDevices();
    expect(store.getState().settingsUi.fields).toEqual({
      devices: { problem: appError('noTalk') },
    });
    notice({ name: 'soundDevicesChanged', payload: [fakeHeadset] });
    const { devices, fields } = store.getState().settingsUi;
    expect([devices, fields]).toEqual([[fakeHeadset], {}]);
  });
});

describe('the licences', () => {
  const withinOthers = new Set(['libvips', 'libuiohook']);
  const shipped = licences.filter(({ name }) => /^[a-z@]/.test(name) && !withinOthers.has(name));

  it('match the packages', async () => {
    for (const { name, licence } of shipped) {
      const text = await readFile(`node_modules/${name}/package.json`, 'utf8');
      const found = JSON.parse(text) as { readonly license: string };
      expect(found.license, name).toBe(licence);
    }
  });

  it('cover everything that is shipped', () => {
    const own = new Set(['parley-sound', 'segfault-handler']);
    const needed = Object.keys(manifest.dependencies).filter((name) => !own.has(name));
    expect(shipped.map(({ name }) => name)).toEqual(expect.arrayContaining(needed));
  });
});

describe('diagnostics', () => {
  it('contain facts for support, and no address, name or text of the user', () => {
    const settings = redactSettings({
      ...defaultSettings,
      assistant: {
        ...defaultSettings.assistant,
        preset: 'own',
        instructions: 'PRIVATE-TEXT',
        configs: { own: { prompt_suffix: 'PRIVATE-FIELD' } },
      },
      audio: {
        ...defaultSettings.audio,
        microphone: { name: 'PRIVATE-MICROPHONE', hostApi: 'ALSA' },
        speaker: { name: 'PRIVATE-SPEAKER' },
      },
      vision: { ...defaultSettings.vision, camera: 'PRIVATE-CAMERA' },
      chat: { ...defaultSettings.chat, system: 'PRIVATE-SYSTEM' },
      voices: { model: 'voice-private', speech: 'none' },
      endpoints: {
        chosen: 'mine',
        list: [
          {
            id: 'mine',
            name: 'PRIVATE-NAME',
            kind: 'hosted',
            url: 'wss://private.example/v1?api_key=PRIVATE-KEY',
            dialect: 'auto',
            headers: { 'X-Private': 'PRIVATE-HEADER' },
            query: {},
            hasToken: true,
          },
        ],
      },
    });
    const text = diagnosticsText({
      ...initialUiState,
      settings,
      about: { name: 'Parley', version: '1.2.3', host: 'browser', runtime: [] },
      facts: {
        mode: 'audio',
        endpoint: 'PRIVATE-NAME',
        session: { id: 'rt_1714200000000', dialect: 'legacy' },
      },
    });
    expect(text).not.toMatch(/private/i);
    expect(text).toContain('dialect: legacy\nsession: rt_1714200000000');
    expect(text).toContain('program: Parley 1.2.3');
    expect(text).toContain('"kind":"hosted","dialect":"auto","scheme":"wss","hasToken":true');
    expect(text).toContain('"instructions":"12 characters"');
    expect(text).toContain('"configs":["own"]');
    expect(text).toContain('"microphone":"chosen, ALSA","speaker":"chosen, any host API"');
    expect(text).toContain('"camera":"chosen"');
  });
});

const { t } = await createI18n('en');
const ownServer = () => ({
  address: 'wss://talk.example',
  token: 'secret',
  savedId: { current: undefined },
  trusted: { current: undefined },
});
const answers = {
  testEndpoint: { ok: true, connectMs: 1, firstMessageMs: 1 },
  putEndpoint: { id: 'server-1' },
};

it('the first-run steps choose the demonstration, even if Settings has another server', async () => {
  const { bridge, asked } = fakeBridge();
  const picked = { choice: 'demonstration', modelReady: false } as const;
  expect(await chooseBuiltIn(bridge.request, picked, t)).toBeUndefined();
  expect(asked).toEqual([{ name: 'changeSettings', input: { endpoints: { chosen: 'embedded' } } }]);
});

describe('the user’s own server, in the first-run steps', () => {
  it('is stored with its token and chosen after a successful test', async () => {
    const { bridge, names } = fakeBridge({ values: answers });
    expect(await connectOwnServer(bridge.request, ownServer(), t, () => true)).toBeUndefined();
    expect(names()).toEqual(['testEndpoint', 'putEndpoint', 'setToken', 'changeSettings']);
  });

  it('is stored only once if its token can be stored only at the second try', async () => {
    const server = ownServer();
    const locked = fakeBridge({ values: answers, refused: ['setToken'] }).bridge;
    expect(await connectOwnServer(locked.request, server, t, () => true)).toBeDefined();
    const { bridge, asked } = fakeBridge({ values: answers });
    expect(await connectOwnServer(bridge.request, server, t, () => true)).toBeUndefined();
    const put = asked.find(({ name }) => name === 'putEndpoint');
    expect(put?.input).toMatchObject({ id: 'server-1' });
  });

  it('is stored with its self-signed certificate after the user trusts it', async () => {
    const fingerprint = 'AB:CD';
    const error = appError('certificateOwn', { fingerprint });
    const testEndpoint = { ok: false, kind: 'certificate', error, fingerprint };
    const strange = fakeBridge({ values: { ...answers, testEndpoint } });
    const problem = await connectOwnServer(strange.bridge.request, ownServer(), t, () => true);
    expect(problem).toMatchObject({ fingerprint });
    expect(strange.names()).toEqual(['testEndpoint']);
    const { bridge, asked } = fakeBridge({ values: answers });
    const trusting = { ...ownServer(), trusted: { current: fingerprint } };
    expect(await connectOwnServer(bridge.request, trusting, t, () => true)).toBeUndefined();
    const [tested, put] = asked;
    expect([tested, put]).toMatchObject([
      { name: 'testEndpoint', input: { server: { fingerprint } } },
      { name: 'putEndpoint', input: { fingerprint } },
    ]);
  });

  it('is not stored if the user left the step during the test', async () => {
    const tried = deferred();
    const until = { testEndpoint: tried.promise };
    const { bridge, names } = fakeBridge({ values: answers, until });
    let here = true;
    const taking = connectOwnServer(bridge.request, ownServer(), t, () => here);
    here = false;
    tried.resolve();
    expect(await taking).toBeUndefined();
    expect(names()).toEqual(['testEndpoint']);
  });
});
