import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readFuses } from '../../../scripts/lib/fuses.mjs';
import { expect, test } from '../fixtures/host-test.ts';
import { inspectablePackage, shippedProgram } from '../fixtures/inspectable-package.ts';
import { readOutput } from '../fixtures/processes.ts';
import { openAbout } from '../fixtures/pages/settings-screen.ts';
import { stateDirEnvironment } from '../fixtures/running-host.ts';

test('the package loads PortAudio and the key helper’s library from its own folder, and Linux runs no separate network process', async ({
  page,
  electron,
}) => {
  await openAbout(page);
  await expect(page.getByRole('listitem').getByRole('status')).toHaveText(['Loads', 'Loads']);
  const pid = await electron.evaluate(() => process.pid);
  const maps = await readFile(`/proc/${pid}/maps`, 'utf8');
  const mapped = new Set(
    maps.match(/\/\S*(?:libportaudio\S*|naudiodon\.node|parley_sound\.node|libvips-cpp\S*)/g),
  );
  // libvips is not loaded: pictures are decoded in WebAssembly.
  expect(mapped.size).toBe(3);
  expect([...mapped].join(' ')).not.toContain('libvips');
  for (const file of mapped) expect(file).toContain('/resources/app.asar.unpacked/');

  const helper = await electron.evaluate(async ({ app, utilityProcess }) => {
    const file = `${app.getAppPath()}/out/main/key-helper.js`;
    const child = utilityProcess.fork(file, ['F8'], { stdio: 'ignore' });
    const said = await new Promise((resolve) => child.once('message', resolve));
    if (JSON.stringify(said) !== '{"kind":"ready"}') throw new Error(JSON.stringify(said));
    return child.pid;
  });
  expect(await readFile(`/proc/${helper}/maps`, 'utf8')).toMatch(
    /\/resources\/app\.asar\.unpacked\/\S+\/uiohook-napi\.node/,
  );

  const services = await electron.evaluate(({ app }) =>
    app.getAppMetrics().map(({ serviceName }) => serviceName ?? ''),
  );
  const network = services.filter((name) => name.includes('NetworkService'));
  expect(network).toHaveLength(process.platform === 'linux' ? 0 : 1);
});

const expectedFuses = {
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
  expect(await readFuses(shippedProgram)).toMatchObject(expectedFuses);
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
  const output = readOutput(parley);
  const exit = once(parley, 'exit');
  try {
    await expect.poll(output).toContain('Parley is open.');
    // SIGUSR1 opens Node's debugger.
    parley.kill('SIGUSR1');
    await new Promise((resolve) => setTimeout(resolve, 500));
  } finally {
    parley.kill('SIGTERM');
    await exit;
  }
  expect(output()).not.toMatch(/(Debugger|DevTools) listening/);
  expect(existsSync(loaded)).toBe(false);
});
