import { describe, expect, it } from 'vitest';
import { connectBackends } from '../../../../../../electron/app/model-server.ts';
import {
  gatewayCommand,
  readGatewayScript,
} from '../../../../../../electron/hosts/terminal/commands/gateway-command.ts';
import type { TerminalCore } from '../../../../../../electron/hosts/terminal/terminal-core.ts';
import { FakeFiles } from '../../../../../fakes/fake-files.ts';
import { fakeTerminal, parley } from '../../../../../fakes/fake-terminal.ts';
import { flushPromises } from '../../../../../fakes/flush-promises.ts';

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
  const { terminal, interrupt } = fakeTerminal();
  const running = gatewayCommand.run(args, terminal, () => core);
  await flushPromises();
  interrupt();
  await running;
  return serving;
}

describe('parley gateway --backend', () => {
  it('makes each model server a worker for talks and for chats', async () => {
    const { backends } =
      (await served('--backend', 'ws://one:1/backend', '--backend', 'http://two:2')) ?? {};
    expect(backends).toMatchObject([
      { name: 'ws://one:1/backend', serves: 'both' },
      { name: 'ws://two:2/backend', serves: 'both' },
    ]);
  });

  it('serves chats only by the servers of --chat-backend, if there are any', async () => {
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

describe('a script of faults', () => {
  async function read(content: string): Promise<unknown> {
    const files = new FakeFiles();
    files.put('faults.json', content);
    return readGatewayScript({ files }, 'faults.json');
  }

  it('is read', async () => {
    const faults = [
      { kind: 'delay', ms: 200, jitterMs: 50 },
      { kind: 'drop', session: 2, atStep: 3 },
      { kind: 'garbage', atStep: 1, what: 'nan' },
      { kind: 'refuse', status: 503, body: 'later' },
      { kind: 'handover403', session: 1 },
      { kind: 'error', atStep: 'admission', code: 'worker_busy' },
      { kind: 'closed', atStep: 'creation', reason: 'any at all' },
      { kind: 'wedge' },
      { kind: 'refusedField', field: 'beam_width' },
    ];
    expect(await read(JSON.stringify(faults))).toEqual(faults);
  });

  it.each([
    ['{', /^faults\.json is not JSON\.$/],
    ['{"kind":"drop"}', /^faults\.json must contain a list of faults/],
    ['[{"kind":"flood"}]', /^faults\.json has an error in fault 1, at kind: .+\.$/],
    ['[{"kind":"stall","atStep":1},{"kind":"drop"}]', /error in fault 2, at atStep: .+\.$/],
    [
      '[{"kind":"drop","atStep":"later"}]',
      /at atStep: must be a step number from 1, "admission" or "creation"\.$/,
    ],
    ['[{"kind":"drop","atStep":1,"at":2}]', /error in fault 1: .+\.$/],
  ])('is refused in one sentence: %s', async (content, sentence) => {
    await expect(read(content)).rejects.toThrow(sentence);
  });
});
