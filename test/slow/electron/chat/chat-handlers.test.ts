import { existsSync, mkdirSync, readdirSync, utimesSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import {
  daysLater,
  gatewayWorld,
  ownServer,
  patience,
  say,
  serverVoiceOptions,
  untilAnswered,
} from '../talk/gateway-core.ts';

const world = gatewayWorld();
const { open } = world;

describe('a written conversation', () => {
  it('is sent, listed, found, and restored after a restart', async () => {
    const { ask, payloads } = open();
    await ask('changeSettings', { privacy: { keepChats: true } });
    expect(await ask('chat', undefined)).toMatchObject({ list: [] });
    await ask('sendChat', say('Hello there'));
    await untilAnswered(world.core);
    const { conversation, list } = await ask('chat', undefined);
    expect(conversation.turns).toMatchObject([{ role: 'user' }, { role: 'assistant' }]);
    expect(payloads('chatList').at(-1)).toEqual(list);
    const { id } = conversation;
    await ask('renameChat', { id, title: 'Greetings' });
    await ask('pinChat', { id, pinned: true });
    expect(await ask('searchChats', { query: 'greetings' })).toMatchObject([{ id, pinned: true }]);
    await ask('beginChat', undefined);
    await ask('openChat', { id });
    await world.core.lifetime.end();

    const again = open();
    expect((await again.ask('chat', undefined)).list).toMatchObject([{ id, title: 'Greetings' }]);
    await again.ask('removeChat', { id });
    expect((await again.ask('chat', undefined)).list).toEqual([]);
    await expect(again.ask('openChat', { id })).rejects.toThrow('refused: ');
  });

  it('sends the chosen instructions, and sends the new ones after a change', async () => {
    const { ask, payloads } = open();
    await ask('watchWire', { on: true });
    const sent = () =>
      payloads('wire')
        .flatMap(({ frames }) => frames)
        .filter(({ direction, text }) => direction === 'out' && text.includes('"messages"'))
        .map(({ text }) => text);
    await ask('sendChat', say('One'));
    await untilAnswered(world.core);
    await ask('changeSettings', {
      assistant: { preset: 'own', instructions: 'Speak like a sailor.' },
    });
    await ask('sendChat', say('Two'));
    await untilAnswered(world.core, 2);
    await vi.waitFor(() => {
      expect(sent()).toHaveLength(2);
    }, patience);
    expect(sent()[0]).toContain('"role":"system"');
    expect(sent()[0]).not.toContain('sailor');
    expect(sent()[1]).toContain('Speak like a sailor.');
  });

  it('speaks through the speaker and stops when a talk begins', async () => {
    const { ask, devices, payloads } = open();
    await ask('setChatOptions', { ...serverVoiceOptions, speech: true });
    await ask('sendChat', say('Say something'));
    await vi.waitFor(() => {
      expect(devices.speakers[0]?.written).toBeGreaterThan(1000);
    }, patience);
    await untilAnswered(world.core);
    const playing = payloads('chatPatch').findLast(({ kind }) => kind === 'caption');
    expect(playing).toMatchObject({ playing: true });
    await ask('startTalk', { mode: 'audio' });
    expect(devices.speakers[0]?.ended).toBe(true);
    expect(payloads('chatPatch').findLast(({ kind }) => kind === 'caption')).toMatchObject({
      playing: false,
    });
    // During a talk an answer is only shown. It can be played later.
    const speakers = devices.speakers.length;
    await ask('sendChat', say('And more'));
    await untilAnswered(world.core, 2);
    expect(devices.speakers).toHaveLength(speakers);
    const last = (await ask('chat', undefined)).conversation.turns.at(-1);
    expect(last?.role === 'assistant' && last.speechSeconds > 0).toBe(true);
    await expect(ask('playChat', { turn: last?.id ?? '' })).rejects.toThrow('refused: The speaker');
  });

  it('goes to the server that is chosen now', async () => {
    const { ask, sockets, payloads, settle } = open();
    await ask('sendChat', say('Hello'));
    await untilAnswered(world.core);
    const { id } = await ask('putEndpoint', ownServer);
    await ask('changeSettings', { endpoints: { chosen: id } });
    await vi.waitFor(() => {
      expect(payloads('chatPatch').at(-1)).toMatchObject({ kind: 'line', line: { phase: 'idle' } });
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

describe('kept chats', () => {
  it('are stored for as long as the setting allows', async () => {
    const first = open();
    await first.ask('changeSettings', { privacy: { keepChats: true } });
    await first.ask('sendChat', say('Old'));
    await untilAnswered(first);
    await first.lifetime.end();
    const [old = ''] = readdirSync(`${world.folder}/chats`);

    daysLater(world.folder, 31);
    const later = open();
    expect((await later.ask('chat', undefined)).list).toEqual([]);
    await later.lifetime.end();
    expect(readdirSync(`${world.folder}/chats`)).toEqual([]);
    // Expired chats wait in the trash for a week.
    expect(readdirSync(`${world.folder}/trash/chats`)).toEqual([`33-${old}`]);
    expect(readdirSync(`${world.folder}/trash/chats/33-${old}`)).toContain('conversation.json');
    daysLater(world.folder, 39);
    const muchLater = open();
    await muchLater.ask('chat', undefined);
    await muchLater.lifetime.end();
    expect(readdirSync(`${world.folder}/trash/chats`)).toEqual([]);

    const unkept = open();
    await unkept.ask('chat', undefined);
    await unkept.ask('changeSettings', { privacy: { keepChats: false } });
    await unkept.ask('sendChat', say('Secret'));
    await untilAnswered(unkept);
    await unkept.lifetime.end();
    expect(readdirSync(`${world.folder}/chats`)).toEqual([]);
  });

  it('survive one start with the clock far ahead, as do tapes', async () => {
    const first = open();
    await first.ask('changeSettings', { privacy: { keepChats: true } });
    await first.ask('sendChat', say('Old'));
    await untilAnswered(first);
    first.begin();
    await first.lifetime.end();
    mkdirSync(`${world.folder}/tapes/2020-01-01`, { recursive: true });
    utimesSync(`${world.folder}/tapes/2020-01-01`, 1, 1);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 40 * 86_400_000 });
    const ahead = open();
    ahead.begin();
    expect((await ahead.ask('chat', undefined)).list).toHaveLength(1);
    expect(ahead.payloads('chatProblem')).toMatchObject([{ code: 'deletionPostponed' }]);
    await ahead.lifetime.end();
    expect([
      readdirSync(`${world.folder}/chats`).length,
      readdirSync(`${world.folder}/tapes`).length,
    ]).toEqual([1, 1]);
  });

  it('follow a setting that changes while they are being opened', async () => {
    const before = open();
    await before.ask('changeSettings', { privacy: { keepChats: true } });
    await before.lifetime.end();

    const after = open();
    const { ask } = after;
    const opening = ask('chat', undefined);
    await ask('changeSettings', { privacy: { keepChats: false }, chat: { system: 'Be brief.' } });
    await opening;
    expect((await ask('chat', undefined)).options.system).toBe('Be brief.');
    await ask('sendChat', say('Secret'));
    await untilAnswered(after);
    await after.lifetime.end();
    expect(existsSync(`${world.folder}/chats`)).toBe(false);
  });
});
