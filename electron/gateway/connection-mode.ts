import { modes } from '../../shared/protocol/dialect-and-mode.ts';
import type { Mode } from '../../shared/protocol/dialect-and-mode.ts';
import type { GatewayOptions } from './gateway.ts';
import { isDeployedLegacy } from './server-profile.ts';

/** The mode a connection gets for the one in its address, which may be missing or unknown. */
export function connectionMode(
  asked: string | undefined,
  options: Pick<GatewayOptions, 'dialect' | 'profile'>,
): Mode {
  const unknown = asked !== undefined && isDeployedLegacy(options) ? 'audio' : 'video';
  const mode = modes.find((known) => known === asked) ?? unknown;
  // A legacy gateway has no chat and takes it for audio.
  return options.dialect === 'legacy' && mode === 'chat' ? 'audio' : mode;
}

/** Unified servers in use turn unknown modes away; neither documents nor older servers know of such a thing. */
export function acceptsMode(
  asked: string | undefined,
  { dialect, profile }: GatewayOptions,
): boolean {
  if (profile === 'documented' || dialect === 'legacy') return true;
  return asked === undefined || modes.some((mode) => mode === asked);
}
