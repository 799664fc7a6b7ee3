import { afterEach, expect, it, vi } from 'vitest';
import { resourcesFolder } from '../../electron/app/resources.ts';
import { EmbeddedGateway } from '../../electron/app/servers.ts';
import { loadDemoSpeech } from '../../electron/platform/files/demo-speech.ts';
import {
  cryptoRandom,
  systemClock,
  systemWallClock,
} from '../../electron/platform/system/system-clock.ts';
import { Lifetime } from '../../shared/lifetime.ts';
import { coreWithFakes } from '../fakes/core-with-fakes.ts';
import { FakeLog } from '../fakes/fake-log.ts';
import { fakePictures, FakePictures } from '../fakes/fake-pictures.ts';
import { editor, FakePrograms } from '../fakes/fake-programs.ts';
import { unwrap } from '../fakes/unwrap.ts';
import { workFolder } from '../fakes/work-folder.ts';

const patience = { timeout: 20_000, interval: 20 };

type Core = ReturnType<typeof coreWithFakes>;

const ends: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** The whole core with the embedded demonstration, beside a program that the test plays. */
function open(): { readonly core: Core; readonly programs: FakePrograms } {
  const folder = workFolder()('state');
  const lifetime = new Lifetime('the gateway under test');
  const programs = new FakePrograms();
  const gateway = new EmbeddedGateway({
    clock: systemClock,
    wallClock: systemWallClock,
    random: cryptoRandom,
    pictures: fakePictures(),
    log: new FakeLog(),
    lifetime,
  });
  const core = coreWithFakes(folder, systemClock, {
    embeddedGateway: () => gateway.open({}),
    pictures: new FakePictures(),
    cursor: {
      programs,
      window: {
        show: () => undefined,
        hide: () => undefined,
        prepare: () => undefined,
        pageReady: () => undefined,
        hasFocus: () => true,
      },
      regionWindow: { open: () => undefined, show: () => undefined, close: () => undefined },
      captureScreen: () => Promise.resolve({ ok: true, value: Uint8Array.of(1) }),
    },
  });
  ends.push(
    () => core.lifetime.end(),
    () => lifetime.end(),
  );
  return { core, programs };
}

async function waitForAnswer(core: Core): Promise<string> {
  return vi.waitFor(async () => {
    const turn = (await core.ask('quick', undefined)).conversation.turns.at(-1);
    if (turn?.role !== 'assistant' || turn.state.kind !== 'done') throw new Error('no answer yet');
    return turn.id;
  }, patience);
}

it('the small window answers about the selection, and inserts the answer there', async () => {
  const { core, programs } = open();
  programs.selected = { text: 'A harbour.', cut: false };
  await core.ask('openQuick', { text: '' });
  await core.ask('includeOffer', { kind: 'selection', included: true });
  await core.ask('askQuick', { text: 'Hello!' });
  const turn = await waitForAnswer(core);
  await core.ask('insertQuick', { turn });
  expect(programs.inserted).toMatchObject([{ window: editor }]);
  expect(programs.inserted[0]?.text).not.toBe('');
  expect((await core.ask('quick', undefined)).state.surface).toBe('closed');
  // The conversation is not stored.
  expect((await core.ask('chat', undefined)).list).toEqual([]);
});

it('the small window offers a copied picture of 48 megapixels, not one of 100', async () => {
  const { core, programs } = open();
  programs.board = { kind: 'picture', file: FakePictures.draw({ width: 8000, height: 6000 }) };
  await core.ask('openQuick', {});
  const kinds = async () =>
    (await core.ask('quick', undefined)).state.offers.map(({ kind }) => kind);
  await vi.waitFor(async () => expect(await kinds()).toContain('clipboard'), patience);
  programs.board = { kind: 'picture', file: FakePictures.draw({ width: 10_000, height: 10_000 }) };
  programs.selected = { text: 'A harbour.', cut: false };
  await core.ask('openQuick', {});
  await vi.waitFor(async () => expect(await kinds()).toContain('selection'), patience);
  expect(await kinds()).not.toContain('clipboard');
});

it('the small window moves its conversation to Chat', async () => {
  const { core } = open();
  await core.ask('openQuick', {});
  await core.ask('askQuick', { text: 'Hello!' });
  await waitForAnswer(core);
  await core.ask('continueInChat', undefined);
  const { conversation } = await core.ask('chat', undefined);
  expect(conversation.turns).toHaveLength(2);
  expect(core.payloads('placeWanted')).toEqual([{ screen: 'chat' }]);
});

it('dictation inserts the spoken sentence at the cursor', async () => {
  const { core, programs } = open();
  const speech = unwrap(await loadDemoSpeech(resourcesFolder('speech')));
  const clip = speech.clips.find(({ id }) => id === 'hello');
  const audio = clip?.audio ?? new Float32Array();
  const { cursor } = core.parley;
  cursor.handleKey('dictate', 'press');
  await vi.waitFor(() => expect(core.devices.open).toEqual(['microphone']), patience);
  // From 24 kHz to the microphone's 16 kHz.
  const heard = Float32Array.from(
    { length: Math.floor((audio.length * 2) / 3) },
    (_, n) => audio[Math.floor(n * 1.5)] ?? 0,
  );
  for (let from = 0; from < heard.length; from += 320)
    core.devices.microphones.at(-1)?.hear(heard.slice(from, from + 320));
  cursor.handleKey('dictate', 'lost');
  await vi.waitFor(() => expect(programs.inserted).toHaveLength(1), patience);
  expect(programs.inserted[0]?.text).toContain(clip?.text.slice(0, 12));
});

it('a new dictation key loads the sound system, but opens no device', async () => {
  const { core } = open();
  core.begin();
  expect(core.deviceLists()).toBe(0);
  await core.ask('changeSettings', { cursor: { enabled: true, dictateKey: 'none' } });
  expect(core.deviceLists()).toBe(0);
  await core.ask('changeSettings', { cursor: { dictateKey: 'Control+Alt+KeyD' } });
  await core.ask('changeSettings', { cursor: { askKey: 'none' } });
  expect([core.deviceLists(), core.devices.open]).toEqual([1, []]);
});
