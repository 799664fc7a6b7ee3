import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { composeRemoteChannel } from '../../../../../../electron/app/ipc/remote-actions.ts';
import { parley, parleyOf } from '../../../../../fakes/run-terminal.ts';
import { workFolder } from '../../../../../fakes/work-folder.ts';

let folder: string;
let state: string;

beforeEach(() => {
  const work = workFolder();
  folder = work('Parley’s "new" 更新');
  state = work('state');
  mkdirSync(state);
  vi.stubEnv('PARLEY_STATE_DIR', state);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const version = '0.2.0';

function layOut(place: string, says: string): void {
  mkdirSync(join(place, 'resources'), { recursive: true });
  writeFileSync(join(place, 'resources/app.asar'), says);
}

const own = () => ({
  version,
  file: join(folder, 'parley'),
  resources: join(folder, 'resources'),
});
const inPlace = (): string => readFileSync(join(folder, 'resources/app.asar'), 'utf8');
const beside = (): readonly string[] =>
  readdirSync(dirname(folder))
    .filter((name) => name.startsWith(basename(folder)))
    .map((name) => name.slice(basename(folder).length))
    .toSorted();

describe('going back to the version before, without a window', () => {
  beforeEach(() => {
    layOut(folder, version);
  });

  it('puts it in place, says so, and remembers what was left', async () => {
    layOut(`${folder}.previous-0.1.0`, '0.1.0');
    expect(await parleyOf(own(), 'update', 'status')).toEqual({
      code: 0,
      out: '0.2.0, 0.1.0 before\n',
      err: '',
    });
    expect(await parleyOf(own(), 'update', 'back')).toEqual({
      code: 0,
      out: 'Parley 0.1.0 is back in the place of 0.2.0; open it as ever.\n',
      err: '',
    });
    expect(inPlace()).toBe('0.1.0');
    // It is taken away at the next start.
    expect(beside()).toEqual(['', '.left-0.2.0']);
    const memory: unknown = JSON.parse(readFileSync(join(state, 'updates.json'), 'utf8'));
    expect(memory).toMatchObject({ leftBehind: '0.2.0' });
  });

  it('leaves what waited behind as well', async () => {
    layOut(`${folder}.previous-0.1.0`, '0.1.0');
    layOut(`${folder}.next-0.3.0`, '0.3.0');
    expect(await parleyOf(own(), 'update', 'back')).toMatchObject({ code: 0 });
    expect(inPlace()).toBe('0.1.0');
    expect(beside()).toEqual(['', '.left-0.2.0']);
    const memory: unknown = JSON.parse(readFileSync(join(state, 'updates.json'), 'utf8'));
    expect(memory).toMatchObject({ leftBehind: '0.3.0' });
  });

  it('says what to do where no version before was kept', async () => {
    layOut(`${folder}.previous-0.3.0`, '0.3.0');
    expect(await parleyOf(own(), 'update', 'status')).toMatchObject({
      code: 0,
      out: '0.2.0, no version before it was kept\n',
    });
    expect(await parleyOf(own(), 'update', 'back')).toEqual({
      code: 1,
      out: '',
      err: 'No version before 0.2.0 was kept here: unpack the one you want from its own archive.\n',
    });
    expect(inPlace()).toBe(version);
  });

  it('replaces nothing while Parley is open', async () => {
    layOut(`${folder}.previous-0.1.0`, '0.1.0');
    const open = await composeRemoteChannel().listen(() =>
      Promise.resolve({ ok: true, value: 'off' }),
    );
    if (!open.ok) throw new Error(open.error.code);
    expect(await parleyOf(own(), 'update', 'back')).toEqual({
      code: 1,
      out: '',
      err: 'Parley is open: quit it first, or go back in About.\n',
    });
    await open.value();
    expect(inPlace()).toBe(version);
    expect(beside()).toEqual(['', '.previous-0.1.0']);
  });

  it('leaves it to the system whose packages brought Parley', async () => {
    layOut(`${folder}.previous-0.1.0`, '0.1.0');
    writeFileSync(join(folder, 'resources/package-type'), 'system\n');
    const { code, err } = await parleyOf(own(), 'update', 'back');
    expect([code, err]).toEqual([1, expect.stringMatching(/^The system’s packages brought this/)]);
    expect(inPlace()).toBe(version);
  });

  it('leaves a program alone that lies in a folder of other things', async () => {
    const elsewhere = { ...own(), file: join(state, 'parley') };
    const { code, err } = await parleyOf(elsewhere, 'update', 'back');
    expect([code, err]).toEqual([1, expect.stringMatching(/^Parley may not replace itself/)]);
  });
});

it('has nothing to go back to where it runs from sources', async () => {
  for (const word of ['back', 'status'])
    expect(await parley('update', word)).toEqual({
      code: 1,
      out: '',
      err: 'This Parley runs from its sources: check out the version you want instead.\n',
    });
});
