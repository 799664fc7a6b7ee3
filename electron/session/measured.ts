import type { Particulars } from '../../shared/protocol/server-event.ts';
import { tell } from './effect.ts';
import type { Effect } from './effect.ts';

/** The figures that came with an event, and how long its append had been on its way. */
export function measured(
  { metrics }: Particulars,
  roundTripMs: number | undefined,
): readonly Effect[] {
  if (metrics === undefined && roundTripMs === undefined) return [];
  return [tell({ event: 'metrics', metrics: metrics ?? { figures: {} }, roundTripMs })];
}
