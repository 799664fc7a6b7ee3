import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createStateFile } from '../../electron/platform/files/state-file.ts';
import { failure } from '../../shared/errors/app-error.ts';
import type { StateFile } from '../../shared/ports/files.ts';
import { FakeStateFile } from '../fakes/fake-state-file.ts';
import { unwrap } from '../fakes/unwrap.ts';
import { workFolder } from '../fakes/work-folder.ts';

interface Place {
  readonly open: () => StateFile;
  readonly textOf: (aside: string) => string | undefined;
}

function realPlace(): Place {
  const folder = workFolder()('state');
  return {
    open: () => createStateFile(folder, 'settings'),
    textOf: (aside) => (existsSync(aside) ? readFileSync(aside, 'utf8') : undefined),
  };
}

function fakePlace(): Place {
  const disk = new Map<string, string>();
  return { open: () => new FakeStateFile(disk), textOf: (aside) => disk.get(aside) };
}

describe.each([
  ['a real state file', realPlace],
  ['a fake state file', fakePlace],
])('%s', (_name, place) => {
  it('is empty at first, then returns what was written last', async () => {
    const { open } = place();
    const file = open();
    expect(file.read()).toEqual({ ok: true, value: undefined });
    unwrap(await file.write('one'));
    unwrap(await file.write('two — 二'));
    expect([unwrap(file.read()), unwrap(open().read())]).toEqual(['two — 二', 'two — 二']);
  });

  it('is set aside under a new name each time', async () => {
    const { open, textOf } = place();
    const file = open();
    unwrap(await file.write('one'));
    const first = unwrap(file.backUp());
    unwrap(await file.write('two'));
    const second = unwrap(open().backUp());
    unwrap(await file.write('three'));
    expect([textOf(first), textOf(second), unwrap(file.read())]).toEqual(['one', 'two', 'three']);
    expect([first, second].map((name) => /[^/]*$/.exec(name)?.[0])).toEqual([
      'settings.damaged-1.json',
      'settings.damaged-2.json',
    ]);
  });

  it('cannot be set aside if it is missing', () => {
    expect(place().open().backUp().ok).toBe(false);
  });

  it('is complete at every moment under concurrent writers', async () => {
    const { open } = place();
    const files = [open(), open(), open()];
    const texts = files.flatMap((file, who) =>
      Array.from({ length: 20 }, (_, n) => ({ file, text: `${who}-${n} `.repeat(2000) })),
    );
    const seen = new Set<string>();
    await Promise.all(
      texts.map(async ({ file, text }) => {
        unwrap(await file.write(text));
        seen.add(unwrap(open().read()) ?? '');
      }),
    );
    const whole = new Set(texts.map(({ text }) => text));
    expect([...seen].filter((text) => !whole.has(text))).toEqual([]);
  });
});

describe('a real state file', () => {
  it('is private with its folder, and leaves no draft', async () => {
    const folder = workFolder()('deep/state');
    unwrap(await createStateFile(folder, 'settings').write('x'));
    const mode = (path: string) => statSync(path).mode & 0o777;
    expect([mode(folder), mode(`${folder}/settings.json`)]).toEqual([0o700, 0o600]);
    expect(readdirSync(folder)).toEqual(['settings.json']);
  });

  it('may begin with an editor’s byte-order mark', () => {
    const at = workFolder();
    writeFileSync(at('settings.json'), '\uFEFF{"version": 1}');
    expect(unwrap(createStateFile(at('.'), 'settings').read())).toBe('{"version": 1}');
  });

  it('reports a failed write, and leaves no draft', async () => {
    const at = workFolder();
    writeFileSync(at('file'), '');
    const written = await createStateFile(at('file'), 'settings').write('x');
    expect(written).toMatchObject({
      ok: false,
      error: { code: 'notFolder' },
    });
    mkdirSync(at('full/settings.json'), { recursive: true });
    expect((await createStateFile(at('full'), 'settings').write('x')).ok).toBe(false);
    expect(readdirSync(at('full'))).toEqual(['settings.json']);
  });

  it.each([
    ['a folder', (path: string) => mkdirSync(path), 'isFolder'],
    [
      'far too large',
      (path: string) => (writeFileSync(path, ''), truncateSync(path, 2 ** 33)),
      'fileTooLarge',
    ],
  ] as const)('is not read but can be set aside if it is %s', (_what, make, code) => {
    const at = workFolder();
    make(at('settings.json'));
    const file = createStateFile(at('.'), 'settings');
    expect(file.read()).toEqual(failure(code, { path: at('settings.json') }));
    expect(unwrap(file.backUp())).toMatch(/settings\.damaged-1\.json$/);
  });
});
