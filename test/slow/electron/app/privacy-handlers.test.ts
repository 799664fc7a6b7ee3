import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { OpenPage } from '../../../../shared/ipc/page.ts';
import { chatSettings } from '../../../../shared/settings/assistant-settings.ts';
import { workFolder } from '../../../fakes/work-folder.ts';
import { answered, daysLater, endCores, gatewayCore, patience, say } from '../talk/gateway-core.ts';

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

describe('the wire', () => {
  it('is shown in both directions without media while a page watches', async () => {
    const { ask, payloads: told } = open();
    const page = new OpenPage();
    await ask('sendChat', say('Before'));
    await answered(core);
    expect(told('wire')).toEqual([]);
    await ask('watchWire', { on: true }, page);
    await ask('watchWire', { on: true }, page);
    await ask('setChatOptions', { ...ownVoice, speech: true });
    await ask('sendChat', say('While'));
    await answered(core, 2);
    await vi.waitFor(() => {
      const frames = told('wire').flatMap((event) => event.frames);
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

describe('stored data', () => {
  it('is counted, measured and deleted', async () => {
    const { ask } = open();
    await ask('changeSettings', { privacy: { keepChats: true } });
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
    for (const part of ['tapes/2026-01-01', 'talks/2026-01-01', 'logs', 'crashes/pending']) {
      mkdirSync(`${folder}/${part}`, { recursive: true });
    }
    for (const trace of ['logs/parley.log', 'logs/parley.1.log', 'crashes/pending/1.dmp']) {
      writeFileSync(`${folder}/${trace}`, 'it broke');
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
    expect(chats?.place).toBe(`${folder}/chats`);
    const left = await ask('deleteStoredData', { kind: 'chats' });
    expect(left.map(({ count }) => count)).toEqual([0, 1, 1, 0, 0, 1, 2, 1]);
    expect((await ask('chat', undefined)).list).toEqual([]);
    const nothing = await ask('deleteStoredData', { kind: 'all' });
    expect(nothing.map(({ count }) => count)).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
    expect(readdirSync(`${folder}/crashes/pending`)).toEqual([]);
    expect((await ask('settings', undefined)).settings.endpoints.list[1]?.hasToken).toBe(false);
  });
});

describe('access tokens', () => {
  it('are counted and deleted by the files on disk, not by the settings', async () => {
    const token = 'tok-7f3a91c2d5';
    mkdirSync(folder);
    const holding = JSON.stringify({ version: 1, tokens: [{ id: 'server-1', plain: token }] });
    const names = [
      'tokens.json',
      'tokens.damaged-2.json',
      // Tapes of this process and of a killed one.
      `tokens.json.${process.pid}-900.draft`,
      'tokens.json.99999999-1.draft',
      'settings.damaged-1.json',
      'settings.json.99999999-1.draft',
      'keyboard-token.json',
    ];
    for (const name of names) writeFileSync(`${folder}/${name}`, holding);
    writeFileSync(`${folder}/settings.json`, '{"endpoi');
    const { ask } = open();
    const [, , , , , before] = await ask('storedData', undefined);
    // Together with the settings' file itself, which has just been set aside.
    expect(before).toMatchObject({ kind: 'tokens', count: names.length + 1 });
    expect(before?.bytes).toBeGreaterThan(holding.length * names.length);
    const left = await ask('deleteStoredData', { kind: 'all' });
    expect(left[5]).toMatchObject({ kind: 'tokens', count: 0, bytes: 0 });
    // Emptied folders may stay.
    const lying = readdirSync(folder, { withFileTypes: true, recursive: true });
    const texts = lying
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => readFileSync(`${parentPath}/${name}`, 'utf8'));
    expect(texts.filter((text) => text.includes(token))).toEqual([]);
    expect(readdirSync(folder).filter((name) => names.includes(name))).toEqual([]);
  });
});

describe('the tape of a talk', () => {
  it('is stored only while the user wants that', { timeout: 80_000 }, async () => {
    const { ask, talk } = open();
    await ask('startTalk', { mode: 'audio' });
    await ask('endTalk', undefined);
    await vi.waitFor(() => {
      expect(talk.isActive).toBe(false);
    }, patience);
    expect(() => readdirSync(`${folder}/tapes`)).toThrow('ENOENT');
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
    await core.lifetime.end();
    const [name = ''] = readdirSync(`${folder}/tapes`);
    expect(name).toMatch(/^\d{4}-\d\d-\d\dT/);
    const [header = ''] = readFileSync(`${folder}/tapes/${name}/tape.ndjson`, 'utf8').split('\n');
    expect(JSON.parse(header)).toMatchObject({ mode: 'audio', chunkMs: 500 });

    daysLater(folder, 31);
    open().begin();
    // Parley looks 20 s after its start.
    await vi.waitFor(
      () => {
        expect(readdirSync(`${folder}/tapes`)).toEqual([]);
      },
      { ...patience, timeout: 50_000 },
    );
    expect(readdirSync(`${folder}/trash/tapes`)).toEqual([`33-${name}`]);
  });
});
