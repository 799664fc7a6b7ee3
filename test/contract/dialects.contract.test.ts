import { chmodSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createDialectFile } from '../../electron/adapters/files/dialect-file.ts';
import { fakeDialects } from '../fakes/fake-dialects.ts';
import { workFolder } from '../fakes/work-folder.ts';

const server = 'wss://a.example/v1/realtime';

describe.each([
  { name: 'a file', make: () => createDialectFile(workFolder()('state')) },
  { name: 'the fake', make: fakeDialects },
])('$name', ({ make }) => {
  it('knows nothing at first', () => {
    expect(make().recall(server)).toBeUndefined();
  });

  it('recalls what was remembered last, at once', async () => {
    const dialects = make();
    dialects.remember(server, 'legacy');
    expect(dialects.recall(server)).toBe('legacy');
    dialects.remember(server, 'unified');
    expect(dialects.recall(server)).toBe('unified');
    await dialects.settled();
    expect(dialects.recall(server)).toBe('unified');
  });

  it('knows servers by scheme, host and path, and by nothing else', async () => {
    const dialects = make();
    dialects.remember(`${server}?key=secret`, 'legacy');
    expect(dialects.recall(server)).toBe('legacy');
    expect(dialects.recall(`${server}?key=other`)).toBe('legacy');
    for (const other of [
      'wss://b.example/v1/realtime',
      'ws://a.example/v1/realtime',
      `${server}/x`,
    ])
      expect(dialects.recall(other)).toBeUndefined();
    await dialects.settled();
  });

  it('forgets all but the hundred newest', async () => {
    const dialects = make();
    for (let nr = 0; nr < 100; nr += 1) dialects.remember(`ws://s${nr}/`, 'legacy');
    dialects.remember('ws://s0/', 'legacy');
    dialects.remember('ws://s100/', 'legacy');
    expect(dialects.recall('ws://s1/')).toBeUndefined();
    for (const nr of [0, 2, 99, 100]) expect(dialects.recall(`ws://s${nr}/`)).toBe('legacy');
    await dialects.settled();
  });
});

describe('the file of dialects', () => {
  it('is read again by the next one, and holds no secret', async () => {
    const folder = workFolder()('deep/state');
    const dialects = createDialectFile(folder);
    dialects.remember(`wss://user:pass@a.example/v1/realtime?key=secret#part`, 'legacy');
    dialects.remember('wss://b.example/v1/realtime', 'unified');
    await dialects.settled();
    expect(createDialectFile(folder).recall(server)).toBe('legacy');
    const text = readFileSync(`${folder}/dialects.json`, 'utf8');
    expect(text).not.toMatch(/secret|user|pass|part/);
    expect(readdirSync(folder)).toEqual(['dialects.json']);
  });

  it('keeps what another Parley has written meanwhile, a hundred entries in all', async () => {
    const folder = workFolder()('state');
    const [one, two] = [createDialectFile(folder), createDialectFile(folder)];
    expect([one.recall(server), two.recall(server)]).toEqual([undefined, undefined]);
    one.remember(server, 'legacy');
    await one.settled();
    for (let nr = 0; nr < 99; nr += 1) two.remember(`ws://s${nr}/`, 'unified');
    await two.settled();
    expect(createDialectFile(folder).recall(server)).toBe('legacy');
    two.remember('ws://s99/', 'unified');
    await two.settled();
    expect(createDialectFile(folder).recall(server)).toBeUndefined();
  });

  it.each([
    ['empty', ''],
    ['cut', '{"version":1,"dialects":[{"server":"wss://a.exa'],
    ['a list', '[]'],
    ['of another form', '{"dialects":{"wss://a.example/v1/realtime":"legacy"}}'],
    [
      'with odd entries',
      `{"dialects":[null,7,{"server":7,"dialect":"legacy"},{"server":"${server}","dialect":"x"}]}`,
    ],
    ['far too large', `{"dialects":[{"server":"${server}","dialect":"legacy"}]}${' '.repeat(3e5)}`],
  ])('that is %s counts as nothing, and is made anew', async (_name, text) => {
    const folder = workFolder()('state');
    mkdirSync(folder);
    writeFileSync(`${folder}/dialects.json`, text);
    const dialects = createDialectFile(folder);
    expect(dialects.recall(server)).toBeUndefined();
    dialects.remember(server, 'unified');
    await dialects.settled();
    expect(createDialectFile(folder).recall(server)).toBe('unified');
  });

  it('does not fail where it cannot be read or written', async () => {
    const at = workFolder();
    writeFileSync(at('file'), '');
    mkdirSync(at('taken/dialects.json'), { recursive: true });
    mkdirSync(at('closed'));
    chmodSync(at('closed'), 0o500);
    for (const folder of [at('file/state'), at('taken'), at('closed')]) {
      const dialects = createDialectFile(folder);
      expect(dialects.recall(server)).toBeUndefined();
      dialects.remember(server, 'legacy');
      await dialects.settled();
      expect(dialects.recall(server)).toBe('legacy');
    }
    expect(readdirSync(at('taken'))).toEqual(['dialects.json']);
  });

  it('never grows by an address without end', async () => {
    const folder = workFolder()('state');
    const dialects = createDialectFile(folder);
    dialects.remember(`ws://a/${'x'.repeat(3000)}`, 'legacy');
    await dialects.settled();
    expect(createDialectFile(folder).recall(`ws://a/${'x'.repeat(3000)}`)).toBeUndefined();
  });
});
