import type { Page } from '@playwright/test';
import { type ChildProcess, execFile } from 'node:child_process';
import { createDecipheriv, pbkdf2Sync } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { which } from '../../../scripts/lib/run.mjs';
import type { Lifetime } from '../../../shared/lifetime.ts';
import { openSection } from '../fixtures/pages/settings-screen.ts';
import { endChild, spawnDyingWithParent } from '../fixtures/processes.ts';
import type { HostKind } from '../fixtures/running-host.ts';
import { openAcceptingServer } from '../fixtures/servers.ts';
import { expect, test } from './desktop-test.ts';
import type { BusClient, TestBus } from './test-bus.ts';

const run = promisify(execFile);

function findMissingKeyringTool(): string | undefined {
  return ['gnome-keyring-daemon', 'secret-tool'].find((program) => which(program) === undefined);
}

/** GNOME's keyring on the test's bus, with its files in the test's folder. */
class Keyring {
  readonly #bus: BusClient;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #folder: string;
  #child: ChildProcess | undefined;

  constructor(bus: TestBus, home: string, lifetime: Lifetime) {
    this.#bus = bus.connect(lifetime);
    this.#folder = join(home, 'keyring');
    this.#environment = {
      PATH: process.env['PATH'],
      HOME: this.#folder,
      XDG_DATA_HOME: this.#folder,
      XDG_RUNTIME_DIR: this.#folder,
      DBUS_SESSION_BUS_ADDRESS: bus.address,
    };
    lifetime.add(() => this.stop());
  }

  /** Starts with the login keyring unlocked, as after a login. */
  async start(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const child = spawnDyingWithParent(
      'gnome-keyring-daemon',
      ['--foreground', '--unlock', '--components=secrets', `--control-directory=${this.#folder}/c`],
      { env: this.#environment, stdio: ['pipe', 'ignore', 'ignore'] },
    );
    this.#child = child;
    child.stdin?.end('open sesame');
    await expect(() => this.#tool(['search', '--all', 'application', 'none'])).toPass();
  }

  async stop(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child !== undefined) await endChild(child);
  }

  async lock(): Promise<void> {
    await this.#bus.call({
      destination: 'org.freedesktop.secrets',
      path: '/org/freedesktop/secrets',
      interface: 'org.freedesktop.Secret.Service',
      member: 'Lock',
      signature: 'ao',
      body: [['/org/freedesktop/secrets/collection/login']],
    });
  }

  /** The password that Chromium stored for a program; empty if there is none. */
  async passwordOf(application: string): Promise<string> {
    const schema = 'chrome_libsecret_os_crypt_password_v2';
    const found = await this.#tool(['lookup', 'xdg:schema', schema, 'application', application]);
    return found.trimEnd();
  }

  async #tool(args: readonly string[]): Promise<string> {
    const { stdout } = await run('secret-tool', args, { env: this.#environment, timeout: 5000 });
    return stdout;
  }
}

/** Decrypts what Chromium sealed with this password; its format on Linux is stable since 2013. */
function decryptWith(password: string, sealed: Buffer): string {
  expect(sealed.subarray(0, 3).toString('latin1')).toBe('v11');
  const key = pbkdf2Sync(password, 'saltysalt', 1, 16, 'sha1');
  const decipher = createDecipheriv('aes-128-cbc', key, Buffer.alloc(16, ' '));
  return Buffer.concat([decipher.update(sealed.subarray(3)), decipher.final()]).toString();
}

const token = 'token-8c1e55d0';
/** Playwright sets another password store for the sources' Electron, so a module overrides it; the package accepts a flag. */
async function keyringOptions(host: HostKind, folder: string) {
  if (host === 'packaged') return { flags: ['--password-store=gnome-libsecret'] };
  const module = join(folder, 'use-libsecret.cjs');
  await writeFile(
    module,
    `require('electron').app.commandLine.appendSwitch('password-store', 'gnome-libsecret');`,
  );
  return { modules: [module] };
}

test('the real keyring seals a token, which works after a restart and is unavailable while the keyring is locked or gone', async ({
  desktop,
  host,
}) => {
  const startOptions = await keyringOptions(host, desktop.home);
  const missing = findMissingKeyringTool();
  test.skip(missing !== undefined, `${missing} is not installed`);
  const { bus, home, lifetime, start } = desktop;
  const server = await openAcceptingServer();
  lifetime.add(() => server.end());
  const keyring = new Keyring(bus, home, lifetime);
  await keyring.start();
  expect(await keyring.passwordOf('Parley').catch(() => '')).toBe('');

  const first = await start(startOptions);
  await addServer(first.page, `ws://127.0.0.1:${server.port}/v1/realtime`);
  await first.electron.close();
  const file = () => readFile(join(home, 'state', 'tokens.json'), 'utf8');
  const written = await file();
  expect(written).not.toContain(token);
  const { tokens } = JSON.parse(written) as { tokens: { id: string; sealed: string }[] };
  expect(tokens).toHaveLength(1);
  const password = await keyring.passwordOf('Parley');
  expect(decryptWith(password, Buffer.from(tokens[0]?.sealed ?? '', 'base64'))).toBe(token);

  const second = await start(startOptions);
  await testConnection(second.page);
  await expect(second.page.getByText(/It works\. Connected in \d+ ms/)).toBeVisible();
  expect(server.requests.at(-1)?.headers.authorization).toBe(`Bearer ${token}`);
  await second.electron.close();

  for (const close of [() => keyring.lock(), () => keyring.stop()]) {
    await close();
    const requests = server.requests.length;
    const without = await start(startOptions);
    await testConnection(without.page);
    await expect(without.page.getByText(/keychain is locked/)).toBeVisible();
    expect(server.requests).toHaveLength(requests);
    await without.page.getByRole('button', { name: 'Edit: Studio' }).click();
    await expect(
      without.page.getByText('This system has no keychain. Tokens and passwords go'),
    ).toBeVisible();
    await without.electron.close();
    expect(await file()).toBe(written);
  }
});

async function addServer(page: Page, address: string): Promise<void> {
  await openSection(page, 'Servers');
  await page.getByRole('button', { name: 'Add a server' }).click();
  const form = page.getByRole('form', { name: 'New server' });
  await form.getByRole('textbox', { name: 'Address' }).fill(address);
  await form.getByRole('textbox', { name: 'Name' }).first().fill('Studio');
  await form.getByLabel('Access token').fill(token);
  await expect(
    form.getByText('The system’s keychain protects tokens and passwords.'),
  ).toBeVisible();
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form).toBeHidden();
}

async function testConnection(page: Page): Promise<void> {
  await openSection(page, 'Servers');
  await page.getByRole('button', { name: 'Test connection: Studio' }).click();
}
