import { chmodSync, copyFileSync, readFileSync, mkdtempSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { buildDeb, stageDeb } from '../../../scripts/package/make-deb.mjs';
import { which } from '../../../scripts/lib/run.mjs';
import { packageDate } from '../../../scripts/package/package-date.mjs';
import { runTool } from '../../contract/sound/run-tool.ts';
import { isDefaultTier } from '../../set-up/test-tiers.ts';
import { listenToSpeaker } from '../../fakes/virtual-card.ts';
import { shippedProgram } from '../fixtures/inspectable-package.ts';
import { expect, test } from '../fixtures/host-test.ts';
import { speakSentence, skipWithoutSoundCard } from '../fixtures/sound-card.ts';
import { readOutput, childrenOf, readCommand } from '../fixtures/processes.ts';
import { execFileSync, spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** A home folder with characters that scripts must quote. */
const home = `/home/李 O'Neil "x" $HOME`;
const userName = 'anna';
const userPath = 'PATH=/usr/local/bin:/usr/bin:/bin';

type MachineProcess = ChildProcessByStdio<null, Readable, Readable>;

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

function findIsolationProblem(): string | undefined {
  if (process.getuid?.() !== 0) return 'a package is installed by root only';
  try {
    execFileSync('unshare', ['--mount', '--pid', '--fork', 'mount', '--make-rprivate', '/']);
    execFileSync('dpkg', ['--version']);
    return undefined;
  } catch (error) {
    return `an isolated machine cannot be started here: ${String(error).split('\n', 1)[0]}`;
  }
}

/** A copy-on-write view of this machine in its own namespaces, where a test can install packages. */
class IsolatedMachine {
  readonly home = home;
  readonly #folder = mkdtempSync(join(tmpdir(), 'parley-machine-'));
  #process: MachineProcess | undefined;
  #first = 0;
  readonly #environment: Readonly<Record<string, string>>;

  constructor(environment: Readonly<Record<string, string>>) {
    this.#environment = environment;
  }

  async start(): Promise<void> {
    const script = join(import.meta.dirname, 'isolated-machine.sh');
    const own = ['--mount', '--pid', '--fork', '--kill-child', 'sh', script, this.#folder];
    const child: MachineProcess = spawn('unshare', own, { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#process = child;
    let complaints = '';
    child.stderr.on('data', (piece: Buffer) => (complaints += piece.toString()));
    for await (const line of createInterface(child.stdout)) if (line === 'ready') break;
    const [first] = childrenOf(child.pid);
    if (first === undefined) throw new Error(`The isolated machine did not start: ${complaints}`);
    this.#first = first;
    await this.runAsRoot('useradd', '--no-create-home', '--home-dir', '/nowhere', userName);
    // Creates the home folder by hand: useradd refuses its characters, but real home folders have them.
    await this.runAsRoot('mkdir', '-p', join(home, 'run'));
    await this.runAsRoot('chown', '-R', userName, home);
    await this.runAsRoot('chmod', '-R', '700', home);
  }

  /** Runs a command as root, and throws if it fails. */
  async runAsRoot(...command: readonly string[]): Promise<string> {
    const { code, output } = await waitForEnd(this.#spawn(command, {}));
    if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}: ${output}`);
    return output;
  }

  /** Starts a command as an ordinary user in their home folder. */
  spawnAsUser(...command: readonly string[]): MachineProcess {
    // Hides root's settings and buses.
    const env = {
      ...this.#environment,
      USER: userName,
      LANG: 'C.UTF-8',
      XDG_RUNTIME_DIR: join(home, 'run'),
      TMPDIR: join(home, 'run'),
      DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere',
    };
    const wrapped = [
      'runuser',
      '-u',
      userName,
      '--',
      'env',
      '-C',
      home,
      `HOME=${home}`,
      userPath,
      ...command,
    ];
    return this.#spawn(wrapped, env);
  }

  async runAsUser(...command: readonly string[]): Promise<Ended> {
    return waitForEnd(this.spawnAsUser(...command));
  }

  /** Files written since the start. */
  async changed(): Promise<readonly string[]> {
    const found = await this.runAsRoot(
      'find',
      '/mnt/changes',
      '!',
      '-type',
      'd',
      '!',
      '-type',
      'c',
    );
    return found.split('\n').map((line) => line.replace(/^\/mnt\/changes/u, ''));
  }

  async end(): Promise<void> {
    const child = this.#process;
    if (child !== undefined && child.exitCode === null && child.signalCode === null) {
      const gone = once(child, 'exit');
      // Killing the first process ends all others and the mounts.
      if (this.#first !== 0) process.kill(this.#first, 'SIGKILL');
      child.kill('SIGKILL');
      await gone;
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #spawn(command: readonly string[], env: NodeJS.ProcessEnv): MachineProcess {
    const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
    const inside = ['--target', String(this.#first), '--mount', '--pid', '--', ...command];
    return spawn('nsenter', inside, {
      env: { PATH, DEBIAN_FRONTEND: 'noninteractive', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }
}

async function waitForEnd(child: MachineProcess): Promise<Ended> {
  const output = readOutput(child);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output: output() };
}

const root = resolve(import.meta.dirname, '../../..');
const stored = {
  version: 1,
  firstRun: { done: true },
  privacy: { keepTalks: 'yes' },
  appearance: { theme: 'dark' },
};

/** `npm test` installs one version, and leaves the steps that other tests hold in the unpacked app to the night. */
const atNight = isDefaultTier
  ? () => Promise.resolve()
  : (title: string, step: () => Promise<void>) => test.step(title, step);

test('an ordinary user can install, use, upgrade and remove the package', async () => {
  const missing = findIsolationProblem();
  test.skip(missing !== undefined, missing);
  skipWithoutSoundCard();
  test.skip(which('xdotool') === undefined, 'xdotool is not installed');
  const desktopDatabase = which('update-desktop-database');
  test.skip(desktopDatabase === undefined, 'desktop-file-utils is not installed');
  test.setTimeout(360_000);
  const packages = await mkdtemp(join(tmpdir(), 'parley-debs-'));
  const machine = new IsolatedMachine(displayAndSound(packages));
  try {
    const versions = isDefaultTier ? ['0.0.1'] : ['0.0.1', '0.0.2'];
    const [older = '', newer = ''] = await test.step('build the packages', () =>
      makePackages(packages, versions));
    await machine.start();
    // Otherwise Debian indexes every manual page at each step, for ten seconds of processor time.
    await machine.runAsRoot('rm', '-f', '/var/lib/man-db/auto-update');
    const before = await machine.changed();

    await test.step('the older one is installed, and found by desktop and shell', async () => {
      await machine.runAsRoot('dpkg', '--force-unsafe-io', '--install', older);
      expect((await machine.runAsUser('sh', '-c', 'command -v parley')).output).toBe(
        '/usr/bin/parley\n',
      );
      for (const type of ['x-scheme-handler/parley', 'application/x-parley-tape']) {
        const { output } = await machine.runAsUser('gio', 'mime', type);
        expect(output, type).toContain('org.parley.Parley.desktop');
      }
      const manual = await machine.runAsRoot('sh', '-c', 'zcat /usr/share/man/man1/parley.1.gz');
      expect(manual).toContain('.SS "parley talk"');
      // The marker leaves updates to the system.
      const owner = await machine.runAsRoot('cat', '/usr/lib/parley/resources/package-type');
      expect(owner).toBe('system\n');
      // Commands work without a display.
      expect(await machine.runAsUser('env', '-u', 'DISPLAY', 'parley', 'show')).toEqual({
        code: 3,
        output: 'Parley is not running; open it first.\n',
      });
      expect(await machine.runAsUser('env', 'HOME=/proc', 'parley', '--version')).toEqual({
        code: 1,
        output: expect.stringMatching(/^Parley may not write into \/proc\/.config: .*\n$/),
      });
    });

    await atNight('a dialog explains an unwritable configuration folder', async () => {
      const parley = machine.spawnAsUser('env', 'HOME=/proc', 'LC_ALL=zh_CN.UTF-8', 'parley');
      const end = waitForEnd(parley);
      await pressReturnIn('^Parley$');
      expect(await end).toEqual({
        code: 1,
        output: expect.stringMatching(/^Parley 无法打开：没有权限写入 \/proc\/\.config。.*$/mu),
      });
    });

    await test.step('the installed app runs once, with its pages in the sandbox', async () => {
      await machine.runAsUser('mkdir', '-p', '.local/state/parley');
      await store(machine, stored);
      const { pid } = await open(machine);
      // A second copy, from an archive, finds the running one.
      await machine.runAsRoot('cp', '-a', '/usr/lib/parley', '/opt/another');
      for (const program of ['parley', '/opt/another/bin/parley']) {
        expect(await waitForEnd(machine.spawnAsUser(program)), program).toEqual({
          code: 0,
          output: expect.stringContaining('Parley is already running'),
        });
      }
      await machine.runAsRoot('rm', '-r', '/opt/another');
      const pages = childrenOf(pid).filter((pid) => readCommand(pid).includes('--type=renderer'));
      expect(pages.length).toBeGreaterThan(0);
      for (const pid of pages) {
        expect(readCommand(pid)).not.toContain('--no-sandbox');
        expect(readFileSync(`/proc/${pid}/status`, 'utf8')).toMatch(/^Seccomp:\t2$/m);
      }
    });

    await test.step('the installed app talks with the demonstration, driven from a terminal', async () => {
      const speaker = listenToSpeaker(16_000);
      expect(await machine.runAsUser('parley', 'start')).toEqual({ code: 0, output: '' });
      await speakUntil(speaker.waitForLevel(0.05));
      await speaker.end();
      expect(await machine.runAsUser('parley', 'stop')).toEqual({ code: 0, output: '' });
      await expect.poll(async () => (await history(machine)).length).toBe(1);
    });

    await atNight('the desktop opens tapes and links with it', async () => {
      copyFileSync(
        join(root, 'resources/tapes/voice.parleytape'),
        join(packages, 'a talk.parleytape'),
      );
      await waitForEnd(machine.spawnAsUser('gio', 'open', join(packages, 'a talk.parleytape')));
      // The one-file tape is unpacked into the scratch folder.
      const unpacked = async () =>
        (await machine.runAsUser('ls', '.local/state/parley/scratch')).output;
      await expect.poll(unpacked).toContain('-tape-');
      // The link goes to the running Parley, through the desktop's opener.
      const { output } = await machine.runAsUser('xdg-open', 'parley://start');
      expect(output).toContain('Parley is already running');
    });

    await atNight('an upgrade keeps settings and history', async () => {
      const [talk] = await history(machine);
      await quit(machine);
      await machine.runAsRoot('dpkg', '--force-unsafe-io', '--install', newer);
      expect(await history(machine)).toEqual([talk]);
      await open(machine, 'LC_ALL=xx_YY.UTF-8');
      const settings = await machine.runAsUser('cat', '.local/state/parley/settings.json');
      expect(JSON.parse(settings.output)).toMatchObject(stored);
    });

    await test.step('removing it while it runs leaves no files outside the home folder', async () => {
      await machine.runAsRoot('dpkg', '--remove', 'parley');
      expect(await running(machine)).toBe('');
      await machine.runAsRoot('dpkg', '--purge', 'parley');
      const left = (await machine.changed()).filter(
        (path) => !before.includes(path) && !path.startsWith(machine.home),
      );
      expect(left.filter((path) => /parley/iu.test(path))).toEqual([]);
      expect((await machine.runAsUser('ls', '.local/state/parley')).output).toContain(
        'settings.json',
      );
    });
  } finally {
    await machine.end();
    await rm(packages, { recursive: true, force: true });
  }
});

async function store(machine: IsolatedMachine, settings: object): Promise<void> {
  const text = JSON.stringify(settings);
  const write = `printf %s '${text}' > "$HOME/.local/state/parley/settings.json"`;
  expect(await machine.runAsUser('sh', '-c', write)).toEqual({ code: 0, output: '' });
}

/** Builds the same program under several versions, because there is no earlier release. */
async function makePackages(folder: string, versions: readonly string[]): Promise<string[]> {
  chmodSync(folder, 0o755);
  const stage = join(folder, 'stage');
  const date = await packageDate();
  await stageDeb({ unpacked: dirname(shippedProgram), stage, date });
  const made: string[] = [];
  for (const version of versions) {
    made.push(await buildDeb({ stage, date, version, compression: 'none', folder }));
  }
  return made;
}

/** The display and sound card of the test, made accessible to an ordinary user. */
function displayAndSound(folder: string): Readonly<Record<string, string>> {
  const { DISPLAY = '', XAUTHORITY, PULSE_SERVER = '', ALSA_CONFIG_PATH = '' } = process.env;
  if (ALSA_CONFIG_PATH !== '') chmodSync(dirname(ALSA_CONFIG_PATH), 0o755);
  const variables = { DISPLAY, PULSE_SERVER, ALSA_CONFIG_PATH };
  if (XAUTHORITY === undefined) return variables;
  const key = join(folder, 'screen-key');
  copyFileSync(XAUTHORITY, key);
  chmodSync(key, 0o644);
  return { ...variables, XAUTHORITY: key };
}

/** Starts the window, and keeps reading its output so that it never blocks. */
async function open(
  machine: IsolatedMachine,
  ...environment: readonly string[]
): Promise<{ readonly pid: number | undefined }> {
  const parley = machine.spawnAsUser('env', ...environment, 'parley');
  await expect.poll(readOutput(parley)).toContain('Parley is open.');
  return { pid: parley.pid };
}

/** Presses Return in the window with that title, once it appears. */
async function pressReturnIn(name: string): Promise<void> {
  const find = ['search', '--onlyvisible', '--name', name];
  const found = async () => (await runTool('xdotool', find)).output.split('\n')[0] ?? '';
  await expect.poll(found).not.toBe('');
  const args = ['windowfocus', '--sync', await found(), 'key', 'Return'];
  await runTool('xdotool', args);
}

/** Speaks up to five times, because the first sentence may come before the microphone opens. */
async function speakUntil(answered: Promise<void>): Promise<void> {
  const end = answered.then(() => 'answered');
  for (let time = 0; time < 5; time += 1) {
    await speakSentence();
    const pause = new Promise((resolve) => setTimeout(resolve, 4000));
    if ((await Promise.race([end, pause])) === 'answered') return;
  }
  throw new Error('Nothing was answered to five sentences.');
}

async function history(machine: IsolatedMachine): Promise<readonly string[]> {
  const { output } = await machine.runAsUser('parley', 'history', '--json');
  return output.split('\n').filter((line) => line.startsWith('{'));
}

async function running(machine: IsolatedMachine): Promise<string> {
  const { output } = await machine.runAsUser('pgrep', '-f', '^/usr/lib/parley/');
  return output;
}

async function quit(machine: IsolatedMachine): Promise<void> {
  await machine.runAsRoot('pkill', '-TERM', '-o', '-f', '^/usr/lib/parley/parley');
  await expect.poll(() => running(machine)).toBe('');
}
