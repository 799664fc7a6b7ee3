import { type ChildProcess, spawn, type SpawnOptions, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '../fixtures/host-test.ts';
import { shippedProgram } from '../fixtures/inspectable-package.ts';
import { readOutput } from '../fixtures/processes.ts';

/** Root cannot use the sandbox, so root runs the package as `nobody`. */
const nobody = 65_534;
const asNobody = ['--user', 'nobody', '--'];

/** Why an ordinary user cannot use Chromium's sandbox here, or undefined. */
function sandboxRefusal(): string | undefined {
  const namespace = ['unshare', '--user', '--map-root-user', 'true'] as const;
  const [program, args] =
    process.getuid?.() === 0
      ? ['runuser', [...asNobody, ...namespace]]
      : [namespace[0], namespace.slice(1)];
  const { error, status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (error !== undefined) return `${program} cannot be run here: ${error.message}`;
  return status === 0 ? undefined : `no user namespace can be had: ${stderr.trim()}`;
}

interface Child {
  readonly pid: string;
  readonly command: string;
}

function childrenOf(pid: number): readonly Child[] {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const parents = new Map(all.map((id) => [id, statusOf(id)['PPid']] as const));
  const isDescendant = (id: string | undefined): boolean =>
    id !== undefined && (id === String(pid) || isDescendant(parents.get(id)));
  return all
    .filter((id) => id !== String(pid) && isDescendant(id))
    .map((id) => ({ pid: id, command: read(`/proc/${id}/cmdline`).replaceAll('\0', ' ') }));
}

function pagesOf(pid = 0): readonly Child[] {
  return childrenOf(pid).filter(({ command }) => command.includes('--type=renderer'));
}

function statusOf(pid: string): Readonly<Record<string, string>> {
  const lines = read(`/proc/${pid}/status`).split('\n');
  return Object.fromEntries(lines.map((line) => line.split(/:\s+/, 2) as [string, string]));
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

test('the package runs for an ordinary user with its pages in Chromium’s sandbox', async ({
  home,
}) => {
  const refusal = sandboxRefusal();
  test.skip(refusal !== undefined, refusal);
  const root = process.getuid?.() === 0;
  const own = { HOME: home, XDG_CONFIG_HOME: home, PARLEY_STATE_DIR: join(home, 'state') };
  mkdirSync(own.PARLEY_STATE_DIR);
  const key = process.env['XAUTHORITY'];
  if (key !== undefined && root) copyFileSync(key, join(home, 'screen-key'));
  for (const path of root ? ['', ...readdirSync(home)] : []) {
    chownSync(join(home, path), nobody, nobody);
  }
  const parley = spawn(
    root ? 'runuser' : shippedProgram,
    // A safe start lists no devices: PortAudio aborts when ALSA leads to another account's sound server.
    root ? [...asNobody, shippedProgram, '--safe-start'] : ['--safe-start'],
    {
      env: {
        ...process.env,
        ...own,
        ...(key !== undefined && root ? { XAUTHORITY: join(home, 'screen-key') } : {}),
      },
    },
  );
  const output = readOutput(parley);
  const exit = once(parley, 'exit');
  try {
    await expect.poll(output).toContain('Parley is open.');
    // A new process has its parent's command line at first.
    await expect.poll(() => pagesOf(parley.pid).length).toBeGreaterThan(0);
    const family = childrenOf(parley.pid ?? 0);
    expect(family.map(({ command }) => command).join('\n')).not.toContain('--no-sandbox');
    const pages = pagesOf(parley.pid);
    expect(pages.length).toBeGreaterThan(0);
    for (const { pid } of pages) {
      // A seccomp filter, no way to gain privileges, no capabilities, and separate namespaces.
      const status = statusOf(pid);
      expect(status['Uid']).not.toMatch(/^0\b/);
      expect(status).toMatchObject({
        Seccomp: '2',
        NoNewPrivs: '1',
        CapEff: '0000000000000000',
      });
      for (const space of ['user', 'net', 'pid']) {
        const [theirs, ours] = [pid, 'self'].map((one) => readlinkSync(`/proc/${one}/ns/${space}`));
        expect(theirs, space).not.toBe(ours);
      }
    }
  } finally {
    parley.kill('SIGTERM');
    await exit;
  }
});

const launcher = join(dirname(shippedProgram), 'bin/parley');

/** Starts a command as `nobody` in a container-like namespace that forbids further user namespaces. */
async function spawnUnprivileged(args: readonly string[], options: SpawnOptions) {
  const limit =
    'echo 0 > /proc/sys/user/max_user_namespaces && ' +
    'exec setpriv --reuid=65534 --regid=65534 --clear-groups -- "$@"';
  // The script waits until its user ids are mapped.
  const script = `read -r _ && exec sh -c '${limit}' sh "$@"`;
  const child = spawn('unshare', ['--user', 'sh', '-c', script, 'sh', ...args], {
    ...options,
    stdio: 'pipe',
  });
  // The mapping succeeds once the child has its own namespace.
  await expect.poll(() => isMapped(child)).toBe(true);
  child.stdin.end('\n');
  return child;
}

function isMapped({ pid = 0 }: ChildProcess): boolean {
  try {
    for (const kind of ['uid_map', 'gid_map']) writeFileSync(`/proc/${pid}/${kind}`, '0 0 65536');
    return true;
  } catch {
    return false;
  }
}

/** In a terminal Parley prints a sentence instead of showing a dialog. */
const inTerminal = (command: string): readonly string[] => ['script', '-qec', command, '/dev/null'];

test.describe('where Chromium gets no sandbox', () => {
  test.beforeEach(() => {
    test.skip(process.getuid?.() !== 0, 'only root can disable namespaces for the test');
  });

  test('Parley tells root why no window opens, in a terminal and without one', async ({ home }) => {
    const env = { ...process.env, XDG_CONFIG_HOME: home };
    const [program = '', ...words] = inTerminal(launcher);
    const terminal = spawn(program, words, { env });
    const output = readOutput(terminal);
    expect(await once(terminal, 'exit')).toEqual([1, null]);
    expect(output()).toMatch(
      /^Parley's window does not open for root, .* as an ordinary user\.\s*$/u,
    );

    const menu = spawn(launcher, [], { env });
    const shown = readOutput(menu);
    const exit = once(menu, 'exit');
    try {
      await expect.poll(shown).toContain('Parley’s window does not open for root');
    } finally {
      // The dialog stays open, so the test kills the process.
      menu.kill('SIGKILL');
      await exit;
    }
  });

  test('Parley explains missing user namespaces, where the engine alone would crash', async ({
    home,
  }) => {
    chmodSync(home, 0o777);
    const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: join(home, 'config') };
    const ended = async (words: readonly string[]) => {
      const child = await spawnUnprivileged(words, { env });
      const output = readOutput(child);
      const [code] = (await once(child, 'exit')) as [number | null];
      return { code, output: output() };
    };
    const explained = await ended(inTerminal(launcher));
    expect(explained.output).toMatch(
      /^This system allows Parley no sandbox: .* \(the guide says how\)\.\s*$/u,
    );
    expect(explained.code).toBe(1);
    // Without Parley's check the engine crashes.
    const bare = await ended([shippedProgram]);
    expect(bare.output).toMatch(/FATAL.*sandbox/su);
  });
});
