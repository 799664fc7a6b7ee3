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
import { failure, type Outcome } from '../../shared/errors/app-error.ts';
import type { StateFile } from '../../shared/ports/files.ts';
import { FakeStateFile } from '../fakes/fake-state-file.ts';
import { workFolder } from '../fakes/work-folder.ts';

function value<Value>(outcome: Outcome<Value>): Value {
  if (!outcome.ok) throw new Error(outcome.error.code);
  return outcome.value;
}

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
  it('is nothing at first, then what was written last', async () => {
    const { open } = place();
    const file = open();
    expect(file.read()).toEqual({ ok: true, value: undefined });
    value(await file.write('one'));
    value(await file.write('two — 二'));
    expect([value(file.read()), value(open().read())]).toEqual(['two — 二', 'two — 二']);
  });

  it('is kept aside under a name of its own each time, whatever is written after', async () => {
    const { open, textOf } = place();
    const file = open();
    value(await file.write('one'));
    const first = value(file.setAside());
    value(await file.write('two'));
    const second = value(open().setAside());
    value(await file.write('three'));
    expect([textOf(first), textOf(second), value(file.read())]).toEqual(['one', 'two', 'three']);
    expect([first, second].map((name) => /[^/]*$/.exec(name)?.[0])).toEqual([
      'settings.damaged-1.json',
      'settings.damaged-2.json',
    ]);
  });

  it('that is not there cannot be kept aside', () => {
    expect(place().open().setAside().ok).toBe(false);
  });

  it('is always whole, however many write it', async () => {
    const { open } = place();
    const files = [open(), open(), open()];
    const texts = files.flatMap((file, who) =>
      Array.from({ length: 20 }, (_, n) => ({ file, text: `${who}-${n} `.repeat(2000) })),
    );
    const seen = new Set<string>();
    await Promise.all(
      texts.map(async ({ file, text }) => {
        value(await file.write(text));
        seen.add(value(open().read()) ?? '');
      }),
    );
    const whole = new Set(texts.map(({ text }) => text));
    expect([...seen].filter((text) => !whole.has(text))).toEqual([]);
  });
});

describe('a real state file', () => {
  it('and its folder belong to this account only, and no draft stays', async () => {
    const folder = workFolder()('deep/state');
    value(await createStateFile(folder, 'settings').write('x'));
    const mode = (path: string) => statSync(path).mode & 0o777;
    expect([mode(folder), mode(`${folder}/settings.json`)]).toEqual([0o700, 0o600]);
    expect(readdirSync(folder)).toEqual(['settings.json']);
  });

  it('may begin with the byte-order mark of an editor', () => {
    const at = workFolder();
    writeFileSync(at('settings.json'), '\uFEFF{"version": 1}');
    expect(value(createStateFile(at('.'), 'settings').read())).toBe('{"version": 1}');
  });

  it('that cannot be written says why and leaves no draft', async () => {
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
  ] as const)('that is %s is not read, and can be kept aside', (_what, make, code) => {
    const at = workFolder();
    make(at('settings.json'));
    const file = createStateFile(at('.'), 'settings');
    expect(file.read()).toEqual(failure(code, { path: at('settings.json') }));
    expect(value(file.setAside())).toMatch(/settings\.damaged-1\.json$/);
  });
});
