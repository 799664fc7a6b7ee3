import type { DialectName } from '../../shared/protocol/dialect-and-mode.ts';
import type { Clock, Random } from '../ports/clock.ts';

/** Where the legacy documents' own example of a time begins; our clock has no date. */
const epoch = 1_714_200_000_000;

export function makeSessionId(
  dialect: DialectName,
  session: number,
  { clock, random }: { readonly clock: Clock; readonly random: Random },
): string {
  if (dialect === 'unified') return makeGatewayId('sess', random);
  return `rt_${epoch + Math.floor(clock.now()) + session}`;
}

export function makeGatewayId(kind: 'sess' | 'resp' | 'ticket', random: Random): string {
  const digits = Array.from({ length: 12 }, () => Math.floor(random() * 16).toString(16));
  return `${kind}_${digits.join('')}`;
}
