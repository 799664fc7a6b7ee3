import { contextTokens } from '../../../../shared/protocol/protocol-limits.ts';
import type { SessionEvent } from '../../../session/session-event.ts';

type Queue = Extract<SessionEvent, { event: 'queue' }>;
type Metrics = Extract<SessionEvent, { event: 'metrics' }>;

/** The place in the queue, as far as the server tells it. */
export function queueText({ position, length, etaSeconds }: Queue): string {
  const of = length === undefined ? '' : ` of ${length}`;
  const place = position === undefined ? '' : `: place ${position}${of}`;
  const wait = etaSeconds === undefined ? '' : `, ${aboutSeconds(etaSeconds)}`;
  return `Waiting in the queue${place}${wait}`;
}

function aboutSeconds(seconds: number): string {
  if (seconds < 90) return `about ${Math.max(1, Math.round(seconds))} s`;
  return `about ${Math.round(seconds / 60)} min`;
}

/** A line of figures, or nothing when there are none. */
export function metricsText({ metrics, roundTripMs }: Metrics): string | undefined {
  const parts = [
    roundTripMs === undefined ? undefined : `round trip ${milliseconds(roundTripMs)}`,
    figure('prefill', metrics.figures['prefill_ms']),
    figure('generate', metrics.figures['generate_ms']),
    figure('server', metrics.figures['wall_clock_ms']),
    metrics.contextTokens === undefined
      ? undefined
      : `context ${Math.round(metrics.contextTokens)} of ${contextTokens} tokens`,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join(' · ');
}

function figure(name: string, value: number | undefined): string | undefined {
  return value === undefined ? undefined : `${name} ${milliseconds(value)}`;
}

function milliseconds(value: number): string {
  return value < 1000 ? `${Math.round(value)} ms` : `${(value / 1000).toFixed(1)} s`;
}
