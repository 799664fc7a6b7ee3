import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { composeRemoteChannel } from '../../../../../../electron/app/ipc/remote-actions.ts';
import type { RemoteAnswer } from '../../../../../../electron/platform/remote/remote-listener.ts';
import { failure, type Outcome } from '../../../../../../shared/errors/app-error.ts';
import { parley } from '../../../../../fakes/fake-terminal.ts';
import { workFolder } from '../../../../../fakes/work-folder.ts';

beforeEach(() => {
  vi.stubEnv('PARLEY_STATE_DIR', workFolder()('state'));
});
afterEach(() => {
  vi.unstubAllEnvs();
});

/** A running Parley that uses the same folder. */
async function running(answer: Outcome<RemoteAnswer> = { ok: true, value: undefined }) {
  const asked: string[] = [];
  const heard = await composeRemoteChannel().listen((words) => {
    asked.push(words);
    return Promise.resolve(answer);
  });
  if (!heard.ok) throw new Error(heard.error.code);
  return { asked, close: async () => heard.value?.() };
}

const commands = [
  ['start'],
  ['stop'],
  ['interrupt'],
  ['mute'],
  ['unmute'],
  ['pause'],
  ['resume'],
  ['show'],
  ['ptt', 'press'],
  ['ptt', 'release'],
  ['ptt', 'toggle'],
  ['links', 'on'],
  ['links', 'off'],
] as const;

describe('a command to the running Parley', () => {
  it('is sent and prints nothing', async () => {
    const { asked, close } = await running();
    for (const args of commands)
      expect(await parley(...args)).toEqual({ code: 0, out: '', err: '' });
    expect(asked).toEqual(commands.map((args) => args.join(' ')));
    await close();
  });

  it('prints the answer', async () => {
    const { asked, close } = await running({ ok: true, value: 'off' });
    expect(await parley('links', 'status')).toEqual({ code: 0, out: 'off\n', err: '' });
    expect(asked).toEqual(['links status']);
    await close();
  });

  it('reports in one sentence that Parley is not running', async () => {
    const err = 'Parley is not running; open it first.\n';
    for (const args of commands) expect(await parley(...args)).toEqual({ code: 3, out: '', err });
  });

  it('prints why Parley refused it', async () => {
    const { close } = await running(failure('noTalk'));
    expect(await parley('interrupt')).toEqual({
      code: 1,
      out: '',
      err: 'There is no talk. Start one first.\n',
    });
    await close();
  });

  it.each([
    [['ptt'], 'Name an action: parley ptt press, release or toggle.'],
    [['ptt', 'push'], 'ptt takes press, release or toggle, not "push".'],
    [['links'], 'Name an action: parley links on, off or status.'],
    [['links', 'maybe'], 'links takes on, off or status, not "maybe".'],
    [['ptt', 'press', 'now'], 'Unexpected argument "now".'],
    [['start', 'video'], 'Unexpected argument "video".'],
    [['show', '--loud'], 'Unknown option --loud.'],
  ])('refuses %j', async (args, sentence) => {
    const { code, err } = await parley(...args);
    expect([code, err.split('\n')[0]]).toEqual([2, sentence]);
    expect(err).toContain(`"parley ${args[0] ?? ''} --help" shows its options.`);
  });

  it('is listed in the help with its description', async () => {
    expect((await parley('--help')).out).toMatch(
      /^Commands for a running Parley:\n {2}ptt +press or release the talk key/m,
    );
    expect((await parley('ptt', '--help')).out).toContain(
      'Usage: parley ptt press|release|toggle\n',
    );
  });
});
