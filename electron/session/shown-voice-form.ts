import type { VoiceForm } from '../../shared/protocol/client-event.ts';
import type { SessionContext } from './session-state.ts';

/**
 * How a server of the legacy dialect reads a reference voice, as far as it has shown: deployed ones are silent on
 * an init of the other dialect, and read float32; those that refuse it in words are as documented, and read WAV.
 */
export function shownVoiceForm({
  dialect,
  refusals,
}: Pick<SessionContext, 'dialect' | 'refusals'>): VoiceForm | undefined {
  if (dialect !== 'legacy') return undefined;
  const init = refusals.find((refusal) => refusal.dialect === 'unified');
  if (init === undefined) return undefined;
  return init.silent ? 'float32' : 'wav';
}
