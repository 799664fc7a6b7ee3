import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import {
  networkServiceFlags,
  noGraphicsCardOptions,
} from '../../../scripts/lib/electron-flags.mjs';
import { findElectron } from '../../../scripts/lib/electron-runtime.mjs';
import { inRoot, rootDir } from '../../../scripts/lib/root.mjs';
import type { Lifetime } from '../../../shared/lifetime.ts';
import { serverSettings } from '../../e2e/fixtures/servers.ts';

interface Message {
  readonly id?: number;
  readonly value?: unknown;
  readonly error?: string;
}

type Act = 'messages' | 'shown' | 'page' | 'processes';

/** The built app, controlled through its main process without a debugger. */
export interface DrivenApp {
  readonly pid: number;
  readonly state: string;
  readonly exited: Promise<unknown>;
  /** `page` runs `what` in the window's page; `messages` returns the number of messages to pages. */
  readonly ask: (act: Act, what?: string) => Promise<unknown>;
}

interface DrivenAppOptions {
  readonly flags?: readonly string[];
  /** Folder of another build. */
  readonly app?: string | undefined;
  /** A home folder to reuse, which is not deleted. */
  readonly home?: string | undefined;
}

const startsWithinMs = 20_000;

export async function openDrivenApp(
  lifetime: Lifetime,
  { flags = [], app = rootDir, home: given }: DrivenAppOptions,
): Promise<DrivenApp> {
  const electron = await findElectron({ retry: false });
  if ('reason' in electron) throw new Error(electron.reason);
  const home = given ?? (await newHome(lifetime));
  const driver = resolve(import.meta.dirname, 'drive-app.cjs');
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const card = noGraphicsCardOptions();
  const switches = [...asRoot, ...card.flags, ...networkServiceFlags(), ...flags];
  const child = spawn(electron.executable, ['-r', driver, app, ...switches], {
    env: {
      ...process.env,
      ...card.env,
      XDG_CONFIG_HOME: home,
      PARLEY_STATE_DIR: join(home, 'state'),
    },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  await once(child, 'spawn');
  const exit = once(child, 'exit');
  lifetime.add(async () => {
    child.kill('SIGTERM');
    await exit;
  });
  const waiting = new Map<number, (message: Message) => void>();
  child.on('message', (message: Message) => {
    if (message.id !== undefined) waiting.get(message.id)?.(message);
  });
  let asked = 0;
  const ask: DrivenApp['ask'] = async (act, what = '') => {
    asked += 1;
    const id = asked;
    const { value, error } = await new Promise<Message>((answered) => {
      waiting.set(id, answered);
      child.send({ id, act, what });
    });
    if (error !== undefined) throw new Error(`${act}: ${error}`);
    return value;
  };
  const until = performance.now() + startsWithinMs;
  while ((await ask('shown')) !== true) {
    if (performance.now() > until) throw new Error('The window did not open.');
    await delay(200);
  }
  return { pid: child.pid ?? 0, state: join(home, 'state'), exited: exit, ask };
}

async function newHome(lifetime: Lifetime): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'parley-driven-'));
  lifetime.add(() => rm(home, { recursive: true, force: true, maxRetries: 5 }));
  await settleIn(home);
  return home;
}

/** Prepares the state of a returning user. */
export async function settleIn(home: string): Promise<void> {
  await mkdir(join(home, 'state'));
  await writeFile(
    join(home, 'state/settings.json'),
    '{"version":1,"firstRun":{"done":true},"told":{"keptInTray":true}}',
  );
}

/**
 * Starts the demonstration as a server in another process, and prepares a home folder that uses it. A model's own work
 * does not belong to Parley, and usually runs on another machine.
 */
export async function prepareHomeWithServer(lifetime: Lifetime): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'parley-driven-'));
  lifetime.add(() => rm(home, { recursive: true, force: true, maxRetries: 5 }));
  const args = [inRoot('out', 'main', 'cli.js'), 'gateway', '--port', '0', '--json'];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, PARLEY_STATE_DIR: join(home, 'server') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  lifetime.add(async () => {
    child.kill('SIGINT');
    await ended;
  });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const { url } = JSON.parse(line) as { readonly url: string };
  await mkdir(join(home, 'state'));
  const settings = { version: 1, ...serverSettings(url), told: { keptInTray: true } };
  await writeFile(join(home, 'state/settings.json'), JSON.stringify(settings));
  return home;
}

const shownWithinMs = 30_000;

export async function click(app: DrivenApp, label: string): Promise<void> {
  const button = JSON.stringify(label);
  const found = await app.ask(
    'page',
    `(() => {
      const button = [...document.querySelectorAll('button')].find(
        (one) => (one.getAttribute('aria-label') ?? one.textContent.trim()) === ${button});
      button?.click();
      return button !== undefined;
    })()`,
  );
  if (found !== true) throw new Error(`The button ${label} was not found.`);
}

export async function untilShown(app: DrivenApp, text: string): Promise<void> {
  const until = performance.now() + shownWithinMs;
  const isThere = `document.body.innerText.includes(${JSON.stringify(text)})`;
  while ((await app.ask('page', isThere)) !== true) {
    if (performance.now() > until) throw new Error(`${text}: not shown.`);
    await delay(100);
  }
}

/**
 * Checks only the element with the text: reading the whole page's text forces a layout, which costs over one per cent of a
 * core at two reads a second.
 */
export async function untilGone(app: DrivenApp, text: string): Promise<void> {
  const until = performance.now() + shownWithinMs;
  const words = JSON.stringify(text);
  const find = `(() => {
    const says = (element) => element.textContent.includes(${words});
    let innermost = document.body;
    for (let inner = innermost; inner !== undefined; inner = [...inner.children].find(says)) innermost = inner;
    window.watchedWords = innermost;
  })()`;
  await app.ask('page', find);
  const isThere = `watchedWords.isConnected && watchedWords.textContent.includes(${words})`;
  while ((await app.ask('page', isThere)) === true) {
    if (performance.now() > until) throw new Error(`${text}: stays.`);
    await delay(500);
  }
}
