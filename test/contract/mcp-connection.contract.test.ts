import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { systemClock } from '../../electron/platform/system/system-clock.ts';
import { connectMcpServer } from '../../electron/platform/tools/mcp-connection.ts';
import { type ServerConnection, ServerLink } from '../../electron/tools/servers/tool-servers.ts';
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

const ends: (() => Promise<unknown>)[] = [];
const closed: AppError[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
  closed.length = 0;
});

type Server = Parameters<typeof connectMcpServer>[0];
type Values = Readonly<Record<string, string>>;

const program = (...args: readonly string[]) => ({
  name: 'it',
  place: { kind: 'program' as const, command: process.execPath, args: [...args] },
});

const address = (url: string): Server => ({ name: 'it', place: { kind: 'address', url } });

const connect = (server: Server, values: Values = {}) =>
  connectMcpServer(server, values, {
    onClosed: (error) => closed.push(error),
    onToolsChanged: () => undefined,
  });

async function start(server: Server, values?: Values): Promise<ServerConnection> {
  const connection = unwrap(await connect(server, values));
  ends.push(() => connection.close());
  return connection;
}

const call = (connection: ServerConnection, name: string, args: JsonObject = {}) =>
  connection.call(name, args, { onStop: () => undefined });

/** Expects the published server "everything" to list its tools, add and echo. */
async function expectEverything(connection: ServerConnection): Promise<void> {
  const tools = unwrap(await connection.listTools());
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['echo', 'get-sum']));
  expect(await call(connection, 'echo', { message: 'lighthouse' })).toMatchObject({
    value: { text: expect.stringContaining('lighthouse') as string, isError: false },
  });
  expect(await call(connection, 'get-sum', { a: 2, b: 3 })).toMatchObject({
    value: { text: expect.stringContaining('5') as string },
  });
}

describe('the published MCP server', () => {
  it('“everything” lists its tools, adds and echoes', async () => {
    const connection = await start(program(programOf('everything'), 'stdio'));
    await expectEverything(connection);
    expect(await call(connection, 'get-sum', { a: 'x' })).toMatchObject({
      value: { isError: true },
    });
    expect(await call(connection, 'get-tiny-image')).toMatchObject({
      value: { text: expect.stringContaining('[image, image/png]') as string },
    });
  });
});

it('a server may ask 150 times within minutes whether Parley is alive', async () => {
  const connection = await start(program(hostile, 'alive'));
  const now = performance.now.bind(performance);
  const begun = now();
  // Each millisecond counts as a second.
  const clock = vi
    .spyOn(performance, 'now')
    .mockImplementation(() => begun + (now() - begun) * 1000);
  onTestFinished(() => clock.mockRestore());
  expect(await call(connection, 'go')).toMatchObject({ ok: true, value: { text: 'fine' } });
  expect(closed).toEqual([]);
});

describe('a hostile server', () => {
  it.each([
    ['dies', 'dies', 'toolServerEnded'],
    ['sends a huge answer', 'huge', 'toolServerFloods'],
    ['floods Parley with messages', 'floods', 'toolServerFloods'],
    ['pings Parley without end', 'pings', 'toolServerFloods'],
    ['writes lines that are not JSON without end', 'lines', 'toolServerFloods'],
  ])('is closed with an error if it %s', async (_what, fault, code) => {
    const connection = await start(program(hostile, fault));
    expect(await call(connection, 'go')).toMatchObject({ ok: false, error: { code } });
    expect(closed).toMatchObject([{ code }]);
  });

  it('is closed with an error if it floods Parley from a child of its program', async () => {
    const script = `"${process.execPath}" "${hostile}" lines; exit`;
    const place = { kind: 'program' as const, command: '/bin/sh', args: ['-c', script] };
    const connection = await start({ name: 'it', place });
    const error = { code: 'toolServerFloods' };
    expect(await call(connection, 'go')).toMatchObject({ ok: false, error });
    await expect.poll(() => closed).toMatchObject([error]);
  });

  it('is not waited for after the user has stopped a call that hangs', async () => {
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
    const names = unwrap(await call(connection, 'go')).text.split(' ');
    const standard = new Set(['HOME', 'LOGNAME', 'OWN', 'PATH', 'SHELL', 'TERM', 'USER']);
    expect(names.filter((name) => !standard.has(name))).toEqual([]);
    expect(names).toContain('OWN');
  });

  it('has tools that count as risky, unless they only read, or neither destroy nor reach other systems', async () => {
    const connection = await start(program(hostile, 'noise'));
    expect(await connection.listTools()).toMatchObject({
      value: [
        { name: 'go', isRisky: false },
        { name: 'send', isRisky: true },
        { name: 'add', isRisky: false },
        { name: 'unsaid', isRisky: true },
      ],
    });
  });

  it('may write text that is not JSON', async () => {
    const connection = await start(program(hostile, 'noise'));
    expect(await call(connection, 'go')).toMatchObject({ value: { text: 'fine' } });
  });

  it('is refused with an error code if its program is missing', async () => {
    const place = { kind: 'program' as const, command: '/no/such', args: [] };
    expect(await connect({ name: 'it', place })).toMatchObject({
      ok: false,
      error: { code: 'toolProgramMissing', facts: { name: 'it' } },
    });
  });

  it('is refused with an error code if its address has an impossible port', async () => {
    expect(await connect(address('https://127.0.0.1:99999/'))).toMatchObject({
      error: { code: 'toolServerFailed', facts: { name: 'it', error: 'Invalid URL' } },
    });
  });

  it('cannot have a changed tool called before the user has seen the change', async () => {
    const link = new ServerLink({
      clock: systemClock,
      connect: connectMcpServer,
      server: program(hostile, 'changes'),
      values: () => Promise.resolve({ ok: true, value: {} }),
      onChanged: () => undefined,
    });
    const [tool] = unwrap(await link.listTools());
    if (tool === undefined) throw new Error('The server lists no tool.');
    const run = () => link.call({ ...tool, isOn: true }, {}, { onStop: () => undefined });
    expect(await run()).toMatchObject({ ok: true });
    expect(await run()).toMatchObject({ ok: false, error: { code: 'toolChanged' } });
    await link.end();
  });
});

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** Serves on a free port of this computer. */
async function serve(answer: Answer): Promise<string> {
  const http = createServer(answer).listen(0, '127.0.0.1');
  await once(http, 'listening');
  ends.push(async () => {
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  });
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
}

interface Exchange {
  readonly method: string | undefined;
  readonly session: string | string[] | undefined;
  readonly status: number | undefined;
  readonly type: string | undefined;
}

/** The published server behind a proxy that records the exchanges. */
async function publishedServer() {
  const reserved = createServer().listen(0, '127.0.0.1');
  await once(reserved, 'listening');
  const { port } = reserved.address() as AddressInfo;
  await new Promise((resolve) => reserved.close(resolve));
  const child: ChildProcess = spawn(process.execPath, [programOf('everything'), 'streamableHttp'], {
    env: { PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = once(child, 'exit');
  ends.push(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  // The server names its port once it listens.
  if (child.stderr !== null) await once(child.stderr, 'data');
  const exchanges: Exchange[] = [];
  const url = await serve((from, to) => {
    const { method, url, headers } = from;
    const through = request({ port, method, path: url, headers }, (answer) => {
      exchanges.push({
        method,
        session: headers['mcp-session-id'],
        status: answer.statusCode,
        type: answer.headers['content-type'],
      });
      to.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(to);
    });
    through.on('error', () => to.destroy());
    from.pipe(through);
  });
  return { url: `${url}/mcp`, exchanges };
}

describe('the published server at an address', () => {
  it('lists, adds and echoes within one session, by streams of events, and ends the session', async () => {
    const { url, exchanges } = await publishedServer();
    const connection = await start(address(url));
    await expectEverything(connection);
    await connection.close();
    const posts = exchanges.filter(({ method }) => method === 'POST');
    const sessions = new Set(posts.slice(1).map(({ session }) => session));
    expect([posts[0]?.session, sessions.size]).toEqual([undefined, 1]);
    expect([...sessions][0]).toMatch(/^[\da-f-]{36}$/u);
    expect(posts.at(-1)).toMatchObject({ status: 200, type: 'text/event-stream' });
    const ended = exchanges.find(({ method }) => method === 'DELETE');
    expect(ended).toMatchObject({ status: 200, session: [...sessions][0] });
    expect(closed).toEqual([]);
  });
});

interface Rpc {
  readonly id?: number;
  readonly method: string;
}

const listedTools = { tools: [{ name: 'go', inputSchema: { type: 'object' } }] };

/**
 * A server that answers in plain JSON; `answerCall` answers calls of its tool. With a session, it never answers the
 * session's end.
 */
async function plainServer(
  answerCall: (id: number, response: ServerResponse) => void,
  session?: string,
  answerGet = (response: ServerResponse): void => void response.writeHead(405).end(),
) {
  const seen: string[] = [];
  const url = await serve((from, to) => {
    seen.push(`${from.method ?? ''} ${from.url ?? ''}`);
    if (from.method === 'DELETE' && session !== undefined) return;
    if (session !== undefined) to.setHeader('mcp-session-id', session);
    if (from.method !== 'POST') return answerGet(to);
    void text(from).then((body) => {
      const { id, method } = JSON.parse(body) as Rpc;
      if (id === undefined) return to.writeHead(202).end();
      if (method === 'tools/call') return answerCall(id, to);
      const info = { protocolVersion: '2025-06-18', serverInfo: { name: 'plain', version: '1' } };
      const result =
        method === 'initialize' ? { ...info, capabilities: { tools: {} } } : listedTools;
      to.writeHead(200, { 'content-type': 'application/json' });
      return to.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    });
  });
  return { url: `${url}/mcp`, seen };
}

const resultOf = (id: number, content: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: content }] } });

describe('a server at an address', () => {
  it('may answer in plain JSON, without a session', async () => {
    const { url, seen } = await plainServer((id, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(resultOf(id, 'fine'));
    });
    const connection = await start(address(url));
    expect(await call(connection, 'go')).toMatchObject({ value: { text: 'fine' } });
    await connection.close();
    expect(seen).not.toContain('DELETE /mcp');
  });

  // Some messages a second are not counted, and a busy machine takes seconds, so twice as many arrive.
  it.each([
    ['a message of more than 512 KiB in JSON', 'application/json', (content: string) => content],
    [
      'an event of more than 512 KiB',
      'text/event-stream',
      (content: string) => `event: message\ndata: ${content}\n\n`,
    ],
    [
      'more than 4 MiB of events',
      'text/event-stream',
      (content: string) => `: ${'x'.repeat(60_000)}\n\n`.repeat(80) + `data: ${content}\n\n`,
      10,
    ],
    [
      'more than 100 requests before its answer',
      'text/event-stream',
      (content: string) =>
        `data: {"jsonrpc":"2.0","id":"x","method":"ping"}\n\n`.repeat(200) + `data: ${content}\n\n`,
      10,
    ],
    [
      'more than 1000 events that are not JSON',
      'text/event-stream',
      (content: string) => 'data: x\n\n'.repeat(2000) + `data: ${content}\n\n`,
      10,
    ],
  ])('is disconnected when it answers with %s', async (_name, type, wrap, length = 600 * 1024) => {
    const { url } = await plainServer((id, response) => {
      const body = wrap(resultOf(id, 'x'.repeat(length)));
      response.writeHead(200, { 'content-type': type }).end(body);
    });
    const connection = await start(address(url));
    const error = { code: 'toolServerFloods' };
    expect(await call(connection, 'go')).toMatchObject({ ok: false, error });
    expect(closed).toMatchObject([error]);
  });

  it('fails a call with an answer too deep to write down', async () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    const { url } = await plainServer((id, response) => {
      const result = `{"content":[],"structuredContent":{"deep":${deep}}}`;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(`{"jsonrpc":"2.0","id":${id},"result":${result}}`);
    });
    const connection = await start(address(url));
    const error = { code: 'toolServerFailed' };
    expect(await call(connection, 'go')).toMatchObject({ ok: false, error });
  });

  it('is not asked for the next stream of events at once, even if it sets the pause to zero', async () => {
    const { url, seen } = await plainServer(
      () => undefined,
      undefined,
      (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end('retry: 0\nid: 1\n\n');
      },
    );
    await start(address(url));
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(seen.filter((line) => line.startsWith('GET'))).toHaveLength(1);
  });

  it('gets its configured headers, and may not redirect', async () => {
    const seen: (string | undefined)[] = [];
    const url = await serve((from, to) => {
      seen.push(`${from.url ?? ''} ${from.headers.authorization ?? ''}`);
      to.writeHead(307, { location: '/other' }).end();
    });
    const opened = await connect(address(`${url}/mcp`), { Authorization: 'Bearer token' });
    expect(opened).toMatchObject({ ok: false, error: { code: 'toolServerFailed' } });
    expect(new Set(seen)).toEqual(new Set(['/mcp Bearer token']));
    expect(JSON.stringify(opened)).not.toContain('Bearer');
  });

  it('cannot have its secrets shown by repeating them in an error', async () => {
    const url = await serve(({ url, headers }, to) => {
      const token = headers.authorization?.replace('Bearer ', '') ?? '';
      to.writeHead(401).end(`No access with ${token} for ${url}.`);
    });
    const opened = await connect(address(`${url}/mcp?key=s3cret-key`), {
      Authorization: 'Bearer s3cret-token',
    });
    const error = { code: 'toolServerFailed', facts: { name: 'it' } };
    expect(opened).toMatchObject({ ok: false, error });
    expect(JSON.stringify(opened)).toContain('No access with ••• for /mcp?key=•••.');
  });

  it.each([404, 400])(
    'counts as ended when it answers %i, because after a restart it does not know the session',
    async (status) => {
      const { url } = await plainServer((_id, response) => response.writeHead(status).end(), 's1');
      const connection = await start(address(url));
      const error = { code: 'toolServerFailed' };
      expect(await call(connection, 'go')).toMatchObject({ ok: false, error });
      expect(closed).toMatchObject([error]);
    },
  );

  it('stays connected when it refuses one call with 400 and has no sessions', async () => {
    const { url } = await plainServer((_id, response) => response.writeHead(400).end());
    const connection = await start(address(url));
    const error = { code: 'toolServerFailed' };
    expect(await call(connection, 'go')).toMatchObject({ ok: false, error });
    expect(await connection.listTools()).toMatchObject({ ok: true });
    expect(closed).toEqual([]);
  });

  it('does not delay a close by leaving its session open', async () => {
    const { url } = await plainServer((id, response) => response.end(resultOf(id, '')), 's1');
    const connection = await start(address(url));
    await connection.close();
    expect(closed).toEqual([]);
  });
});
