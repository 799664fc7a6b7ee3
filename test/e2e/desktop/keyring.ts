import { execFile } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createDecipheriv, pbkdf2Sync } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from '@playwright/test';
import { which } from '../../../scripts/lib/run.mjs';
import type { Lifetime } from '../../../shared/lifetime.ts';
import { endChild, spawnDyingWithParent } from '../fixtures/processes.ts';
import type { BusClient, TestBus } from './test-bus.ts';

const run = promisify(execFile);

export function findMissingKeyringTool(): string | undefined {
  return ['gnome-keyring-daemon', 'secret-tool'].find((program) => which(program) === undefined);
}

/** GNOME's keyring on the test's bus, with its files in the test's folder. */
export class Keyring {
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
    await expect(() => this.#tool(['search', '--all', 'of', 'nobody'])).toPass();
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
export function decryptWith(password: string, sealed: Buffer): string {
  expect(sealed.subarray(0, 3).toString('latin1')).toBe('v11');
  const key = pbkdf2Sync(password, 'saltysalt', 1, 16, 'sha1');
  const decipher = createDecipheriv('aes-128-cbc', key, Buffer.alloc(16, ' '));
  return Buffer.concat([decipher.update(sealed.subarray(3)), decipher.final()]).toString();
}
