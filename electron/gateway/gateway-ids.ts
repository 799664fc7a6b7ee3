import type { DialectName } from '../../shared/protocol/dialect-and-mode.ts';
import type { Random, WallClock } from '../ports/clock.ts';

export function makeSessionId(
  dialect: DialectName,
  session: number,
  { wallClock, random }: { readonly wallClock: WallClock; readonly random: Random },
): string {
  if (dialect === 'unified') return makeGatewayId('sess', random);
  return `rt_${Math.floor(wallClock()) + session}`;
}

export function makeGatewayId(kind: 'sess' | 'resp' | 'ticket', random: Random): string {
  const digits = Array.from({ length: 12 }, () => Math.floor(random() * 16).toString(16));
  return `${kind}_${digits.join('')}`;
}
