import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  actionsCommand,
  mergeActions,
  parseActionFile,
} from '../../../../../../electron/hosts/terminal/commands/actions-command.ts';
import { SettingsStore } from '../../../../../../electron/settings/settings-store.ts';
import { FakeClock } from '../../../../../fakes/fake-clock.ts';
import { FakeFiles } from '../../../../../fakes/fake-files.ts';
import { fakeTerminal, parley } from '../../../../../fakes/fake-terminal.ts';
import { FakeStateFile } from '../../../../../fakes/fake-state-file.ts';
import {
  builtInActions,
  type CursorAction,
} from '../../../../../../shared/cursor/cursor-action.ts';
import { reportCommand } from '../../../../../../electron/hosts/terminal/commands/report-command.ts';
import { compareCommand } from '../../../../../../electron/hosts/terminal/commands/compare-command.ts';
import { memoryCommand } from '../../../../../../electron/hosts/terminal/commands/memory-command.ts';
import { memoryHarness } from '../../../memory/memory-harness.ts';
import {
  devicesCommand,
  requireDevice,
} from '../../../../../../electron/hosts/terminal/commands/devices-command.ts';
import {
  machineVerdict,
  runModelBench,
} from '../../../../../../electron/hosts/terminal/commands/bench-command.ts';
import { failure, type Outcome } from '../../../../../../shared/errors/app-error.ts';
import { composeRemoteChannel } from '../../../../../../electron/app/ipc/remote-actions.ts';
import { workFolder } from '../../../../../fakes/work-folder.ts';
import type { SoundDevice } from '../../../../../../electron/audio/devices/sound-driver.ts';
import type { ModelBench } from '../../../../../../electron/app/machine-bench.ts';
import type { RemoteAnswer } from '../../../../../../electron/platform/remote/remote-listener.ts';

const haiku: CursorAction = {
  id: 'haiku',
  name: 'Haiku',
  icon: 'star',
  prompt: 'Write a haiku.',
  key: 'F7',
  inPlace: false,
};

function computerWith(files: FakeFiles) {
  const file = new FakeStateFile();
  const settings = new SettingsStore({ file, clock: new FakeClock() });
  const { terminal, written } = fakeTerminal();
  const run = (...args: readonly string[]) =>
    actionsCommand.run(args, terminal, () => ({ files, settings }));
  return { settings, file, run, written };
}

it('parley actions exports an action and imports it on another computer, without its key', async () => {
  const files = new FakeFiles();
  files.putFolder('/d');
  const [one, other] = [computerWith(files), computerWith(files)];
  one.settings.change({ cursor: { actions: [haiku] } });
  expect(await one.run('export', '/d/a.json')).toBe(0);
  expect(one.written.out).toBe('Exported actions: 1\n');
  expect(await other.run('import', '/d/a.json')).toBe(0);
  expect(files.text('/d/a.json')).not.toContain('F7');
  const { actions } = other.settings.get().cursor;
  expect(actions).toHaveLength(6);
  expect(actions.at(-1)).toEqual({ ...haiku, key: 'none' });
});

it('parley actions does not report an import that could not be stored', async () => {
  const files = new FakeFiles();
  files.putFolder('/d');
  const { settings, file, run, written } = computerWith(files);
  settings.change({ cursor: { actions: [haiku] } });
  await run('export', '/d/a.json');
  settings.change({ cursor: { actions: [] } });
  file.writeFailure = failure('diskFull', { path: '/d/settings.json' });
  written.out = '';
  await expect(run('import', '/d/a.json')).rejects.toMatchObject({ code: 2 });
  expect(written.out).toBe('');
});

it.each(['', '[]', '{"actions":[{}]}', JSON.stringify({ actions: [haiku, haiku] })])(
  'parseActionFile refuses %j',
  (text) => {
    expect(parseActionFile(text)).toMatchObject({ error: { code: 'cursorActionsUnread' } });
  },
);

it('mergeActions replaces an action with the same id in its place, keeps its key, and appends others', () => {
  const existing = [haiku, ...builtInActions.slice(0, 1)];
  const changed = { ...haiku, prompt: 'Write two.', key: 'none' };
  const other = { ...changed, id: 'other' };
  expect(mergeActions(existing, [other, changed])).toEqual({
    ok: true,
    value: [{ ...changed, key: 'F7' }, builtInActions[0], other],
  });
});

it.each([
  [[], 'diskFull', 1],
  [['tape'], 'diskFull', 1],
  [['tape'], 'tapeUnplayable', 1],
  [['tape'], 'notTape', 2],
] as const)('parley report %j ends after %s with exit code %i', async (args, code, exit) => {
  const reports = { make: () => Promise.resolve(failure(code, { path: 'tape' })) };
  const { terminal } = fakeTerminal();
  await expect(reportCommand.run(args, terminal, () => ({ reports }))).rejects.toMatchObject({
    code: exit,
  });
});

it.each([
  ['diskFull', 'one', 1],
  ['readOnly', 'one', 1],
  ['noPermission', 'state/scratch', 1],
  ['noPermission', 'one/tape.ndjson', 2],
  ['notTape', 'one', 2],
] as const)('parley compare ends after %s of %s with exit code %i', async (code, path, exit) => {
  const tools = { compare: () => Promise.resolve(failure(code, { path })) };
  const { terminal } = fakeTerminal();
  const run = compareCommand.run(['one', 'other'], terminal, () => ({
    tapeTools: () => Promise.resolve(tools),
  }));
  await expect(run).rejects.toMatchObject({ code: exit });
});

function openMemory() {
  const { store, disk } = memoryHarness();
  const { terminal, written } = fakeTerminal();
  const run = (...args: readonly string[]) => {
    written.out = '';
    return memoryCommand.run(args, terminal, () => ({ memory: store }));
  };
  return { store, disk, run, written };
}

it('parley memory adds and lists a sentence, and removes it by its ID', async () => {
  const { store, run, written } = openMemory();
  expect(await run('add', 'I live in Bergen.')).toBe(0);
  const id = store.sentences()[0]?.id ?? '';
  await store.change(id, { on: false });
  expect(await run('list')).toBe(0);
  expect(written.out).toBe(`${id}  I live in Bergen.  (off)\n`);
  await run('list', '--json');
  expect(JSON.parse(written.out)).toMatchObject({ id, source: { kind: 'person' }, on: false });
  expect(await run('remove', id)).toBe(0);
  expect(written.out).toBe('');
  expect(store.sentences()).toEqual([]);
});

it('parley memory refuses wrong usage in one sentence', async () => {
  const { run } = openMemory();
  await expect(run('add')).rejects.toThrow('Write a sentence: parley memory add');
  await expect(run('remove')).rejects.toThrow('Name an ID');
  await expect(run('remove', 'nobody')).rejects.toThrow('No sentence has the ID nobody');
  await expect(run('list', 'more')).rejects.toThrow('Unexpected argument "more".');
});

const array: SoundDevice = {
  name: 'Array of eight',
  hostApi: 'ALSA',
  inputChannels: 8,
  outputChannels: 0,
  rate: 48_000,
  defaultInput: true,
  defaultOutput: false,
};
const box: SoundDevice = { ...array, name: 'Box', inputChannels: 0, outputChannels: 2 };

async function list(found: readonly SoundDevice[], ...args: string[]) {
  const { terminal, written } = fakeTerminal();
  const sound = { devices: () => Promise.resolve({ ok: true, value: found } as const) };
  const code = await devicesCommand.run(args, terminal, () => ({ sound }));
  return { code, ...written };
}

it('parley devices lists the devices as a table and as JSON', async () => {
  const table =
    'Array of eight  ALSA  8 in         48000 Hz  default microphone\n' +
    'Box             ALSA        2 out  48000 Hz  default microphone\n';
  expect(await list([array, box])).toEqual({ code: 0, err: '', out: table });
  const { out } = await list([array], '--json');
  expect(JSON.parse(out)).toEqual({ event: 'device', ...array });
});

it('parley devices reports in one sentence that there is no device', async () => {
  const sentence =
    'There is no sound device on this machine. Connect one, or start the sound server.\n';
  expect(await list([])).toEqual({ code: 4, out: '', err: sentence });
});

it('requireDevice fails with a sentence if the device is missing', () => {
  const known =
    'There is no device called “Box” here, only “Array of eight”. Connect it, or choose another one.';
  expect(() => {
    requireDevice([array, box], 'microphone', { name: 'Box' });
  }).toThrow(expect.objectContaining({ message: known, code: 4 }));
  expect(() => {
    requireDevice([array], 'speaker', 'default');
  }).toThrow('There is no speaker on this machine. Connect one.');
  requireDevice([array, box], 'speaker', { name: 'Box' });
  requireDevice([array, box], 'microphone', 'default');
});

/** A benchmark whose steps take this long, and 200 ms more with a picture. */
function benchWithSteps(stepMs: number) {
  const bench: ModelBench = {
    load: () => Promise.resolve({ ok: true, value: 12_340 }),
    measure: (steps, withPicture) =>
      Promise.resolve({
        ok: true,
        value: Array.from({ length: steps }, () => stepMs + (withPicture ? 200 : 0)),
      }),
  };
  return { ...fakeTerminal(), bench };
}

it('parley bench prints the load time, the steps with and without a picture, and a verdict in words', async () => {
  const { written, terminal, bench } = benchWithSteps(500);
  expect(await runModelBench(bench, 4, false, terminal)).toBe(0);
  expect(written.out).toBe(
    [
      'Loaded in 12.3 s.',
      'Without a picture: median 500 ms, 9 of 10 steps within 500 ms, longest 500 ms.',
      'With a picture: median 700 ms, 9 of 10 steps within 700 ms, longest 700 ms.',
      'This computer is fast enough for talks and pictures.',
      '',
    ].join('\n'),
  );
});

it.each([
  [800, 'fewPictures', 0],
  [950, 'chatOnly', 1],
] as const)('parley bench judges steps of %d ms as %s', async (stepMs, verdict, code) => {
  const { written, terminal, bench } = benchWithSteps(stepMs);
  expect(await runModelBench(bench, 10, true, terminal)).toBe(code);
  const lines = written.out.trim().split('\n');
  expect(lines).toHaveLength(4);
  expect(JSON.parse(lines.at(-1) ?? '')).toEqual({ event: 'verdict', verdict });
});

it('parley bench fails if the model cannot be loaded, and ends with exit code 1 at Ctrl-C', async () => {
  const { terminal, bench, interrupt } = benchWithSteps(500);
  const broken = { ...bench, load: () => Promise.resolve(failure('modelCardMemory')) };
  await expect(runModelBench(broken, 10, false, terminal)).rejects.toMatchObject({ code: 1 });
  const running = runModelBench(
    { ...bench, load: () => new Promise(() => undefined) },
    10,
    false,
    terminal,
  );
  interrupt();
  expect(await running).toBe(1);
});

it('parley bench judges in four sentences whether a computer is fast enough, with a limit of 0.9 of a core', () => {
  const verdicts = [0.06, 0.4, 0.6, 0.9, 0.91, 3].map((share) => machineVerdict(share));
  expect(verdicts.map(({ enough }) => enough)).toEqual([true, true, true, true, false, false]);
  expect(new Set(verdicts.map(({ sentence }) => sentence)).size).toBe(4);
});

describe('commands to a running Parley', () => {
  beforeEach(() => {
    vi.stubEnv('PARLEY_STATE_DIR', workFolder()('state'));
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
    'start stop interrupt mute unmute pause resume show'.split(' ').map((name) => [name]),
    ['press', 'release', 'toggle'].map((action) => ['ptt', action]),
    ['on', 'off'].map((state) => ['links', state]),
  ].flat();

  describe('a command to the running Parley', () => {
    it('is sent, and prints only an answer', async () => {
      const { asked, close } = await running();
      for (const args of commands)
        expect(await parley(...args)).toEqual({ code: 0, out: '', err: '' });
      expect(asked).toEqual(commands.map((args) => args.join(' ')));
      await close();
      const other = await running({ ok: true, value: 'off' });
      expect(await parley('links', 'status')).toEqual({ code: 0, out: 'off\n', err: '' });
      await other.close();
    });

    it('sends a question of some thousand characters, and says if it cut a longer one', async () => {
      const { asked, close } = await running();
      const question = 'word '.repeat(1600);
      expect(await parley('ask', question)).toEqual({ code: 0, out: '', err: '' });
      expect(await parley('ask', question.repeat(2))).toEqual({
        code: 0,
        out: '',
        err: 'The question is too long: only its first 1300 characters are used.\n',
      });
      expect(asked).toEqual([
        `ask ${JSON.stringify(question)}`,
        `ask ${JSON.stringify(question.slice(0, 1300))}`,
      ]);
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
      [['links', 'maybe'], 'links takes on, off or status, not "maybe".'],
      [['ptt', 'press', 'now'], 'Unexpected argument "now".'],
      [['start', 'video'], 'Unexpected argument "video".'],
    ])('refuses %j', async (args, sentence) => {
      const { code, err } = await parley(...args);
      expect([code, err.split('\n')[0]]).toEqual([2, sentence]);
      expect(err).toContain(`"parley ${args[0] ?? ''} --help" shows its options.`);
    });
  });
});
