import { describe, expect, it } from 'vitest';
import {
  FoundServers,
  knownServerFiles,
} from '../../../../electron/tools/servers/found-servers.ts';
import {
  stripJsonComments,
  type NewToolServer,
} from '../../../../electron/tools/servers/read-server-file.ts';
import { done, failure, type Outcome } from '../../../../shared/errors/app-error.ts';

const secret = 'hunter2-token';

/** The servers in these files, by program. The program `known` is already added. */
function serversIn(texts: Readonly<Record<string, string | Outcome<string>>>, known = 'none') {
  const added: NewToolServer[] = [];
  const found = new FoundServers({
    files: () => Object.keys(texts).map((program) => ({ program, path: `/home/ada/${program}` })),
    read: (path) => {
      const text = texts[path.slice('/home/ada/'.length)];
      return Promise.resolve(
        typeof text === 'object'
          ? text
          : { ok: true as const, value: text === '' ? undefined : text },
      );
    },
    servers: {
      has: ({ place }) => place.kind === 'program' && place.command === known,
      addAll: (servers) => {
        added.push(...servers);
        return Promise.resolve(done);
      },
    },
  });
  return { found, added };
}

const notes = { command: 'notes', args: ['--all'], env: { NOTES_TOKEN: secret } };

describe('servers of other programs', () => {
  it('are listed with their file and without their secrets, and added with them', async () => {
    const { found, added } = serversIn({ Cursor: JSON.stringify({ mcpServers: { notes } }) });
    const files = await found.find();
    expect(files).toEqual([
      {
        program: 'Cursor',
        path: '/home/ada/Cursor',
        servers: [
          {
            id: 'Cursor 0',
            name: 'notes',
            place: 'notes --all',
            variables: ['NOTES_TOKEN'],
            isKnown: false,
          },
        ],
      },
    ]);
    expect(JSON.stringify(files)).not.toContain(secret);
    await found.add(['Cursor 0', 'Cursor 1']);
    expect(added).toMatchObject([{ name: 'notes', values: { NOTES_TOKEN: secret } }]);
    await found.add(['Cursor 0']);
    expect(added).toHaveLength(1);
  });

  it.each([
    ['VS Code', `{ // mine\n "servers": { "a": { "type": "stdio", "command": "a", }, }, }`, 'a'],
    ['Zed', '{"theme": "x", "context_servers": {"a": {"source": "custom", "command": "a"}}}', 'a'],
    [
      'an older Zed',
      '{"context_servers": {"a": {"command": {"path": "a", "args": ["b"], "env": null}}}}',
      'a b',
    ],
    [
      'Windsurf',
      '{"mcpServers": {"a": {"serverUrl": "https://a.invalid/mcp"}}}',
      'https://a.invalid/mcp',
    ],
    [
      'Gemini',
      '{"mcpServers": {"a": {"httpUrl": "https://a.invalid/mcp"}}}',
      'https://a.invalid/mcp',
    ],
  ])('are read from %s', async (program, text, place) => {
    const [file] = await serversIn({ [program]: text }).found.find();
    expect(file?.servers).toHaveLength(1);
    expect(file?.servers[0]?.place).toBe(place);
  });

  it('are left out if a program has no file or no servers', async () => {
    const { found } = serversIn({
      Cursor: '',
      Zed: '{"theme": "dark"}',
      Gemini: '{"mcpServers": {}}',
    });
    expect(await found.find()).toEqual([]);
  });

  it('are refused one by one, each in a sentence', async () => {
    const servers = {
      good: notes,
      bad: { args: [] },
      open: { url: 'http://a.invalid/' },
      blank: { command: 'a', env: { KEY: '${input:key}' } },
    };
    const { found, added } = serversIn({ Cursor: JSON.stringify({ mcpServers: servers }) });
    const [file] = await found.find();
    expect(file?.servers.map(({ problem }) => problem?.code)).toEqual([
      undefined,
      'toolServerUnread',
      'toolServerAddress',
      'toolServerPlaceholder',
    ]);
    await found.add(['Cursor 0', 'Cursor 1', 'Cursor 2', 'Cursor 3']);
    expect(added.map(({ name }) => name)).toEqual(['good']);
  });

  it('say why a file cannot be read', async () => {
    const link = failure('toolFileLink', { path: '/home/ada/Zed' });
    const brackets = '['.repeat(100_000);
    const { found } = serversIn({ Cursor: 'no JSON', Zed: link, Gemini: brackets });
    expect((await found.find()).map(({ problem }) => problem?.code)).toEqual([
      'toolServersUnread',
      'toolFileLink',
      'toolServersUnread',
    ]);
  });

  it('are marked if Parley has them, or an earlier file names them', async () => {
    const text = JSON.stringify({ mcpServers: { notes } });
    const known = await serversIn({ Cursor: text }, 'notes').found.find();
    expect(known[0]?.servers[0]?.isKnown).toBe(true);
    const twice = await serversIn({ Cursor: text, Zed: text }).found.find();
    expect(twice.map(({ servers }) => servers[0]?.isKnown)).toEqual([false, true]);
  });
});

describe('the well-known files', () => {
  it.each([
    ['linux', '/home/ada', {}, '/home/ada/.config/Claude/claude_desktop_config.json'],
    ['linux', '/home/ada', { XDG_CONFIG_HOME: '/set' }, '/set/Code/User/mcp.json'],
    [
      'darwin',
      '/Users/ada',
      {},
      '/Users/ada/Library/Application Support/Claude/claude_desktop_config.json',
    ],
    ['darwin', '/Users/ada', {}, '/Users/ada/.config/zed/settings.json'],
    ['win32', 'C:\\Users\\ada', { APPDATA: 'D:\\Set' }, 'D:\\Set\\Code\\User\\mcp.json'],
    ['win32', 'C:\\Users\\ada', {}, 'C:\\Users\\ada\\.cursor\\mcp.json'],
    ['win32', 'C:\\Users\\ada', {}, 'C:\\Users\\ada\\AppData\\Roaming\\Zed\\settings.json'],
  ])('are known on %s in %s with %o', (platform, home, environment, path) => {
    const files = knownServerFiles({ platform, home, environment });
    expect(files.map((file) => file.path)).toContain(path);
  });
});

describe('JSON with comments', () => {
  it.each([
    ['{"a": 1}', '{"a": 1}'],
    [
      '{"a": "// no /* comment", /* one */ "b": [1, 2,], }',
      '{"a": "// no /* comment",  "b": [1, 2] }',
    ],
    ['{"a": "\\"//", // end\n}', '{"a": "\\"//" \n}'],
    ['{"a": 1 /* open', '{"a": 1 '],
    ['{"a', '{"a'],
    ['[1, // x\n 2 /*,*/, ]', '[1, \n 2  ]'],
  ])('%j becomes %j', (text, plain) => {
    expect(stripJsonComments(text)).toBe(plain);
  });
});
