import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createFiles } from '../../../../../electron/platform/files/file-storage.ts';
import { startSha256 } from '../../../../../electron/platform/system/base64-sha256.ts';
import { checkTape } from '../../../../../electron/recordings/tape/inspect-tape.ts';
import type { HistoryRef } from '../../../../../shared/recordings/history-item.ts';
import { workFolder } from '../../../../fakes/work-folder.ts';
import { endCores, gatewayCore, patience } from '../../talk/gateway-core.ts';

afterEach(endCores);

type Core = ReturnType<typeof gatewayCore>;

const all = { skip: 0, count: 50, filter: {} };

/** Holds a talk with the demonstration and ends it after an answer. */
async function talk(core: Core): Promise<void> {
  await core.ask('startTalk', { mode: 'audio' });
  await vi.waitFor(() => {
    expect(core.talk.view.state.phase).toBe('live');
  }, patience);
  const tone = Float32Array.from({ length: 16_000 }, (_, index) => Math.sin(index / 12) / 3);
  for (const second of [tone, tone, ...Array.from({ length: 4 }, () => new Float32Array(16_000))]) {
    core.devices.microphones.at(-1)?.hear(second);
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  await vi.waitFor(() => {
    expect(core.talk.view.captions.some(({ text }) => text.length > 20)).toBe(true);
  }, patience);
  await core.ask('endTalk', undefined);
  await vi.waitFor(() => {
    expect(core.talk.view.state.phase).toBe('ended');
  }, patience);
}

async function listed(core: Core, query?: string) {
  await vi.waitFor(async () => {
    expect((await core.ask('history', all)).complete).toBe(true);
  }, patience);
  if (query === undefined) return (await core.ask('history', all)).entries;
  return (await core.ask('searchHistory', { ...all, query })).entries.map(({ item }) => item);
}

describe('a finished talk', { timeout: 60_000 }, () => {
  it('is stored, found by its words, renamed, pinned and deleted from disk', async () => {
    const at = workFolder();
    const core = gatewayCore(at('state'));
    await talk(core);
    expect(core.talk.view.storage.talk).toEqual({ kind: 'asked' });
    expect(await listed(core)).toEqual([]);
    await core.ask('keepTalk', { keep: true });
    await vi.waitFor(() => {
      expect(core.talk.view.storage.talk.kind).toBe('stored');
    }, patience);
    await vi.waitFor(async () => {
      expect(await listed(core)).toHaveLength(1);
    }, patience);
    const [item] = await listed(core);
    const ref: HistoryRef = { kind: 'talk', id: item?.id ?? '' };
    expect(item).toMatchObject({ mode: 'audio', ending: 'orderly', tape: false, pinned: false });
    const { record, bytes } = await core.ask('talkRecord', { id: ref.id });
    expect(bytes).toBeGreaterThan(300);
    expect(record.events.map(({ kind }) => kind)).toEqual(['began', 'ended']);
    const [turn] = record.turns;
    expect(turn?.cutFrom).toBeLessThan(turn?.text.length ?? 0);
    const word = /\p{L}{5,}/u.exec(turn?.text ?? '')?.[0] ?? 'none';
    await core.ask('renameHistory', { ...ref, title: ' Grandmother’s recipe ' });
    await core.ask('pinHistory', { ...ref, pinned: true });
    for (const query of [word.slice(0, 4).toUpperCase(), 'recipe grandm'])
      await vi.waitFor(async () => {
        expect(await listed(core, query)).toMatchObject([
          { id: ref.id, title: 'Grandmother’s recipe', pinned: true },
        ]);
      }, patience);
    expect(await listed(core, 'nobodysaidthis')).toEqual([]);
    const textBytes = (await core.ask('talkRecord', { id: ref.id })).bytes;
    mkdirSync(at(`state/tapes/${ref.id}`), { recursive: true });
    writeFileSync(at(`state/tapes/${ref.id}/both.wav`), new Uint8Array(5000));
    expect((await core.ask('talkRecord', { id: ref.id })).bytes).toBe(textBytes + 5000);
    await core.ask('removeHistory', { list: [ref], tapes: true });
    expect([await listed(core), readdirSync(at('state/talks'))]).toEqual([[], []]);
    await expect(core.ask('talkRecord', { id: ref.id })).rejects.toThrow('no longer exists');
    // The index file does not contain the deleted talk's words either.
    const { title } = record;
    expect(title).toBe('');
    expect(readFileSync(at('state/history/index.db')).includes(word.toLowerCase())).toBe(false);
  });

  it('leaves no data if the user declines, and the next talk does not ask', async () => {
    const at = workFolder();
    const core = gatewayCore(at('state'));
    await talk(core);
    await core.ask('keepTalk', { keep: false });
    expect(core.talk.view.storage.talk).toEqual({ kind: 'notStored' });
    await expect(core.ask('keepTalk', { keep: true })).rejects.toThrow('already decided');
    await talk(core);
    expect(core.talk.view.storage.talk).toEqual({ kind: 'notStored' });
    await core.lifetime.end();
    expect(existsSync(at('state/talks'))).toBe(false);
    expect(readdirSync(at('state')).filter((name) => name.includes('journal'))).toEqual([]);
  });
});

describe('the last two minutes of a talk', { timeout: 60_000 }, () => {
  it('are saved to disk on request as a whole tape', async () => {
    const at = workFolder();
    const core = gatewayCore(at('state'));
    await core.ask('changeSettings', { privacy: { holdRecent: true, keepTalks: 'yes' } });
    await talk(core);
    expect(core.talk.view.storage.recent).toEqual({ kind: 'inMemory' });
    expect(existsSync(at('state/tapes'))).toBe(false);
    await core.ask('keepRecent', undefined);
    const [name = ''] = readdirSync(at('state/tapes'));
    expect(readdirSync(at('state/talks'))).toEqual([name]);
    const path = at(`state/tapes/${name}`);
    expect(core.talk.view.storage.recent).toMatchObject({ kind: 'stored', path });
    const files = ['answer.wav', 'both.wav', 'checksums.json', 'microphone.wav', 'tape.ndjson'];
    expect(readdirSync(path).toSorted()).toEqual(files);
    expect(await checkTape(path, { files: createFiles(), digest: startSha256 })).toMatchObject({
      value: { state: 'whole', changed: [] },
    });
    await core.lifetime.end();
  });
});

describe('an incognito talk', { timeout: 60_000 }, () => {
  it('leaves no data on disk, whatever the other settings, until the user turns incognito off', async () => {
    const at = workFolder();
    const core = gatewayCore(at('state'));
    const privacy = { keepTapes: true, holdRecent: true, keepTalks: 'yes' } as const;
    await core.ask('changeSettings', { privacy });
    await core.ask('setIncognito', { on: true });
    await talk(core);
    await expect(core.ask('keepRecent', undefined)).rejects.toThrow('are not held');
    expect(core.talk.view.storage).toEqual({ incognito: true, talk: { kind: 'incognito' } });
    const words = core.talk.view.captions.map(({ text }) => text.slice(0, 20));
    expect(readdirSync(at('state')).filter((name) => /talk|tape|history/u.test(name))).toEqual([]);
    expect(core.log.lines.filter((line) => words.some((each) => line.includes(each)))).toEqual([]);
    await core.ask('setIncognito', { on: false });
    await talk(core);
    await core.lifetime.end();
    expect(readdirSync(at('state/tapes'))).toEqual(readdirSync(at('state/talks')));
    // The switch does not survive a restart.
    const restarted = gatewayCore(at('state'));
    expect(restarted.talk.view.storage.incognito).toBe(false);
  });
});

describe('two Parleys with one history', { timeout: 60_000 }, () => {
  it('both list and search, and see each other’s deletions', async () => {
    const at = workFolder();
    const one = gatewayCore(at('state'));
    await one.ask('changeSettings', { privacy: { keepTalks: 'yes' } });
    await talk(one);
    await vi.waitFor(async () => {
      expect(await listed(one)).toHaveLength(1);
    }, patience);
    const other = gatewayCore(at('state'));
    const [item] = await listed(other);
    const ref: HistoryRef = { kind: 'talk', id: item?.id ?? '' };
    await other.ask('renameHistory', { ...ref, title: 'Ours' });
    expect(await listed(other, 'ours')).toHaveLength(1);
    await other.ask('removeHistory', { list: [ref], tapes: false });
    await expect(one.ask('talkRecord', { id: ref.id })).rejects.toThrow('no longer exists');
    await expect(one.ask('pinHistory', { ...ref, pinned: true })).rejects.toThrow();
    await one.lifetime.end();
    await other.lifetime.end();
    expect(await listed(gatewayCore(at('state')))).toEqual([]);
  });
});
