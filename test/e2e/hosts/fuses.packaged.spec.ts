import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readFuses } from '../../../scripts/lib/fuses.mjs';
import { expect, test } from '../fixtures/host-test.ts';
import { inspectablePackage, shippedProgram } from '../fixtures/inspectable-package.ts';
import { stateDirEnvironment } from '../fixtures/stored-state.ts';

const shipped = {
  RunAsNode: false,
  EnableCookieEncryption: true,
  EnableNodeOptionsEnvironmentVariable: false,
  EnableNodeCliInspectArguments: false,
  EnableEmbeddedAsarIntegrityValidation: true,
  OnlyLoadAppFromAsar: true,
  LoadBrowserProcessSpecificV8Snapshot: false,
  GrantFileProtocolExtraPrivileges: false,
};

test('the package ships with its fuses burnt, and the tests’ copy differs only in the debugger fuse', async () => {
  expect(await readFuses(shippedProgram)).toMatchObject(shipped);
  expect(await readFuses(await inspectablePackage())).toEqual({
    ...(await readFuses(shippedProgram)),
    EnableNodeCliInspectArguments: true,
  });
});

test('the package neither runs as Node nor can be debugged, with any flags', async ({ home }) => {
  const [inside, loaded] = [join(home, 'inside.cjs'), join(home, 'was-loaded')];
  await writeFile(inside, `require('node:fs').writeFileSync(${JSON.stringify(loaded)}, '');`);
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const parley = spawn(
    shippedProgram,
    ['--inspect=0', '--remote-debugging-port=0', '--remote-debugging-pipe', ...sandbox, inside],
    {
      env: {
        ...process.env,
        ...stateDirEnvironment(home),
        XDG_CONFIG_HOME: home,
        ELECTRON_RUN_AS_NODE: '1',
        NODE_OPTIONS: `--require=${inside}`,
      },
    },
  );
  let output = '';
  for (const stream of [parley.stdout, parley.stderr]) {
    stream.on('data', (text: Buffer) => (output += text.toString()));
  }
  const exit = once(parley, 'exit');
  try {
    await expect.poll(() => output).toContain('Parley is open.');
    // SIGUSR1 opens Node's debugger.
    parley.kill('SIGUSR1');
    await new Promise((resolve) => setTimeout(resolve, 500));
  } finally {
    parley.kill('SIGTERM');
    await exit;
  }
  expect(output).not.toMatch(/(Debugger|DevTools) listening/);
  expect(existsSync(loaded)).toBe(false);
});
