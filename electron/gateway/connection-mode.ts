import { modes } from '../../shared/protocol/dialect-and-mode.ts';
import type { DialectName, Mode } from '../../shared/protocol/dialect-and-mode.ts';
import type { GatewayOptions } from './gateway.ts';

/** The mode a connection gets for the one in its address, which may be missing or unknown. */
export function connectionMode(asked: string | undefined, dialect: DialectName): Mode {
  const mode = modes.find((known) => known === asked) ?? 'video';
  // A legacy gateway has no chat and takes it for audio.
  return dialect === 'legacy' && mode === 'chat' ? 'audio' : mode;
}

/** Servers that are out there turn unknown modes away; the documents know of no such thing. */
export function acceptsMode(asked: string | undefined, { profile }: GatewayOptions): boolean {
  if (profile === 'documented') return true;
  return asked === undefined || modes.some((mode) => mode === asked);
}
