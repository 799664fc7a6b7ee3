import { mkdirSync, readdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { cryptoRandom } from '../../../../electron/adapters/crypto-random.ts';
import { createPictures } from '../../../../electron/adapters/sharp-pictures.ts';
import { systemClock } from '../../../../electron/adapters/system-clock.ts';
import { composeGateway } from '../../../../electron/compose-gateway.ts';
import { OpenPage } from '../../../../electron/ipc/open-page.ts';
import { Lifetime } from '../../../../shared/lifetime.ts';
import { usualChatOptions } from '../../../../shared/chat/chat-options.ts';
import { deskCore } from '../../../fakes/desk-core.ts';
import { FakeLog } from '../../../fakes/fake-log.ts';
import { fakeJpeg } from '../../../fakes/fake-pictures.ts';
import { workFolder } from '../../../fakes/work-folder.ts';

let core: ReturnType<typeof deskCore>;
let folder: string;
let gateways: Lifetime;

function open() {
  const { embeddedGateway } = composeGateway({
    clock: systemClock,
    random: cryptoRandom,
    pictures: createPictures(),
    log: new FakeLog(),
    lifetime: gateways,
  });
  core = deskCore(folder, systemClock, { embeddedGateway });
  return core;
}

beforeEach(() => {
  folder = workFolder()('state');
  gateways = new Lifetime('gateways under test');
});

afterEach(async () => {
  vi.useRealTimers();
  await core.lifetime.end();
  await gateways.end();
});

const say = (text: string) => ({ parts: [{ type: 'text', text }] }) as const;
const patience = { timeout: 20_000, interval: 20 };

async function answered({ told }: typeof core, count = 1): Promise<void> {
  await vi.waitFor(() => {
    const ends = told('chatPatch').filter(
      (patch) => patch.kind === 'answer' && patch.state.kind === 'done',
    );
    expect(ends).toHaveLength(count);
  }, patience);
}

describe('a written conversation', () => {
  it('is asked, answered, listed, found, and there again after a restart', async () => {
    const { ask, told } = open();
    expect(await ask('chat', undefined)).toMatchObject({ busy: false, list: [] });
    await ask('sendChat', say('Hello there'));
    await answered(core);
    const { conversation, list } = await ask('chat', undefined);
    expect(conversation.turns).toMatchObject([{ role: 'user' }, { role: 'assistant' }]);
    expect(told('chatList').at(-1)).toEqual(list);
    const { id } = conversation;
    await ask('renameChat', { id, title: 'Greetings' });
    await ask('pinChat', { id, pinned: true });
    expect(await ask('searchChats', { query: 'greetings' })).toMatchObject([{ id, pinned: true }]);
    await ask('beginChat', undefined);
    await ask('openChat', { id });
    await core.lifetime.end();

    const again = open();
    expect((await again.ask('chat', undefined)).list).toMatchObject([{ id, title: 'Greetings' }]);
    await again.ask('removeChat', { id });
    expect((await again.ask('chat', undefined)).list).toEqual([]);
    await expect(again.ask('openChat', { id })).rejects.toThrow('refused: ');
  });

  it('is retried, edited, branched and stopped', async () => {
    const { ask } = open();
    await ask('sendChat', say('One'));
    await answered(core);
    const { conversation } = await ask('chat', undefined);
    const [user, assistant] = conversation.turns;
    await ask('retryChat', { turn: assistant?.id ?? '' });
    await ask('stopChat', undefined);
    await ask('editChat', { turn: user?.id ?? '', ...say('Two') });
    await ask('stopChat', undefined);
    const { branches } = (await ask('chat', undefined)).conversation;
    await ask('chooseChatBranch', {
      branch: branches.find(({ after }) => after === undefined)?.id ?? '',
    });
    await ask('setChatOptions', { ...usualChatOptions, streaming: false });
    expect((await ask('chat', undefined)).options.streaming).toBe(false);
    const turns = (await ask('chat', undefined)).conversation.turns;
    await ask('removeChatTurn', { turn: turns[0]?.id ?? '' });
    for (const request of [
      ask('retryChat', { turn: 'gone' }),
      ask('removeChatTurn', { turn: 'gone' }),
      ask('playChat', { turn: 'gone' }),
      ask('chatMedia', { media: 'gone' }),
      ask('setChatOptions', { ...usualChatOptions, voice: 'gone' }),
    ]) {
      await expect(request).rejects.toThrow('refused: ');
    }
  });

  it('takes files by their bytes', async () => {
    const { ask } = open();
    const { part } = await ask('attachFile', { name: 'cat.jpg', file: fakeJpeg });
    expect(await ask('chatMedia', { media: part.media })).toMatchObject({ type: 'image' });
    await ask('forgetAttachment', { media: part.media });
    await expect(ask('chatMedia', { media: part.media })).rejects.toThrow('refused: ');
    await expect(
      ask('attachFile', {
        name: 'a.mp3',
        file: new Uint8Array([0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 0, 0]),
      }),
    ).rejects.toThrow('refused: ');
  });

  it('speaks through the speaker, and is silent when a talk begins', async () => {
    const { ask, devices, told } = open();
    await ask('setChatOptions', { ...usualChatOptions, speech: true });
    await ask('sendChat', say('Say something'));
    await vi.waitFor(() => {
      expect(devices.speakers[0]?.written).toBeGreaterThan(1000);
    }, patience);
    await answered(core);
    const playing = told('chatPatch')
      .filter(({ kind }) => kind === 'caption')
      .at(-1);
    expect(playing).toMatchObject({ playing: true });
    await ask('startTalk', { mode: 'audio' });
    expect(devices.speakers[0]?.ended).toBe(true);
    expect(
      told('chatPatch')
        .filter(({ kind }) => kind === 'caption')
        .at(-1),
    ).toMatchObject({
      playing: false,
    });
    // Answers that come now are read, and can be heard later.
    const speakers = devices.speakers.length;
    await ask('sendChat', say('And more'));
    await answered(core, 2);
    expect(devices.speakers).toHaveLength(speakers);
    const last = (await ask('chat', undefined)).conversation.turns.at(-1);
    expect(last).toMatchObject({ role: 'assistant', speechSeconds: expect.any(Number) });
    await expect(ask('playChat', { turn: last?.id ?? '' })).rejects.toThrow('refused: The speaker');
  });

  it('is kept or not, as the setting says, and no longer than that', async () => {
    const { ask } = open();
    await ask('sendChat', say('Old'));
    await answered(core);
    await core.lifetime.end();
    expect(readdirSync(`${folder}/chats`)).toHaveLength(1);

    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31 * 86_400_000 });
    const later = open();
    expect((await later.ask('chat', undefined)).list).toEqual([]);
    await later.lifetime.end();
    expect(readdirSync(`${folder}/chats`)).toEqual([]);

    const unkept = open();
    await unkept.ask('changeSettings', { privacy: { keepChats: false } });
    await unkept.ask('sendChat', say('Secret'));
    await answered(unkept);
    await unkept.lifetime.end();
    expect(readdirSync(`${folder}/chats`)).toEqual([]);
  });

  it('asks the server that is chosen now', async () => {
    const { ask, sockets, told, settle } = open();
    await ask('sendChat', say('Hello'));
    await answered(core);
    const { id } = await ask('putEndpoint', {
      name: 'Other',
      kind: 'local',
      url: 'ws://127.0.0.1:9',
      dialect: 'unified',
      headers: {},
      query: {},
    });
    await ask('changeSettings', { endpoints: { chosen: id } });
    await vi.waitFor(() => {
      expect(told('chatPatch').at(-1)).toMatchObject({ kind: 'line', line: { phase: 'idle' } });
    }, patience);
    await ask('sendChat', say('Again'));
    await settle();
    await vi.waitFor(() => {
      expect(sockets.lines).toHaveLength(1);
    }, patience);
    await ask('stopChat', undefined);
    sockets.line.end({ kind: 'closed', code: 1000, reason: '' });
  });
});

describe('the wire', () => {
  it('is shown in both directions while a page watches, without media', async () => {
    const { ask, told } = open();
    const page = new OpenPage();
    await ask('sendChat', say('Before'));
    await answered(core);
    expect(told('wire')).toEqual([]);
    await ask('watchWire', { on: true }, page);
    await ask('watchWire', { on: true }, page);
    await ask('setChatOptions', { ...usualChatOptions, speech: true });
    await ask('sendChat', say('While'));
    await answered(core, 2);
    await vi.waitFor(() => {
      const frames = told('wire').flatMap((news) => news.frames);
      expect(new Set(frames.map(({ direction }) => direction))).toContain('out');
      expect(frames.find(({ text }) => text.includes('While'))).toMatchObject({
        direction: 'out',
        mode: 'chat',
      });
      const spoken = frames.find(({ text }) => text.includes('characters›'));
      expect(spoken?.length).toBeGreaterThan(1000);
      expect(spoken?.text.length).toBeLessThan(1000);
    }, patience);
    page.gone();
    const before = told('wire').length;
    await ask('sendChat', say('After'));
    await answered(core, 3);
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(told('wire')).toHaveLength(before);
  });
});

describe('what is kept', () => {
  it('is counted, measured and deleted', async () => {
    const { ask } = open();
    await ask('sendChat', say('Hello'));
    await answered(core);
    const { id } = await ask('putEndpoint', {
      name: 'Other',
      kind: 'local',
      url: 'ws://127.0.0.1:9',
      dialect: 'auto',
      headers: {},
      query: {},
    });
    await ask('setToken', { id, token: 'tok-123456789' });
    mkdirSync(`${folder}/tapes/2026-01-01`, { recursive: true });
    await vi.waitFor(async () => {
      expect((await ask('kept', undefined)).map(({ kind, count }) => [kind, count])).toEqual([
        ['chats', 1],
        ['tapes', 1],
        ['voices', 0],
        ['tokens', 1],
      ]);
    }, patience);
    const [chats] = await ask('kept', undefined);
    expect(chats?.bytes).toBeGreaterThan(100);
    expect(chats?.place).toBe(`${folder}/chats`);
    const left = await ask('deleteKept', { kind: 'chats' });
    expect(left.map(({ count }) => count)).toEqual([0, 1, 0, 1]);
    expect((await ask('chat', undefined)).list).toEqual([]);
    const nothing = await ask('deleteKept', { kind: 'all' });
    expect(nothing.map(({ count }) => count)).toEqual([0, 0, 0, 0]);
    expect((await ask('settings', undefined)).settings.endpoints.list[1]?.hasToken).toBe(false);
  });
});

describe('the tape of a talk', () => {
  it('is kept where the person wants that, and no longer than that', async () => {
    const { ask, talk } = open();
    await ask('startTalk', { mode: 'audio' });
    await ask('endTalk', undefined);
    await vi.waitFor(() => {
      expect(talk.active).toBe(false);
    }, patience);
    expect(() => readdirSync(`${folder}/tapes`)).toThrow('ENOENT');
    await ask('changeSettings', {
      privacy: { keepTapes: true },
      assistant: { generation: { chunkMs: 500 } },
    });
    await ask('startTalk', { mode: 'audio' });
    await expect(ask('deleteKept', { kind: 'tapes' })).rejects.toThrow(
      'refused: A talk is going on',
    );
    await vi.waitFor(() => {
      expect(talk.view.state.phase).toBe('live');
    }, patience);
    await core.lifetime.end();
    const [name = ''] = readdirSync(`${folder}/tapes`);
    expect(name).toMatch(/^\d{4}-\d\d-\d\dT/);
    expect(readdirSync(`${folder}/tapes/${name}`)).toContain('tape.ndjson');

    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31 * 86_400_000 });
    open().begin();
    await vi.waitFor(() => {
      expect(readdirSync(`${folder}/tapes`)).toEqual([]);
    }, patience);
  });
});
