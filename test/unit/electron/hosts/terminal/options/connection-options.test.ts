import { describe, expect, it } from 'vitest';
import {
  connectionOptions,
  readConnection,
  socketsFor,
  unencryptedServer,
} from '../../../../../../electron/hosts/terminal/options/connection-options.ts';
import { readArguments } from '../../../../../../electron/hosts/terminal/options/read-arguments.ts';
import { FakeFiles } from '../../../../../fakes/fake-files.ts';
import { namedServers } from '../../../../../fakes/named-servers.ts';
import type { EndpointProfile } from '../../../../../../shared/settings/endpoint-profile.ts';
import type { Endpoint } from '../../../../../../shared/settings/endpoint.ts';
import { appError, failure, type Outcome } from '../../../../../../shared/errors/app-error.ts';
import { Listeners } from '../../../../../../shared/listeners.ts';
import { fakeTerminal } from '../../../../../fakes/fake-terminal.ts';
import type { ModelServerState } from '../../../../../../shared/model/local-model.ts';
import type { Sockets } from '../../../../../../shared/ports/sockets.ts';
import { flushPromises } from '../../../../../fakes/flush-promises.ts';
import { FakeSockets } from '../../../../../fakes/fake-sockets.ts';

const spec = { name: 'demo', summary: '', options: connectionOptions } as const;

interface TokenSources {
  readonly token?: string;
  readonly file?: string;
  readonly piped?: string;
  readonly environment?: string;
  readonly url?: string;
  /** Whether the command names no server. */
  readonly isEmbedded?: boolean;
}

/** The token that the command uses, and its warnings. */
async function resolveToken({
  token,
  file,
  piped,
  environment,
  url = 'wss://server',
  isEmbedded = false,
}: TokenSources) {
  const files = new FakeFiles();
  if (file !== undefined) files.put('token.txt', new TextEncoder().encode(file));
  const { terminal, written } = fakeTerminal();
  const args = [
    ...(isEmbedded ? [] : ['--url', url]),
    ...(token === undefined ? [] : ['--token', token]),
    ...(file === undefined ? [] : ['--token-file', 'token.txt']),
  ];
  const host = {
    ...terminal,
    environmentToken: () => environment,
    readIn: () => Promise.resolve({ ok: true, value: piped ?? '' } as const),
  };
  const given = readArguments(spec, args);
  const { endpoint } = await readConnection(given, host, { ...namedServers(), files });
  return { token: endpoint?.token, warnings: written.err };
}

describe('a token', () => {
  it('comes from the command, a file, stdin or the environment', async () => {
    expect(await resolveToken({ token: 'abc' })).toEqual({ token: 'abc', warnings: '' });
    expect(await resolveToken({ file: 'abc\r\n' })).toEqual({ token: 'abc', warnings: '' });
    expect(await resolveToken({ token: '-', piped: 'abc\n' })).toEqual({
      token: 'abc',
      warnings: '',
    });
    expect(await resolveToken({ environment: 'abc' })).toEqual({ token: 'abc', warnings: '' });
    expect(await resolveToken({ environment: '' })).toEqual({ token: undefined, warnings: '' });
  });

  it('on the command line overrides another one of the environment, with a warning', async () => {
    const warnings = 'PARLEY_TOKEN is ignored, because the command line gives another token.\n';
    const environment = 'env';
    expect(await resolveToken({ environment, token: 'abc' })).toEqual({ token: 'abc', warnings });
    expect(await resolveToken({ environment, file: 'abc' })).toEqual({ token: 'abc', warnings });
    expect(await resolveToken({ environment, token: '-', piped: 'abc' })).toEqual({
      token: 'abc',
      warnings,
    });
    expect(await resolveToken({ environment, token: 'env' })).toEqual({
      token: 'env',
      warnings: '',
    });
  });

  it('is not taken from the environment for the embedded server', async () => {
    const embedded = await resolveToken({ environment: 'abc', isEmbedded: true });
    expect(embedded).toEqual({ token: undefined, warnings: '' });
  });

  it('is refused if its file or stdin is empty', async () => {
    await expect(resolveToken({ file: ' \n' })).rejects.toThrow('token.txt contains no token.');
    await expect(resolveToken({ token: '-', piped: '' })).rejects.toThrow(
      'Stdin contained no token',
    );
  });

  it('causes a warning without the token if it is sent unencrypted to another machine', async () => {
    const { warnings } = await resolveToken({ token: 'abc', url: 'ws://model.lan:8006' });
    expect(warnings).toBe(
      'The token is sent to model.lan unencrypted, and anyone on the network path can read it. Use wss:// if the server supports it.\n',
    );
    expect(await resolveToken({ url: 'ws://model.lan:8006' })).toMatchObject({ warnings: '' });
  });
});

it.each([
  ['ws://model.lan:8006', 'model.lan'],
  ['http://10.0.0.2/v1', '10.0.0.2'],
  ['WS://127.0.0.1.evil', '127.0.0.1.evil'],
  ['wss://model.lan', undefined],
  ['https://model.lan', undefined],
  ['ws://localhost:8006', undefined],
  ['ws://gateway.localhost', undefined],
  ['ws://127.0.0.2', undefined],
  ['ws://[::1]:8006', undefined],
  ['nonsense', undefined],
])('the unencrypted server of %s is %s', (url, server) => {
  expect(unencryptedServer(url)).toBe(server);
});

const server = (
  id: string,
  name: string,
  dialect: EndpointProfile['dialect'] = 'auto',
): readonly [EndpointProfile, Endpoint] => {
  const url = `wss://${id}.example/v1/realtime`;
  const profile = { id, name, kind: 'hosted', url, dialect, headers: {}, query: {} } as const;
  return [
    { ...profile, hasToken: true },
    { url, token: 'stored', headers: {}, query: {}, insecure: false },
  ];
};
const [profile, endpoint] = server('four', 'Limited');
const limited = [{ ...profile, traits: { timeLimit: 60 } }, endpoint] as const;
const stored = [
  server('one', 'At home', 'legacy'),
  server('two', 'Work'),
  server('six', 'work'),
  limited,
];
const { terminal } = fakeTerminal();
const ask = (...args: readonly string[]) =>
  readConnection(readArguments(spec, args), terminal, namedServers(stored));

describe('a stored server that a command names', () => {
  it('is used with its token and dialect, ignoring case', async () => {
    expect(await ask('--server', 'at HOME')).toMatchObject({
      endpoint: { url: 'wss://one.example/v1/realtime', token: 'stored' },
      dialect: 'legacy',
    });
    expect(await ask('--server', 'Limited')).toMatchObject({ traits: { timeLimit: 60 } });
    expect(await ask('--server=one', '--dialect=unified')).toMatchObject({ dialect: 'unified' });
    expect(await ask()).toMatchObject({ endpoint: undefined, dialect: 'auto' });
  });

  it('is, without a name, the model on this computer if the settings choose that', async () => {
    const core = namedServers(stored);
    const settings = core.settings.get();
    const choose = (chosen: string, ...args: readonly string[]) =>
      readConnection(readArguments(spec, args), terminal, {
        ...core,
        settings: { get: () => ({ ...settings, endpoints: { ...settings.endpoints, chosen } }) },
      });
    expect(await choose('computer')).toMatchObject({ isOnComputer: true, endpoint: undefined });
    expect(await choose('computer')).toMatchObject({ traits: { contextLimit: 4096 } });
    expect(await choose('embedded')).toMatchObject({ isOnComputer: false, endpoint: undefined });
    expect(await choose('one')).toMatchObject({ isOnComputer: false, endpoint: undefined });
    expect(await choose('computer', '--server', 'one')).toMatchObject({ isOnComputer: false });
    expect(await choose('computer', '--server', 'demonstration')).toMatchObject({
      isOnComputer: false,
    });
  });

  it('fails with one sentence if the name is unknown or not unique', async () => {
    await expect(ask('--server', 'Attic')).rejects.toThrow(
      /^The settings have no server called “Attic”, only .*“At home”, “Work”, “work”, “Limited”\.$/u,
    );
    await expect(ask('--server', 'Work')).rejects.toThrow(
      'Several servers are called “Work”; name one by its id: two, six.',
    );
    expect(await ask('--server=six')).toMatchObject({
      endpoint: { url: 'wss://six.example/v1/realtime' },
    });
  });
});

const loading = (secondsLeft: number) => ({ kind: 'loading', progress: 0, secondsLeft }) as const;

/** Connects with `--server computer` to a model that passes these states and then answers. */
function connectToComputer(states: readonly ModelServerState[], loaded: Promise<Outcome<Sockets>>) {
  const changes = new Listeners<ModelServerState>();
  const { terminal, written, interrupt } = fakeTerminal();
  const users: string[] = [];
  const core = {
    ...namedServers(),
    computerModel: {
      listen: (listener: (state: ModelServerState) => void) => changes.add(listener),
      load: (user: string) => {
        users.push(user);
        for (const state of states) changes.emit(state);
        return loaded;
      },
      minPauseMs: () => 0,
    },
  };
  const given = readArguments(spec, ['--server', 'computer']);
  const sockets = readConnection(given, terminal, core).then((connection) =>
    socketsFor(core, connection, 'chat', terminal),
  );
  return { sockets, written, users, interrupt };
}

it('a command connects to the model on this computer once it is loaded, and prints how long that takes', async () => {
  const own = new FakeSockets();
  const { sockets, written, users } = connectToComputer(
    [
      loading(40),
      loading(39),
      { kind: 'restarting', attempt: 1, seconds: 1, error: appError('modelPortTaken') },
      loading(40),
      { kind: 'ready', pace: undefined },
      { ...loading(12), switchesTo: 'chat' },
    ],
    Promise.resolve({ ok: true, value: own }),
  );
  expect(await sockets).toBe(own);
  expect(users).toEqual(['chat']);
  expect(written.err).toBe(
    [
      'Loading the model, about 40 s',
      'Another program keeps taking the model’s port. Try again. It starts again in 1 s.',
      'Loading the model, about 40 s',
      'Switching the model to chat, about 12 s',
      '',
    ].join('\n'),
  );
});

it('a command ends with a sentence if the model cannot be loaded, and at Ctrl-C', async () => {
  const elsewhere = connectToComputer([], Promise.resolve(failure('modelElsewhere')));
  await expect(elsewhere.sockets).rejects.toThrow(
    'Another Parley on this computer runs the model. Close it first.',
  );
  const { sockets, interrupt } = connectToComputer([loading(40)], new Promise(() => undefined));
  await flushPromises();
  interrupt();
  await expect(sockets).rejects.toThrow('Stopped before the model was loaded.');
});
