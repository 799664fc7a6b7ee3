import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { which } from '../../../scripts/lib/which.mjs';
import type { Lifetime } from '../../../shared/lifetime.ts';

/** A session's bus of a test's own, with nobody on it. */
export interface SessionBus {
  readonly address: string;
  readonly end: () => Promise<void>;
}

/** Why there can be none here. */
export function missingBus(): string | undefined {
  return which('dbus-daemon') === undefined ? 'dbus-daemon is not installed' : undefined;
}

export async function startSessionBus(lifetime: Lifetime): Promise<SessionBus> {
  const daemon = spawn('dbus-daemon', ['--session', '--nofork', '--nopidfile', '--print-address'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const exit = once(daemon, 'exit');
  const end = async (): Promise<void> => {
    daemon.kill('SIGKILL');
    await exit;
  };
  lifetime.add(end);
  const [address] = (await once(createInterface(daemon.stdout), 'line')) as [string];
  return { address, end };
}
