import { modes } from '../../shared/protocol/names.ts';
import type { DialectName, Mode } from '../../shared/protocol/names.ts';
import type { Admission, GatewayOptions } from './gateway.ts';

/** The mode a connection gets for the one in its address, which may be missing or unknown. */
export function modeOf(asked: string | undefined, dialect: DialectName): Mode {
  const mode = modes.find((known) => known === asked) ?? 'video';
  // A legacy gateway has no chat and takes it for audio.
  return dialect === 'legacy' && mode === 'chat' ? 'audio' : mode;
}

export function admitMode(asked: string | undefined, { manners }: GatewayOptions): Admission {
  const known = asked === undefined || modes.some((mode) => mode === asked);
  if (known || manners === 'documented') return { accepted: true };
  return { accepted: false, status: 403, body: 'Forbidden' };
}
