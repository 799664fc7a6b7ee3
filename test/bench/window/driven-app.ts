import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findElectron } from '../../../scripts/lib/electron-runtime.mjs';
import {
  noGraphicsCardOptions,
  networkServiceFlags,
} from '../../../scripts/lib/electron-flags.mjs';
import { rootDir } from '../../../scripts/lib/root.mjs';
import type { Lifetime } from '../../../shared/lifetime.ts';

interface Message {
  readonly id?: number;
  readonly value?: unknown;
  readonly error?: string;
}

type Act =
  | 'messages'
  | 'shown'
  | 'page'
  | 'processes'
  | 'cursor'
  | 'minimize'
  | 'hide'
  | 'trace'
  | 'traced';

/** The built app, controlled through its main process without a debugger. */
export interface DrivenApp {
  readonly pid: number;
  readonly state: string;
  readonly exited: Promise<unknown>;
  /** `page` runs `what` in the window's page; `messages` returns the messages to pages. */
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
