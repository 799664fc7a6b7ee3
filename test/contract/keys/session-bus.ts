import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { which } from '../../../scripts/lib/run.mjs';
import type { Lifetime } from '../../../shared/lifetime.ts';

/** A private session bus for a test. */
export interface SessionBus {
  readonly address: string;
  readonly end: () => Promise<void>;
}

/** The reason why no bus can run here. */
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
