import type { CommonFields } from '../../shared/protocol/server-event.ts';
import { emit } from './effect.ts';
import type { Effect } from './effect.ts';

/** The metrics that came with an event, and the round trip of its append. */
export function emitMetrics(
  { metrics }: CommonFields,
  roundTripMs: number | undefined,
): readonly Effect[] {
  if (metrics === undefined && roundTripMs === undefined) return [];
  return [emit({ event: 'metrics', metrics: metrics ?? { figures: {} }, roundTripMs })];
}
