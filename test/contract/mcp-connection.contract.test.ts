import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../electron/platform/system/system-clock.ts';
import { connectMcpServer } from '../../electron/platform/tools/mcp-connection.ts';
import type { ServerConnection } from '../../electron/tools/servers/server-connection.ts';
import { ServerLink } from '../../electron/tools/servers/tool-servers.ts';
import type { AppError } from '../../shared/errors/app-error.ts';
import type { JsonObject } from '../../shared/protocol/json.ts';
import { unwrap } from '../fakes/unwrap.ts';

const require = createRequire(import.meta.url);
const hostile = fileURLToPath(new URL('hostile-mcp-server.mjs', import.meta.url));

/** The program of a published server. */
const programOf = (name: string): string =>
  join(
    dirname(require.resolve(`@modelcontextprotocol/server-${name}/package.json`)),
    'dist/index.js',
  );

const open = new Set<ServerConnection>();
const closed: AppError[] = [];

afterEach(async () => {
  await Promise.all([...open].map((connection) => connection.close()));
  open.clear();
  closed.length = 0;
});

const program = (...args: readonly string[]) => ({
  name: 'it',
  place: { kind: 'program' as const, command: process.execPath, args: [...args] },
});

async function start(
  server: Parameters<typeof connectMcpServer>[0],
  values: Readonly<Record<string, string>> = {},
): Promise<ServerConnection> {
  const connected = unwrap(
    await connectMcpServer(server, values, {
      onClosed: (error) => closed.push(error),
      onToolsChanged: () => undefined,
    }),
  );
  open.add(connected);
  return connected;
}

const call = (connection: ServerConnection, name: string, args: JsonObject = {}) =>
  connection.call(name, args, { onStop: () => undefined });

describe('the published servers', () => {
  it('everything: lists its tools, adds and echoes', async () => {
    const connection = await start(program(programOf('everything'), 'stdio'));
    const listed = await connection.listTools();
    const tools = listed.ok ? listed.value : [];
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['echo', 'get-sum']));
    expect(await call(connection, 'echo', { message: 'lighthouse' })).toMatchObject({
      value: { text: expect.stringContaining('lighthouse') as string, isError: false },
    });
    expect(await call(connection, 'get-sum', { a: 2, b: 3 })).toMatchObject({
      value: { text: expect.stringContaining('5') as string },
    });
    expect(await call(connection, 'get-sum', { a: 'x' })).toMatchObject({
      value: { isError: true },
    });
    expect(await call(connection, 'get-tiny-image')).toMatchObject({
      value: { text: expect.stringContaining('[image, image/png]') as string },
    });
  });

  it('filesystem: reads in its folder and nothing outside', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-mcp-'));
    try {
      writeFileSync(join(folder, 'note.txt'), 'the lighthouse');
      const connection = await start(program(programOf('filesystem'), folder));
      const listed = await connection.listTools();
      const risky = listed.ok ? listed.value.filter(({ isRisky }) => isRisky) : [];
      expect(risky.map(({ name }) => name)).toContain('write_file');
      expect(risky.map(({ name }) => name)).not.toContain('read_text_file');
      const path = join(folder, 'note.txt');
      expect(await call(connection, 'read_text_file', { path })).toMatchObject({
        value: { text: 'the lighthouse', isError: false },
      });
      expect(await call(connection, 'read_text_file', { path: '/etc/passwd' })).toMatchObject({
        value: { isError: true },
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('memory: stores and finds', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-mcp-'));
    try {
      const values = { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') };
      const connection = await start(program(programOf('memory')), values);
      const entity = { name: 'tower', entityType: 'lighthouse', observations: ['it is white'] };
      await call(connection, 'create_entities', { entities: [entity] });
      expect(await call(connection, 'search_nodes', { query: 'tower' })).toMatchObject({
        value: { text: expect.stringContaining('it is white') as string },
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('a hostile server', () => {
  it.each([
    ['dies', 'dies', 'toolServerEnded'],
    ['sends a huge answer', 'huge', 'toolServerFloods'],
    ['floods Parley with messages', 'floods', 'toolServerFloods'],
  ])('is closed with an error if it %s', async (_what, fault, code) => {
    const connection = await start(program(hostile, fault));
    expect(await call(connection, 'go')).toMatchObject({ ok: false, error: { code } });
    expect(closed).toMatchObject([{ code }]);
  });

  it('is left when the user stops a call that hangs', async () => {
    const connection = await start(program(hostile, 'hangs'));
    let stop: () => void = () => undefined;
    const called = connection.call('go', {}, { onStop: (run) => (stop = run) });
    stop();
    expect(await called).toMatchObject({ ok: false, error: { code: 'toolServerStopped' } });
  });

  it('is refused sampling, roots and questions', async () => {
    const connection = await start(program(hostile, 'asks'));
    expect(await call(connection, 'go')).toMatchObject({
      value: { text: '-32601 -32601 -32601' },
    });
  });

  it('gets only standard and configured environment variables', async () => {
    process.env['PARLEY_SECRET_OF_TEST'] = 'x';
    const connection = await start(program(hostile, 'environment'), { OWN: '1' });
    delete process.env['PARLEY_SECRET_OF_TEST'];
    const answered = await call(connection, 'go');
    const names = answered.ok ? answered.value.text.split(' ') : [];
    const standard = new Set(['HOME', 'LOGNAME', 'OWN', 'PATH', 'SHELL', 'TERM', 'USER']);
    expect(names.filter((name) => !standard.has(name))).toEqual([]);
    expect(names).toContain('OWN');
  });

  it('may write text that is not JSON; its tool without annotations counts as risky', async () => {
    const connection = await start(program(hostile, 'noise'));
    expect(await connection.listTools()).toMatchObject({
      value: [
        { name: 'go', isRisky: false },
        { name: 'unsaid', isRisky: true },
      ],
    });
    expect(await call(connection, 'go')).toMatchObject({ value: { text: 'fine' } });
  });

  it('is refused with an error code if its program is missing', async () => {
    const place = { kind: 'program' as const, command: '/no/such', args: [] };
    const listener = { onClosed: () => undefined, onToolsChanged: () => undefined };
    expect(await connectMcpServer({ name: 'it', place }, {}, listener)).toMatchObject({
      ok: false,
      error: { code: 'toolProgramMissing', facts: { name: 'it' } },
    });
  });

  it('cannot have a changed tool called before the user has seen it', async () => {
    const link = new ServerLink({
      clock: systemClock,
      connect: connectMcpServer,
      server: program(hostile, 'changes'),
      values: () => Promise.resolve({ ok: true, value: {} }),
      onChanged: () => undefined,
    });
    const listed = await link.listTools();
    const tool = listed.ok ? listed.value[0] : undefined;
    if (tool === undefined) throw new Error('The server lists no tool.');
    const run = () => link.call({ ...tool, isOn: true }, {}, { onStop: () => undefined });
    expect(await run()).toMatchObject({ ok: true });
    expect(await run()).toMatchObject({ ok: false, error: { code: 'toolChanged' } });
    await link.end();
  });
});
