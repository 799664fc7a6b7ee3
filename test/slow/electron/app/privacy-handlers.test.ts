import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { OpenPage } from '../../../../shared/ipc/page.ts';
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

describe('frames on the wire', () => {
  it('are posted in both directions, without media, while a page watches', async () => {
    const { ask, payloads } = open();
    const page = new OpenPage();
    await ask('sendChat', say('Before'));
    await untilAnswered(world.core);
    expect(payloads('wire')).toEqual([]);
    await ask('watchWire', { on: true }, page);
    await ask('watchWire', { on: true }, page);
    await ask('setChatOptions', { ...serverVoiceOptions, speech: true });
    await ask('sendChat', say('While'));
    await untilAnswered(world.core, 2);
    await vi.waitFor(() => {
      const frames = payloads('wire').flatMap((event) => event.frames);
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
    const before = payloads('wire').length;
    await ask('sendChat', say('Unwatched'));
    await untilAnswered(world.core, 3);
    await ask('watchWire', { on: true }, new OpenPage());
    await ask('sendChat', say('Watched'));
    await vi.waitFor(() => {
      const frames = payloads('wire')
        .slice(before)
        .flatMap((event) => event.frames);
      const question = frames.find(({ text }) => text.includes('"messages"'));
      expect(question?.text).toContain('Watched');
    }, patience);
  });
});

describe('stored data', () => {
  it('is counted and measured, and is deleted by kind or as a whole', async () => {
    const { ask } = open();
    await ask('changeSettings', { privacy: { keepChats: true } });
    await ask('sendChat', say('Hello'));
    await untilAnswered(world.core);
    const { id } = await ask('putEndpoint', ownServer);
    await ask('setToken', { id, token: 'tok-123456789' });
    for (const part of ['tapes/2026-01-01', 'talks/2026-01-01', 'logs', 'crashes/pending']) {
      mkdirSync(`${world.folder}/${part}`, { recursive: true });
    }
    for (const file of ['logs/parley.log', 'logs/parley.1.log', 'crashes/pending/1.dmp']) {
      writeFileSync(`${world.folder}/${file}`, 'it broke');
    }
    await vi.waitFor(async () => {
      expect((await ask('storedData', undefined)).map(({ kind, count }) => [kind, count])).toEqual([
        ['chats', 1],
        ['talks', 1],
        ['tapes', 1],
        ['voices', 0],
        ['memory', 0],
        ['tokens', 1],
        ['logs', 2],
        ['crashes', 1],
      ]);
    }, patience);
    const [chats] = await ask('storedData', undefined);
    expect(chats?.bytes).toBeGreaterThan(100);
    expect(chats?.place).toBe(`${world.folder}/chats`);
    const rest = await ask('deleteStoredData', { kind: 'chats' });
    expect(rest.map(({ count }) => count)).toEqual([0, 1, 1, 0, 0, 1, 2, 1]);
    expect((await ask('chat', undefined)).list).toEqual([]);
    const none = await ask('deleteStoredData', { kind: 'all' });
    expect(none.map(({ count }) => count)).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
    expect(readdirSync(`${world.folder}/crashes/pending`)).toEqual([]);
    expect((await ask('settings', undefined)).settings.endpoints.list[1]?.hasToken).toBe(false);
  });
});

describe('access tokens', () => {
  it('are counted and deleted in every file that holds one, even a damaged one', async () => {
    const token = 'tok-7f3a91c2d5';
    mkdirSync(world.folder);
    const content = JSON.stringify({ version: 1, tokens: [{ id: 'server-1', plain: token }] });
    const names = [
      'tokens.json',
      'tokens.damaged-2.json',
      // Unfinished files of this process and of a killed one.
      `tokens.json.${process.pid}-900.draft`,
      'tokens.json.99999999-1.draft',
      'settings.damaged-1.json',
      'settings.json.99999999-1.draft',
      'keyboard-token.json',
    ];
    for (const name of names) writeFileSync(`${world.folder}/${name}`, content);
    writeFileSync(`${world.folder}/settings.json`, '{"endpoi');
    const { ask } = open();
    const [, , , , , before] = await ask('storedData', undefined);
    // The extra file is settings.json: its JSON is cut off, so Parley set it aside.
    expect(before).toMatchObject({ kind: 'tokens', count: names.length + 1 });
    expect(before?.bytes).toBeGreaterThan(content.length * names.length);
    const rest = await ask('deleteStoredData', { kind: 'all' });
    expect(rest[5]).toMatchObject({ kind: 'tokens', count: 0, bytes: 0 });
    // Emptied folders may stay.
    const entries = readdirSync(world.folder, { withFileTypes: true, recursive: true });
    const texts = entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => readFileSync(`${parentPath}/${name}`, 'utf8'));
    expect(texts.filter((text) => text.includes(token))).toEqual([]);
    expect(readdirSync(world.folder).filter((name) => names.includes(name))).toEqual([]);
  });
});

describe('the tape of a talk', () => {
  it(
    'is stored only while the setting is on, and moves to the trash within 31 days',
    { timeout: 80_000 },
    async () => {
      const { ask, talk } = open();
      await ask('startTalk', { mode: 'audio' });
      await ask('endTalk', undefined);
      await vi.waitFor(() => {
        expect(talk.isActive).toBe(false);
      }, patience);
      expect(() => readdirSync(`${world.folder}/tapes`)).toThrow('ENOENT');
      await ask('changeSettings', {
        privacy: { keepTapes: true },
        assistant: { generation: { chunkMs: 500 } },
      });
      await ask('startTalk', { mode: 'audio' });
      await expect(ask('deleteStoredData', { kind: 'tapes' })).rejects.toThrow(
        'refused: A talk is running',
      );
      await vi.waitFor(() => {
        expect(talk.view.state.phase).toBe('live');
      }, patience);
      await world.core.lifetime.end();
      const [name = ''] = readdirSync(`${world.folder}/tapes`);
      expect(name).toMatch(/^\d{4}-\d\d-\d\dT/);
      const [header = ''] = readFileSync(`${world.folder}/tapes/${name}/tape.ndjson`, 'utf8').split(
        '\n',
      );
      expect(JSON.parse(header)).toMatchObject({ mode: 'audio', chunkMs: 500 });

      daysLater(world.folder, 31);
      open().begin();
      // Parley looks for old data 20 s after its start.
      await vi.waitFor(
        () => {
          expect(readdirSync(`${world.folder}/tapes`)).toEqual([]);
        },
        { ...patience, timeout: 50_000 },
      );
      expect(readdirSync(`${world.folder}/trash/tapes`)).toEqual([`33-${name}`]);
    },
  );
});
