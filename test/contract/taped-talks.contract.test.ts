import { mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { unpackTape } from '../../electron/platform/files/zip.ts';
import { coreWithFakes } from '../fakes/core-with-fakes.ts';
import { unwrap } from '../fakes/unwrap.ts';
import { workFolder } from '../fakes/work-folder.ts';

type Core = ReturnType<typeof coreWithFakes>;

const cores: Core[] = [];
afterEach(async () => {
  for (const core of cores.splice(0)) await core.lifetime.end();
});

const stamp = '2026-11-20T10-00-00-000Z';
const ref = { kind: 'talk', id: stamp } as const;
const all = { skip: 0, count: 50, filter: {} };

async function withTape(): Promise<{ readonly core: Core; readonly at: (name: string) => string }> {
  const at = workFolder();
  const example = new URL('../../resources/tapes/voice.parleytape', import.meta.url).pathname;
  const unpacked = unwrap(await unpackTape(example));
  mkdirSync(at('state/tapes/no-tape-at-all'), { recursive: true });
  renameSync(unpacked.folder, at(`state/tapes/${stamp}`));
  writeFileSync(at('state/tapes/no-tape-at-all/tape.ndjson'), 'nothing\n');
  const core = coreWithFakes(at('state'));
  cores.push(core);
  return { core, at };
}

async function listed(core: Core) {
  await vi.waitFor(
    async () => {
      expect((await core.ask('history', all)).complete).toBe(true);
    },
    // Reading a tape is slow under load.
    { timeout: 15_000 },
  );
  return (await core.ask('history', all)).entries;
}

describe('a tape of a talk without a text record', () => {
  it('is listed and opened; a folder without a tape is not', async () => {
    const { core } = await withTape();
    const entries = await listed(core);
    expect(entries).toMatchObject([
      { kind: 'talk', id: stamp, mode: 'audio', tape: true, title: '', firstWords: '' },
    ]);
    const [item] = entries;
    expect(item?.kind === 'talk' && item.seconds).toBeGreaterThan(10);
    const opened = await core.ask('talkRecord', { id: stamp });
    expect(opened).toMatchObject({ tape: true });
    expect(opened.bytes).toBeGreaterThan(100_000);
    expect(opened.record.server.name).toBe('Demonstration');
    expect(core.payloads('talkTrouble')).toEqual([]);
    await core.ask('openReplay', { kind: 'tape', tape: stamp });
  });

  it('can be renamed without a text record, and is deleted with its tape', async () => {
    const { core, at } = await withTape();
    await listed(core);
    expect((await core.ask('showHistory', { ref })).path).toBe(at(`state/tapes/${stamp}`));
    await core.ask('renameHistory', { ...ref, title: 'Tea' });
    expect(await listed(core)).toMatchObject([{ title: 'Tea', tape: true }]);
    expect((await core.ask('talkRecord', { id: stamp })).record.turns).toEqual([]);
    await core.ask('removeHistory', { list: [ref], tapes: true });
    expect(await listed(core)).toEqual([]);
    expect(readdirSync(at('state/tapes'))).toEqual(['no-tape-at-all']);
  });

  it('is deleted with its only copy even if tapes should be kept', async () => {
    const { core, at } = await withTape();
    await listed(core);
    await core.ask('removeHistory', { list: [ref], tapes: false });
    expect(await listed(core)).toEqual([]);
    expect(readdirSync(at('state/tapes'))).toEqual(['no-tape-at-all']);
    await expect(core.ask('talkRecord', { id: stamp })).rejects.toThrow('no longer exists');
  });
});
