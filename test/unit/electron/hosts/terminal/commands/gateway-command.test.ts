import { describe, expect, it } from 'vitest';
import { connectBackends } from '../../../../../../electron/app/model-server.ts';
import { gatewayCommand } from '../../../../../../electron/hosts/terminal/commands/gateway-command.ts';
import type { TerminalCore } from '../../../../../../electron/hosts/terminal/terminal-core.ts';
import { FakeFiles } from '../../../../../fakes/fake-files.ts';
import { parley } from '../../../../../fakes/run-terminal.ts';

type Serving = Parameters<TerminalCore['serveGateway']>[2];

/** Runs the command until its Ctrl-C, and returns what it would serve. */
async function served(...args: readonly string[]): Promise<Serving> {
  let serving: Serving;
  const core: Pick<TerminalCore, 'files' | 'serveGateway' | 'openModel' | 'connectBackends'> = {
    files: new FakeFiles(),
    connectBackends: (addresses) => Promise.resolve(connectBackends(addresses)),
    openModel: () => Promise.reject(new Error('The command opened a model.')),
    serveGateway: (_options, _port, given) => {
      serving = given;
      return Promise.resolve({
        ok: true,
        value: { url: 'ws://127.0.0.1:1', drain: () => undefined },
      });
    },
  };
  const terminal = {
    out: () => undefined,
    err: () => undefined,
    onInterrupt: (listener: () => void) => {
      listener();
      return () => undefined;
    },
  };
  await gatewayCommand.run(args, terminal, () => core);
  return serving;
}

describe('parley gateway --backend', () => {
  it('makes each model server a worker for talks and chats', async () => {
    const { backends } =
      (await served('--backend', 'ws://one:1/backend', '--backend', 'http://two:2')) ?? {};
    expect(backends).toMatchObject([
      { name: 'ws://one:1/backend', serves: 'both' },
      { name: 'ws://two:2/backend', serves: 'both' },
    ]);
  });

  it('uses the servers of --chat-backend for chats, and then the others for talks only', async () => {
    const { backends } =
      (await served('--backend', 'ws://one:1', '--chat-backend', 'ws://two:2')) ?? {};
    expect(backends).toMatchObject([{ serves: 'duplex' }, { serves: 'chat' }]);
  });

  it('serves the demonstration without model servers', async () => {
    expect((await served())?.backends).toBeUndefined();
  });

  it.each([
    'ftp://host',
    'host:22500',
    'ws://user:secret@host/backend',
    'ws://host/backend?key=secret',
  ])('refuses the address %s in one sentence, without its secrets', async (address) => {
    const { code, out, err } = await parley('gateway', '--backend', address);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(/is not the address of a model server, such as ws:/);
    expect(err).not.toContain('secret');
  });

  it.each([
    ['--workers', '3'],
    ['--script', 'faults.json'],
    ['--step-ms', '100'],
    ['--lead-ms', '100'],
    ['--input-ids', 'echoed'],
    ['--usage'],
  ])('refuses %s, which belongs to the demonstration', async (...option) => {
    const { code, err } = await parley('gateway', '--backend', 'ws://host:1', ...option);
    expect(code).toBe(2);
    expect(err).toContain(`${option[0]} configures the demonstration`);
  });
});
