import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createServerFactsFile } from '../../electron/platform/files/server-facts-file.ts';
import { fakeServerFacts } from '../fakes/fake-server-facts.ts';
import { workFolder } from '../fakes/work-folder.ts';

const server = 'wss://a.example/v1/realtime';
const pace = { stepMs: 1000, typicalMs: 1040, spreadMs: 90.5, maxMs: 1300 };

describe.each([
  { name: 'a server memory in a file', make: () => createServerFactsFile(workFolder()('state')) },
  { name: 'a fake server memory', make: fakeServerFacts },
])('$name', ({ make }) => {
  it('is empty at first', () => {
    expect(make().recall(server).dialect).toBeUndefined();
  });

  it('recalls the latest facts at once', async () => {
    const memory = make();
    memory.remember(server, { dialect: 'legacy' });
    expect(memory.recall(server).dialect).toBe('legacy');
    memory.remember(server, { dialect: 'unified' });
    expect(memory.recall(server).dialect).toBe('unified');
    await memory.settled();
    expect(memory.recall(server).dialect).toBe('unified');
  });

  it('identifies servers by scheme, host and path only', async () => {
    const memory = make();
    memory.remember(`${server}?key=secret`, { dialect: 'legacy' });
    expect(memory.recall(server).dialect).toBe('legacy');
    expect(memory.recall(`${server}?key=other`).dialect).toBe('legacy');
    for (const other of [
      'wss://b.example/v1/realtime',
      'ws://a.example/v1/realtime',
      `${server}/x`,
    ])
      expect(memory.recall(other).dialect).toBeUndefined();
    await memory.settled();
  });

  it('merges facts remembered at different times', async () => {
    const memory = make();
    memory.remember(server, { pace });
    memory.remember(server, { dialect: 'legacy', voiceForm: 'float32' });
    memory.remember(server, { limits: { video: 90, tokens: 4096 } });
    memory.remember(server, { memory: { restPerSecond: 14.3, pictureScale: 1.5 } });
    memory.remember('wss://b.example/v1/realtime', { dialect: 'unified' });
    const others = {
      dialect: 'legacy',
      voiceForm: 'float32',
      limits: { video: 90, tokens: 4096 },
      memory: { restPerSecond: 14.3, pictureScale: 1.5 },
    };
    expect(memory.recall(`${server}?key=secret`)).toEqual({ ...others, pace });
    memory.remember(server, { pace: { ...pace, typicalMs: 900 } });
    await memory.settled();
    expect(memory.recall(server)).toEqual({ ...others, pace: { ...pace, typicalMs: 900 } });
  });

  it('remembers the newest hundred servers', async () => {
    const memory = make();
    for (let nr = 0; nr < 100; nr += 1) memory.remember(`ws://s${nr}/`, { dialect: 'legacy' });
    memory.remember('ws://s0/', { dialect: 'legacy' });
    memory.remember('ws://s100/', { dialect: 'legacy' });
    expect(memory.recall('ws://s1/').dialect).toBeUndefined();
    for (const nr of [0, 2, 99, 100]) expect(memory.recall(`ws://s${nr}/`).dialect).toBe('legacy');
    await memory.settled();
  });
});

describe('the file of the server memory', () => {
  it('is read by the next process, and has no secret', async () => {
    const folder = workFolder()('deep/state');
    const memory = createServerFactsFile(folder);
    memory.remember(`wss://user:pass@a.example/v1/realtime?key=secret#part`, { dialect: 'legacy' });
    memory.remember('wss://b.example/v1/realtime', { dialect: 'unified' });
    await memory.settled();
    expect(createServerFactsFile(folder).recall(server).dialect).toBe('legacy');
    const text = readFileSync(`${folder}/servers.json`, 'utf8');
    expect(text).not.toMatch(/secret|user|pass|part/);
    expect(readdirSync(folder)).toEqual(['servers.json']);
  });

  it('keeps entries of another Parley, a hundred in all', async () => {
    const folder = workFolder()('state');
    const [one, two] = [createServerFactsFile(folder), createServerFactsFile(folder)];
    expect([one.recall(server), two.recall(server)]).toEqual([{}, {}]);
    one.remember(server, { dialect: 'legacy' });
    await one.settled();
    for (let nr = 0; nr < 99; nr += 1) two.remember(`ws://s${nr}/`, { dialect: 'unified' });
    await two.settled();
    expect(createServerFactsFile(folder).recall(server).dialect).toBe('legacy');
    two.remember('ws://s99/', { dialect: 'unified' });
    await two.settled();
    expect(createServerFactsFile(folder).recall(server).dialect).toBeUndefined();
  });

  it.each([
    ['empty', ''],
    ['cut', '{"version":2,"servers":[{"server":"wss://a.exa'],
    ['a list', '[]'],
    ['of another form', '{"servers":{"wss://a.example/v1/realtime":"legacy"}}'],
    [
      'with odd entries',
      `{"servers":[null,7,{"server":7,"dialect":"legacy"},{"server":"${server}","dialect":"x"}]}`,
    ],
    ['far too large', `{"servers":[{"server":"${server}","dialect":"legacy"}]}${' '.repeat(6e5)}`],
  ])('counts as empty and is written again if it is %s', async (_name, text) => {
    const folder = workFolder()('state');
    mkdirSync(folder);
    writeFileSync(`${folder}/servers.json`, text);
    const memory = createServerFactsFile(folder);
    expect(memory.recall(server).dialect).toBeUndefined();
    memory.remember(server, { dialect: 'unified' });
    await memory.settled();
    expect(createServerFactsFile(folder).recall(server).dialect).toBe('unified');
  });

  it('takes over the former dialects file and deletes it', async () => {
    const folder = workFolder()('state');
    mkdirSync(folder);
    const dialects = [{ server, dialect: 'legacy' }];
    writeFileSync(`${folder}/dialects.json`, JSON.stringify({ version: 1, dialects }));
    const memory = createServerFactsFile(folder);
    expect(memory.recall(server)).toEqual({ dialect: 'legacy' });
    memory.remember(server, { pace });
    await memory.settled();
    expect(createServerFactsFile(folder).recall(server)).toEqual({ dialect: 'legacy', pace });
    expect(readdirSync(folder)).toEqual(['servers.json']);
  });

  it.each([
    ['a text', { ...pace, maxMs: 'long' }],
    ['endless', { ...pace, typicalMs: 1e9 }],
    ['negative', { ...pace, spreadMs: -1 }],
  ])('ignores a pace that is %s, and keeps the dialect', (_what, odd) => {
    const folder = workFolder()('state');
    mkdirSync(folder);
    const servers = [{ server, dialect: 'legacy', pace: odd }];
    writeFileSync(`${folder}/servers.json`, JSON.stringify({ version: 2, servers }));
    expect(createServerFactsFile(folder).recall(server)).toEqual({ dialect: 'legacy' });
  });

  it('never fails if it cannot be read or written', async () => {
    const at = workFolder();
    writeFileSync(at('file'), '');
    mkdirSync(at('taken/servers.json'), { recursive: true });
    mkdirSync(at('closed'));
    chmodSync(at('closed'), 0o500);
    for (const folder of [at('file/state'), at('taken'), at('closed')]) {
      const memory = createServerFactsFile(folder);
      expect(memory.recall(server).dialect).toBeUndefined();
      memory.remember(server, { dialect: 'legacy' });
      await memory.settled();
      expect(memory.recall(server).dialect).toBe('legacy');
    }
    expect(readdirSync(at('taken'))).toEqual(['servers.json']);
  });
});
