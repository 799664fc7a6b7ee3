import { describe, expect, it } from 'vitest';
import {
  connectionOptions,
  readConnection,
  socketsFor,
  unencryptedServer,
} from '../../../../../../electron/hosts/terminal/options/connection-options.ts';
import { nearestName } from '../../../../../../electron/hosts/terminal/nearest-name.ts';
import { readArguments } from '../../../../../../electron/hosts/terminal/terminal-command.ts';
import { FakeFiles } from '../../../../../fakes/fake-files.ts';
import { namedServers } from '../../../../../fakes/fake-server-facts.ts';
import { appError, failure, type Outcome } from '../../../../../../shared/errors/app-error.ts';
import { Listeners } from '../../../../../../shared/listeners.ts';
import { fakeTerminal } from '../../../../../fakes/fake-terminal.ts';
import { flushPromises } from '../../../../../fakes/promises.ts';
import { FakeSockets } from '../../../../../fakes/fake-sockets.ts';
import type { EndpointProfile } from '../../../../../../shared/settings/connection-settings.ts';
import type { Endpoint } from '../../../../../../shared/settings/endpoint.ts';
import type { ModelServerState } from '../../../../../../shared/model/local-model-state.ts';
import type { Sockets } from '../../../../../../shared/ports/sockets.ts';
import type { CommandSpec } from '../../../../../../electron/hosts/terminal/options/command-spec.ts';

const spec = { name: 'demo', summary: '', options: connectionOptions } as const;

interface TokenSources {
  readonly args?: readonly string[];
  readonly environment?: string;
}

/** The token that the command uses, and its warnings, with `abc` in a file and on stdin. */
async function resolveToken({ args = [], environment }: TokenSources) {
  const files = new FakeFiles();
  files.put('token.txt', 'abc\r\n');
  files.put('empty.txt', ' \n');
  const { terminal, written } = fakeTerminal();
  const host = {
    ...terminal,
    environmentToken: () => environment,
    readIn: () => Promise.resolve({ ok: true, value: 'abc\n' } as const),
  };
  const given = readArguments(spec, args);
  const { endpoint } = await readConnection(given, host, { ...namedServers(), files });
  return { token: endpoint?.token, warnings: written.err };
}

describe('a token', () => {
  const url = '--url=wss://server';

  it.each([
    ['the command', [url, '--token', 'abc']],
    ['a file', [url, '--token-file', 'token.txt']],
    ['stdin', [url, '--token', '-']],
  ])(
    'comes from %s, in place of another one of the environment, with a warning',
    async (_where, args) => {
      expect(await resolveToken({ args })).toEqual({ token: 'abc', warnings: '' });
      expect(await resolveToken({ args, environment: 'env' })).toEqual({
        token: 'abc',
        warnings: 'PARLEY_TOKEN is ignored, because the command line gives another token.\n',
      });
    },
  );

  it('comes from the environment, but not for the embedded server', async () => {
    const environment = 'abc';
    const args = [url];
    expect(await resolveToken({ args, environment })).toEqual({ token: 'abc', warnings: '' });
    expect(await resolveToken({ args, environment: '' })).toEqual({ warnings: '' });
    expect(await resolveToken({ environment })).toEqual({ warnings: '' });
  });

  it('is refused if its file is empty', async () => {
    const args = [url, '--token-file', 'empty.txt'];
    await expect(resolveToken({ args })).rejects.toThrow('empty.txt contains no token.');
  });

  it('causes a warning without the token if it is sent unencrypted to another machine', async () => {
    const args = ['--url', 'ws://model.lan:8006'];
    expect((await resolveToken({ args: [...args, '--token', 'abc'] })).warnings).toBe(
      'The token is sent to model.lan unencrypted, and anyone on the network path can read it. Use wss:// if the server supports it.\n',
    );
    expect(await resolveToken({ args })).toMatchObject({ warnings: '' });
  });
});

it.each([
  ['ws://model.lan:8006', 'model.lan'],
  ['http://10.0.0.2/v1', '10.0.0.2'],
  ['WS://127.0.0.1.evil', '127.0.0.1.evil'],
  ['wss://model.lan', undefined],
  ['ws://localhost:8006', undefined],
  ['ws://gateway.localhost', undefined],
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

  it.each([
    ['computer', [], true],
    ['embedded', [], false],
    ['one', [], false],
    ['computer', ['--server', 'one'], false],
    ['computer', ['--server', 'demonstration'], false],
  ])(
    'is, with the setting %s and the options %j, the model on this computer: %s',
    async (chosen, args, is) => {
      const core = namedServers(stored);
      const settings = core.settings.get();
      const endpoints = { ...settings.endpoints, chosen };
      const connection = await readConnection(readArguments(spec, args), terminal, {
        ...core,
        settings: { get: () => ({ ...settings, endpoints }) },
      });
      expect(connection.isOnComputer).toBe(is);
      if (is)
        expect(connection).toMatchObject({ endpoint: undefined, traits: { contextLimit: 4096 } });
    },
  );

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

it('a command connects to the model on this computer after it has loaded, and prints how long the loading takes', async () => {
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

describe('arguments', () => {
  const spec = {
    name: 'demo',
    summary: 'a command',
    options: {
      mode: { value: 'M', choices: ['audio', 'video'], required: true, about: '' },
      mic: { value: 'NAME', alone: true, about: '' },
      speaker: { value: 'NAME', alone: true, about: '' },
      at: { value: 'SEC', many: true, range: { min: 0, max: 9 }, about: '' },
      size: { value: 'N', read: (text: string) => text.length, about: '' },
      json: { about: '' },
    },
  } as const satisfies CommandSpec;

  const none = { mic: undefined, speaker: undefined, at: [], size: undefined, json: false };
  const read = (...args: readonly string[]) => readArguments(spec, args).options;

  describe('readArguments', () => {
    it('takes an option whose value is optional with and without it', () => {
      expect(read('--mic', '--mode', 'audio')).toEqual({ ...none, mode: 'audio', mic: true });
      expect(read('--mode', 'audio', '--mic=A b').mic).toBe('A b');
      expect(read('--speaker', 'Box', '--mode', 'audio', '--mic')).toEqual({
        ...none,
        mode: 'audio',
        speaker: 'Box',
        mic: true,
      });
    });
  });

  describe('nearestName', () => {
    const names = ['tape', 'talk', 'tts', 'tts-voice', 'max-new-tokens', 'max-seconds'];

    it.each([
      ['tpae', 'tape'],
      ['tts-vioce', 'tts-voice'],
      ['max-token', undefined],
      ['maxnewtokens', 'max-new-tokens'],
      ['max-second', 'max-seconds'],
      ['loud', undefined],
    ])('finds for %j the name %j', (given, nearest) => {
      expect(nearestName(given, names)).toBe(nearest);
    });
  });
});
