import { z } from 'zod';
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

const cli = resolve(import.meta.dirname, '../../out/main/cli.js');

export interface RunningCli {
  readonly child: ChildProcess;
  readonly written: () => { readonly out: string; readonly err: string };
  /** Resolves with the first match in stdout; rejects if the process ends without one. */
  readonly waitForOutput: (pattern: RegExp) => Promise<RegExpExecArray>;
  readonly ended: Promise<{
    readonly code: number | null;
    readonly out: string;
    readonly err: string;
  }>;
}

/** Starts the built command line in a process. */
export function startCli(
  args: readonly string[],
  /** Null leaves stdin open. */
  piped: string | null = '',
  env: NodeJS.ProcessEnv = process.env,
): RunningCli {
  if (!existsSync(cli)) throw new Error('out/main/cli.js is missing: npm test builds it.');
  const child = spawn(process.execPath, [cli, ...args], { stdio: 'pipe', env });
  let out = '';
  let err = '';
  let watchers: (() => void)[] = [];
  child.stdout.on('data', (data: Buffer) => {
    out += data.toString();
    for (const check of watchers) check();
  });
  child.stderr.on('data', (data: Buffer) => {
    err += data.toString();
  });
  child.stdin.on('error', () => undefined);
  if (piped !== null) child.stdin.end(piped);
  const ended = new Promise<number | null>((resolveCode) => {
    child.on('close', resolveCode);
  });
  return {
    child,
    written: () => ({ out, err }),
    waitForOutput: (pattern) =>
      new Promise((resolveMatch, reject) => {
        const check = (): void => {
          const match = pattern.exec(out);
          if (match === null) return;
          watchers = watchers.filter((other) => other !== check);
          resolveMatch(match);
        };
        watchers.push(check);
        check();
        child.on('close', () => {
          reject(new Error(`the process ended without printing ${String(pattern)}: ${err}`));
        });
      }),
    ended: ended.then((code) => ({ code, out, err })),
  };
}

export async function runCli(args: readonly string[], piped = '', env = process.env) {
  return startCli(args, piped, env).ended;
}

const at = z.int().min(0);
const count = z.int().min(0);

/** The schema of `--json` lines, written independently of the product, to check them. */
export const jsonLine = z.discriminatedUnion('event', [
  z.strictObject({
    at,
    event: z.literal('state'),
    state: z.enum(['connecting', 'queued', 'configuring', 'live', 'closing', 'closed']),
  }),
  z.strictObject({
    at,
    event: z.literal('queue'),
    position: z.number().optional(),
    length: z.number().optional(),
    etaSeconds: z.number().optional(),
    ticket: z.string().optional(),
  }),
  z.strictObject({
    at,
    event: z.literal('session'),
    id: z.string(),
    dialect: z.enum(['unified', 'legacy']),
    runtimeMode: z.string().optional(),
    promptLength: z.number().optional(),
  }),
  z.strictObject({
    at,
    event: z.literal('sent'),
    inputId: z.string(),
    samples: count,
    frames: count,
    forceListen: z.boolean(),
  }),
  z.strictObject({ at, event: z.literal('text'), turn: count, text: z.string() }),
  z.strictObject({ at, event: z.literal('audio'), turn: count, samples: count }),
  z.strictObject({
    at,
    event: z.literal('caption'),
    turn: count,
    spoken: z.string(),
    upcoming: z.string(),
  }),
  z.strictObject({ at, event: z.literal('turnEnded'), turn: count }),
  z.strictObject({ at, event: z.literal('listen'), flushedSamples: count }),
  z.strictObject({ at, event: z.literal('handedOver'), heldMs: count }),
  z.strictObject({ at, event: z.literal('onlyListens'), spokenSeconds: count, steps: count }),
  z.strictObject({ at, event: z.literal('done'), text: z.string(), reason: z.string() }),
  z.object({ at, event: z.literal('metrics') }).catchall(z.number()),
  z.strictObject({
    at,
    event: z.literal('error'),
    code: z.string(),
    message: z.string(),
    fatal: z.boolean(),
    type: z.string().optional(),
  }),
  z.strictObject({
    at,
    event: z.literal('closed'),
    reason: z.string(),
    by: z.enum(['client', 'server', 'network']),
  }),
]);
