import { expect, it } from 'vitest';
import {
  connectionOptions,
  readConnection,
  socketsFor,
} from '../../../../../electron/hosts/terminal/options/connection-options.ts';
import { readArguments } from '../../../../../electron/hosts/terminal/options/read-arguments.ts';
import { appError, failure, type Outcome } from '../../../../../shared/errors/app-error.ts';
import { Listeners } from '../../../../../shared/listeners.ts';
import type { ModelServerState } from '../../../../../shared/model/local-model.ts';
import type { Sockets } from '../../../../../shared/ports/sockets.ts';
import { FakeSockets } from '../../../../fakes/fake-sockets.ts';
import { namedServers } from '../../../../fakes/named-servers.ts';

const loading = (secondsLeft: number) => ({ kind: 'loading', progress: 0, secondsLeft }) as const;

/** `--server computer`, with a model that goes through these states and then answers. */
function connect(
  states: readonly ModelServerState[],
  loaded: Promise<Outcome<Sockets>>,
  interrupts = new Listeners<undefined>(),
) {
  const changes = new Listeners<ModelServerState>();
  const written = { err: '' };
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
  const terminal = {
    out: () => undefined,
    err: (text: string) => {
      written.err += text;
    },
    onInterrupt: (listener: () => void) => interrupts.add(listener),
  };
  const spec = { name: 'talk', summary: '', options: connectionOptions } as const;
  const given = readArguments(spec, ['--server', 'computer']);
  const sockets = readConnection(given, terminal, core).then((connection) =>
    socketsFor(core, connection, 'chat', terminal),
  );
  return { sockets, written, users };
}

it('connects to the model on this computer once it is loaded, and shows how long that takes', async () => {
  const own = new FakeSockets();
  const { sockets, written, users } = connect(
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

it('ends with a sentence if the model cannot be loaded, and at Ctrl-C', async () => {
  const elsewhere = connect([], Promise.resolve(failure('modelElsewhere')));
  await expect(elsewhere.sockets).rejects.toThrow(
    'Another Parley on this computer runs the model. Close it first.',
  );
  const interrupts = new Listeners<undefined>();
  const { sockets } = connect([loading(40)], new Promise(() => undefined), interrupts);
  setTimeout(() => interrupts.emit(undefined));
  await expect(sockets).rejects.toThrow('Stopped before the model was loaded.');
});
