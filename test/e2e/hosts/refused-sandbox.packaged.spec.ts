import { spawn } from 'node:child_process';
import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '../fixtures/host-test.ts';
import { shippedProgram } from '../fixtures/inspectable-package.ts';

const parley = join(dirname(shippedProgram), 'bin/parley');

test.beforeEach(() => {
  test.skip(process.getuid?.() !== 0, 'only root can disable namespaces for the test');
});

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

function listen(child: ChildProcess): () => string {
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (piece: Buffer) => (output += piece.toString()));
  return () => output;
}

/** In a terminal Parley prints a sentence instead of showing a dialog. */
const inTerminal = (program: string): readonly string[] => ['script', '-qec', program, '/dev/null'];

test('Parley tells root why no window opens, in a terminal and in a dialog', async ({ home }) => {
  const env = { ...process.env, XDG_CONFIG_HOME: home };
  const [program = '', ...words] = inTerminal(parley);
  const terminal = spawn(program, words, { env });
  const output = listen(terminal);
  expect(await once(terminal, 'exit')).toEqual([1, null]);
  expect(output()).toMatch(
    /^Parley's window does not open for root, .* as an ordinary user\.\s*$/u,
  );

  const menu = spawn(parley, [], { env });
  const shown = listen(menu);
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
    const output = listen(child);
    const [code] = (await once(child, 'exit')) as [number | null];
    return { code, output: output() };
  };
  const explained = await ended(inTerminal(parley));
  expect(explained.output).toMatch(
    /^This system allows Parley no sandbox: .* \(the guide says how\)\.\s*$/u,
  );
  expect(explained.code).toBe(1);
  // Without Parley's check the engine crashes.
  const bare = await ended([shippedProgram]);
  expect(bare.output).toMatch(/FATAL.*sandbox/su);
});
