import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { expect } from '@playwright/test';
import type { Lifetime } from '../../../shared/lifetime.ts';
import { buildLikeProduct } from '../fixtures/build-like-product.ts';

/** Builds the listener with the key helper, like the product; returns the file to start. */
export function buildKeyListener(folder: string): Promise<string> {
  return buildLikeProduct(folder, {
    'key-listener': 'test/e2e/keys/key-listener.ts',
    'key-helper': 'electron/platform/keys/key-helper.ts',
  });
}

export interface ListenerLine {
  readonly kind:
    | 'helper'
    | 'message'
    | 'heard'
    | 'listens'
    | 'ended'
    | 'refused'
    | 'stopped'
    | 'notOffered';
  readonly at: number;
  readonly pid?: number;
  readonly event?: string;
  readonly code?: string;
  readonly message?: unknown;
}

export interface RunningListener {
  readonly pid: number;
  readonly lines: readonly ListenerLine[];
  readonly events: () => readonly string[];
  readonly until: (kind: ListenerLine['kind'], times?: number) => Promise<ListenerLine>;
  readonly stop: () => Promise<void>;
}

const flags = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

export function startKeyListener(
  lifetime: Lifetime,
  file: string,
  environment: NodeJS.ProcessEnv,
  backend: string,
  chord: string,
): RunningListener {
  // Required late, because the module looks for an installed runtime.
  const electron = createRequire(import.meta.url)('electron') as string;
  const child = spawn(electron, [...flags, file, backend, chord], {
    env: environment,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  lifetime.add(async () => {
    const exit = once(child, 'exit');
    if (child.kill('SIGKILL')) await exit;
  });
  const lines: ListenerLine[] = [];
  createInterface(child.stdout).on('line', (line) => {
    if (line.startsWith('{')) lines.push(JSON.parse(line) as ListenerLine);
  });
  const until: RunningListener['until'] = async (kind, times = 1) => {
    const matching = () => lines.filter((line) => line.kind === kind);
    await expect.poll(() => matching().length, `${kind} is printed`).toBeGreaterThanOrEqual(times);
    const found = matching()[times - 1];
    if (found === undefined) throw new Error(`${kind} was not printed.`);
    return found;
  };
  return {
    pid: child.pid ?? 0,
    lines,
    events: () => lines.flatMap(({ event }) => event ?? []),
    until,
    stop: async () => {
      child.stdin.write('stop\n');
      await until('stopped');
    },
  };
}
