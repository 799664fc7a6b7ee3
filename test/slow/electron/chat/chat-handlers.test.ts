import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { encodeWav } from '../../../../shared/audio/wav.ts';
import { chatSettings } from '../../../../shared/settings/assistant-settings.ts';
import { fakeJpeg } from '../../../fakes/fake-pictures.ts';
import { workFolder } from '../../../fakes/work-folder.ts';
import { speech } from '../../../unit/electron/settings/voices/speech.ts';
import { answered, endCores, gatewayCore, patience, say } from '../talk/gateway-core.ts';

/** The usual ones, spoken by the server's own voice. */
const ownVoice = { ...chatSettings.initial, voice: 'none' };

let core: ReturnType<typeof gatewayCore>;
let folder: string;

function open() {
  core = gatewayCore(folder);
  return core;
}

afterEach(endCores);

beforeEach(() => {
  folder = workFolder()('state');
});

describe('a written conversation', () => {
  it('is asked, answered, listed, found, and restored after a restart', async () => {
    const { ask, payloads: told } = open();
    await ask('changeSettings', { privacy: { keepChats: true } });
    expect(await ask('chat', undefined)).toMatchObject({ list: [] });
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

  it('reaches a legacy server by its own path, which the inspector shows', async () => {
    core = gatewayCore(folder, { dialect: 'legacy', profile: 'deployed', stepMs: 20 });
    const { ask, payloads: told } = core;
    await ask('watchWire', { on: true });
    await ask('sendChat', say('Reply with exactly: one two'));
    await answered(core);
    await ask('sendChat', say('Reply with exactly: three'));
    await answered(core, 2);
    const { conversation } = await ask('chat', undefined);
    expect(conversation.turns).toMatchObject([
      {},
      { role: 'assistant', text: 'one two', state: { kind: 'done', cutShort: false } },
      {},
      { role: 'assistant', text: 'three' },
    ]);
    // They are posted a few times a second.
    await vi.waitFor(() => {
      const sent = told('wire')
        .flatMap(({ frames }) => frames)
        .filter(({ direction, text }) => direction === 'out' && text.includes('"messages"'));
      expect(sent.map(({ text }) => text.slice(0, 12))).toEqual(['{"messages":', '{"messages":']);
    }, patience);
  });

  it('sends the chosen instructions, and new ones once they change', async () => {
    const { ask, payloads: told } = open();
    await ask('watchWire', { on: true });
    const sent = () =>
      told('wire')
        .flatMap(({ frames }) => frames)
        .filter(({ direction, text }) => direction === 'out' && text.includes('"messages"'))
        .map(({ text }) => text);
    await ask('sendChat', say('One'));
    await answered(core);
    await ask('changeSettings', {
      assistant: { preset: 'own', instructions: 'Speak like a sailor.' },
    });
    await ask('sendChat', say('Two'));
    await answered(core, 2);
    await vi.waitFor(() => {
      expect(sent()).toHaveLength(2);
    }, patience);
    expect(sent()[0]).toContain('"role":"system"');
    expect(sent()[0]).not.toContain('sailor');
    expect(sent()[1]).toContain('Speak like a sailor.');
  });

  it('refuses a message that was written in another conversation', async () => {
    const { ask } = open();
    await ask('sendChat', say('One'));
    await answered(core);
    const { id } = (await ask('chat', undefined)).conversation;
    await ask('beginChat', undefined);
    const late = ask('sendChat', { ...say('Two'), chat: id });
    await expect(late).rejects.toThrow('Another chat was opened meanwhile');
    expect((await ask('chat', undefined)).conversation.turns).toEqual([]);
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
    await ask('setChatOptions', { ...ownVoice, streaming: false });
    expect((await ask('chat', undefined)).options.streaming).toBe(false);
    expect((await ask('settings', undefined)).settings.chat.streaming).toBe(false);
    const turns = (await ask('chat', undefined)).conversation.turns;
    await ask('removeChatTurn', { turn: turns[0]?.id ?? '' });
    for (const request of [
      ask('retryChat', { turn: 'gone' }),
      ask('removeChatTurn', { turn: 'gone' }),
      ask('playChat', { turn: 'gone' }),
      ask('chatMedia', { media: 'gone' }),
      ask('setChatOptions', { ...ownVoice, voice: 'gone' }),
    ]) {
      await expect(request).rejects.toThrow('refused: ');
    }
  });

  it('takes the stored options, and later changes in the settings', async () => {
    const { ask } = open();
    await ask('changeSettings', { chat: { system: 'Be brief.', maxNewTokens: 200 } });
    const kept = { ...ownVoice, system: 'Be brief.', maxNewTokens: 200 };
    expect((await ask('chat', undefined)).options).toEqual(kept);
    await ask('setChatOptions', { ...kept, thinking: true });
    await ask('resetSettings', { group: 'chat' });
    expect((await ask('chat', undefined)).options).toEqual(ownVoice);
  });

  it('detects files by their content', async () => {
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

  it('speaks through the speaker and stops when a talk begins', async () => {
    const { ask, devices, payloads: told } = open();
    await ask('setChatOptions', { ...ownVoice, speech: true });
    await ask('sendChat', say('Say something'));
    await vi.waitFor(() => {
      expect(devices.speakers[0]?.written).toBeGreaterThan(1000);
    }, patience);
    await answered(core);
    const playing = told('chatPatch').findLast(({ kind }) => kind === 'caption');
    expect(playing).toMatchObject({ playing: true });
    await ask('startTalk', { mode: 'audio' });
    expect(devices.speakers[0]?.ended).toBe(true);
    expect(told('chatPatch').findLast(({ kind }) => kind === 'caption')).toMatchObject({
      playing: false,
    });
    // Answers that come now are read, and can be heard later.
    const speakers = devices.speakers.length;
    await ask('sendChat', say('And more'));
    await answered(core, 2);
    expect(devices.speakers).toHaveLength(speakers);
    const last = (await ask('chat', undefined)).conversation.turns.at(-1);
    expect(last?.role === 'assistant' && last.speechSeconds > 0).toBe(true);
    await expect(ask('playChat', { turn: last?.id ?? '' })).rejects.toThrow('refused: The speaker');
  });

  it('takes the latest options even while an earlier voice is being read', async () => {
    const { ask } = open();
    const wav = encodeWav(speech(5), { rate: 16_000, channels: 1, coding: 'pcm16' });
    const { id } = await ask('importVoice', { name: 'Ann', wav });
    await ask('chat', undefined);
    await Promise.all([
      ask('changeSettings', { chat: { voice: id } }),
      ask('changeSettings', { chat: { voice: 'none', system: 'Be brief.' } }),
    ]);
    // Reads it once more, so that it has been read by then.
    await ask('previewVoice', { id });
    await core.settle();
    const { options } = await ask('chat', undefined);
    expect([options.system, options.voice]).toEqual(['Be brief.', 'none']);
  });

  it('asks the currently chosen server', async () => {
    const { ask, sockets, payloads: told, settle } = open();
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
