import { chmodSync, copyFileSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { buildDeb, stageDeb } from '../../../scripts/package/make-deb.mjs';
import { which } from '../../../scripts/lib/which.mjs';
import { packageDate } from '../../../scripts/package/package-date.mjs';
import { runTool } from '../../contract/sound/run-tool.ts';
import { listenToSpeaker } from '../../fakes/virtual-card.ts';
import { shippedProgram } from '../fixtures/inspectable-package.ts';
import { expect, test } from '../fixtures/host-test.ts';
import { speakSentence } from '../fixtures/pages/speak-sentence.ts';
import { childrenOf, readCommand } from '../fixtures/process-tree.ts';
import { ended, missingMachine, OwnMachine } from '../fixtures/own-machine.ts';
import { skipWithoutSoundCard } from '../fixtures/skip-without-sound-card.ts';

const patient = { timeout: 40_000 };
const root = resolve(import.meta.dirname, '../../..');
/** As somebody set it who has been here before. */
const stored = {
  version: 1,
  firstRun: { done: true },
  privacy: { keepTalks: 'yes' },
  appearance: { theme: 'dark' },
};

test('is installed, used, upgraded and removed as a package, by an ordinary user', async () => {
  const missing = missingMachine();
  test.skip(missing !== undefined, missing);
  skipWithoutSoundCard();
  test.skip(which('xdotool') === undefined, 'nobody presses a key here: there is no xdotool');
  const telling = which('update-desktop-database');
  test.skip(telling === undefined, 'no desktop is told of programs here: no desktop-file-utils');
  test.setTimeout(360_000);
  const packages = await mkdtemp(join(tmpdir(), 'parley-debs-'));
  const machine = new OwnMachine(aroundIt(packages));
  try {
    const [older, newer] = await test.step('two packages are made', () => makeTwo(packages));
    await machine.start();
    const before = await machine.changed();

    await test.step('the older one is installed, and found by desktop and shell', async () => {
      await machine.must('dpkg', '--force-unsafe-io', '--install', older);
      expect((await machine.ask('sh', '-c', 'command -v parley')).said).toBe('/usr/bin/parley\n');
      for (const type of ['x-scheme-handler/parley', 'application/x-parley-tape']) {
        const { said } = await machine.ask('gio', 'mime', type);
        expect(said, type).toContain('org.parley.Parley.desktop');
      }
      const manual = await machine.must('sh', '-c', 'zcat /usr/share/man/man1/parley.1.gz');
      expect(manual).toContain('.SS "parley talk"');
      // It leaves updates to the system, as whoever reads this does.
      const owner = await machine.must('cat', '/usr/lib/parley/resources/package-type');
      expect(owner).toBe('system\n');
      // Without a window, and without one ever having been open.
      expect(await machine.ask('env', '-u', 'DISPLAY', 'parley', 'show')).toEqual({
        code: 3,
        said: 'Parley is not running; open it first.\n',
      });
      expect(await machine.ask('env', 'HOME=/proc', 'parley', '--version')).toEqual({
        code: 1,
        said: expect.stringMatching(/^Parley may not write into \/proc\/.config: .*\n$/),
      });
    });

    await test.step('started from a menu by who may not write their settings, a box says so', async () => {
      const parley = machine.as('env', 'HOME=/proc', 'LC_ALL=zh_CN.UTF-8', 'parley');
      const end = ended(parley);
      await pressReturnIn('^Parley$');
      expect(await end).toEqual({
        code: 1,
        said: expect.stringMatching(/^Parley 无法打开：没有权限写入 \/proc\/\.config。.*$/mu),
      });
    });

    await test.step('it opens in a home whose disk is full, and says what that takes away', async () => {
      await machine.must('mkdir', '-p', '/home/full');
      await machine.must('mount', '-t', 'tmpfs', '-o', 'size=8m,mode=777', 'tmpfs', '/home/full');
      await machine.ask('dd', 'if=/dev/zero', 'of=/home/full/all', 'bs=1M');
      const parley = await open(machine, 'HOME=/home/full');
      await expect.poll(() => parley.said(), patient).toContain('The log cannot be written to');
      await quit(machine);
      await machine.must('umount', '--lazy', '/home/full');
    });

    await test.step('it runs with its pages in the sandbox, once', async () => {
      await machine.ask('mkdir', '-p', '.local/state/parley');
      const settings = JSON.stringify(stored);
      await machine.ask(
        'sh',
        '-c',
        `printf %s '${settings}' > "$HOME/.local/state/parley/settings.json"`,
      );
      const { pid } = await open(machine);
      // Another version, from an archive, is the same Parley to the person.
      await machine.must('cp', '-a', '/usr/lib/parley', '/opt/another');
      for (const program of ['parley', '/opt/another/bin/parley']) {
        expect(await ended(machine.as(program)), program).toEqual({
          code: 0,
          said: expect.stringContaining('Parley is already running'),
        });
      }
      await machine.must('rm', '-r', '/opt/another');
      const pages = childrenOf(pid).filter((pid) => readCommand(pid).includes('--type=renderer'));
      expect(pages.length).toBeGreaterThan(0);
      for (const pid of pages) {
        expect(readCommand(pid)).not.toContain('--no-sandbox');
        expect(readFileSync(`/proc/${pid}/status`, 'utf8')).toMatch(/^Seccomp:\t2$/m);
      }
    });

    await test.step('it talks with the demonstration, driven from a terminal', async () => {
      const speaker = listenToSpeaker(16_000);
      expect(await machine.ask('parley', 'start')).toEqual({ code: 0, said: '' });
      await speakUntil(speaker.waitForLevel(0.05));
      await speaker.end();
      expect(await machine.ask('parley', 'stop')).toEqual({ code: 0, said: '' });
      await expect.poll(async () => (await history(machine)).length, patient).toBe(1);
    });

    await test.step('a tape and a link are opened with it by the desktop', async () => {
      copyFileSync(
        join(root, 'resources/tapes/voice.parleytape'),
        join(packages, 'a talk.parleytape'),
      );
      await ended(machine.as('gio', 'open', join(packages, 'a talk.parleytape')));
      // It is one file, and unpacked where it is opened.
      const unpacked = async () => (await machine.ask('ls', '.local/state/parley/scratch')).said;
      await expect.poll(unpacked, patient).toContain('-tape-');
      // It went to the one that runs, from where the desktop's own program reads what opens such a link.
      const { said } = await machine.ask('xdg-open', 'parley://start');
      expect(said).toContain('Parley is already running');
    });

    await test.step('an upgrade keeps what there is', async () => {
      const [talk] = await history(machine);
      await quit(machine);
      await machine.must('dpkg', '--force-unsafe-io', '--install', newer);
      expect(await history(machine)).toEqual([talk]);
      await open(machine, 'LC_ALL=xx_YY.UTF-8');
      const settings = await machine.ask('cat', '.local/state/parley/settings.json');
      expect(JSON.parse(settings.said)).toMatchObject(stored);
    });

    await test.step('it is removed while it runs, and nothing of it stays', async () => {
      await machine.must('dpkg', '--remove', 'parley');
      expect(await running(machine)).toBe('');
      await machine.must('dpkg', '--purge', 'parley');
      const left = (await machine.changed()).filter(
        (path) => !before.includes(path) && !path.startsWith(machine.home),
      );
      expect(left.filter((path) => /parley/iu.test(path))).toEqual([]);
      // What the person has said and set is theirs.
      expect((await machine.ask('ls', '.local/state/parley')).said).toContain('settings.json');
    });
  } finally {
    await machine.end();
    await rm(packages, { recursive: true, force: true });
  }
});

/** The same program twice: there is no release before this one yet. */
async function makeTwo(folder: string): Promise<readonly [string, string]> {
  chmodSync(folder, 0o755);
  const stage = join(folder, 'stage');
  const date = await packageDate();
  await stageDeb({ unpacked: dirname(shippedProgram), stage, date });
  const made: string[] = [];
  for (const version of ['0.0.1', '0.0.2']) {
    made.push(await buildDeb({ stage, date, version, compression: 'none', folder }));
  }
  const [older = '', newer = ''] = made;
  return [older, newer];
}

/** Screen and sound card of the test's runner, for somebody who is not root. */
function aroundIt(folder: string): Readonly<Record<string, string>> {
  const { DISPLAY = '', XAUTHORITY, PULSE_SERVER = '', ALSA_CONFIG_PATH = '' } = process.env;
  if (ALSA_CONFIG_PATH !== '') chmodSync(dirname(ALSA_CONFIG_PATH), 0o755);
  const given = { DISPLAY, PULSE_SERVER, ALSA_CONFIG_PATH };
  if (XAUTHORITY === undefined) return given;
  const key = join(folder, 'screen-key');
  copyFileSync(XAUTHORITY, key);
  chmodSync(key, 0o644);
  return { ...given, XAUTHORITY: key };
}

/** Starts the window from the PATH; what it says is read on, or it would wait for a reader. */
async function open(
  machine: OwnMachine,
  ...environment: readonly string[]
): Promise<{ readonly pid: number | undefined; readonly said: () => string }> {
  const parley = machine.as('env', ...environment, 'parley');
  let said = '';
  for (const stream of [parley.stdout, parley.stderr]) {
    stream.on('data', (piece: Buffer) => (said += piece.toString()));
  }
  await expect.poll(() => said, patient).toContain('Parley is open.');
  return { pid: parley.pid, said: () => said };
}

/** In the window of that name, as soon as it is there. */
async function pressReturnIn(name: string): Promise<void> {
  const find = ['search', '--onlyvisible', '--name', name];
  const found = async () => (await runTool('xdotool', find)).output.split('\n')[0] ?? '';
  await expect.poll(found, patient).not.toBe('');
  const words = ['windowfocus', '--sync', await found(), 'key', 'Return'];
  await runTool('xdotool', words);
}

/** Said once, a sentence may fall into the moment in which the microphone is opened. */
async function speakUntil(answered: Promise<void>): Promise<void> {
  const end = answered.then(() => 'answered');
  for (let time = 0; time < 5; time += 1) {
    await speakSentence();
    const pause = new Promise((resolve) => setTimeout(resolve, 4000));
    if ((await Promise.race([end, pause])) === 'answered') return;
  }
  throw new Error('Nothing was answered to five sentences.');
}

async function history(machine: OwnMachine): Promise<readonly string[]> {
  const { said } = await machine.ask('parley', 'history', '--json');
  return said.split('\n').filter((line) => line.startsWith('{'));
}

async function running(machine: OwnMachine): Promise<string> {
  const { said } = await machine.ask('pgrep', '-f', '^/usr/lib/parley/');
  return said;
}

async function quit(machine: OwnMachine): Promise<void> {
  await machine.must('pkill', '-TERM', '-o', '-f', '^/usr/lib/parley/parley');
  await expect.poll(() => running(machine), patient).toBe('');
}
