import type { z } from 'zod';
import { openParley } from '../../electron/app/parley.ts';
import type { Lifetime } from '../../shared/lifetime.ts';
import { jsonLine } from '../fakes/run-cli.ts';

/** The arguments of a talk whose microphone is a file. */
export const fileTalk = ['talk', '--mode', 'audio', '--input', 'resources/speech/see.wav'] as const;

type Event = z.infer<typeof jsonLine>;

/** The events that a command printed, each checked against the strict form; a killed command may leave a partial line. */
export const eventsOf = (out: string): readonly Event[] =>
  out
    .split('\n')
    .slice(0, -1)
    .map((line) => jsonLine.parse(JSON.parse(line)));

/** The samples that were sent, or received. */
export function samplesOf(out: string, event: 'sent' | 'audio'): number {
  return eventsOf(out).reduce(
    (sum, each) =>
      sum +
      ((each.event === 'sent' || each.event === 'audio') && each.event === event
        ? each.samples
        : 0),
    0,
  );
}

const gateways: Lifetime[] = [];

/**
 * Ends the gateways of a test. Files call it after each of their tests: onTestFinished runs after the guard that looks for
 * lifetimes left open, and a hook here would serve only the first file of a process.
 */
export async function endGateways(): Promise<void> {
  for (const lifetime of gateways.splice(0)) await lifetime.end();
}

type Gateway = ReturnType<typeof openParley>['servers']['gateway'];

/** Serves the embedded gateway until `endGateways`, and returns its address. */
export async function serveGateway(options: Parameters<Gateway['serve']>[0]): Promise<string> {
  const parley = openParley('terminal', '0');
  gateways.push(parley.lifetime);
  const served = await parley.servers.gateway.serve({ stepMs: 20, ...options }, 0);
  if (!served.ok) throw new Error(served.error.code);
  return served.value.url;
}
