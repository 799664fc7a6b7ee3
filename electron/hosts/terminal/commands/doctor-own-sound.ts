import { z } from 'zod';
import { harmlessJson } from '../../../../shared/harmless-text.ts';
import { englishErrorMessage } from '../../../../shared/i18n/en/describe-app-error.ts';
import { englishOwnSound } from '../../../../shared/i18n/en/own-sound.ts';
import { ownSoundVerdicts, ownSoundWays } from '../../../../shared/sound/own-sound.ts';
import type { OwnSoundVerdict } from '../../../../shared/sound/own-sound.ts';
import type { Parley } from '../../../core/compose-parley.ts';
import type { Terminal } from '../terminal-command.ts';

/** Somebody hears themselves, before and after all that is done about their sound; nothing of it is kept. */
export async function hearYourself(
  { answer }: Pick<Parley, 'answer'>,
  terminal: Terminal,
  json: boolean,
): Promise<void> {
  const { err } = terminal;
  err(`${englishOwnSound.recording}\n`);
  const recorded = await answer('recordOwnSound', undefined);
  if (!recorded.ok) return tell(terminal, json, { reason: englishErrorMessage(recorded.error) });
  const verdict = z.enum(ownSoundVerdicts).parse(recorded.value);
  tell(terminal, json, { verdict });
  if (verdict === 'unheard') return;
  for (const way of ownSoundWays) {
    err(`${englishOwnSound.ways[way]}…\n`);
    const played = await answer('playOwnSound', { as: way });
    if (!played.ok) return tell(terminal, json, { reason: englishErrorMessage(played.error) });
  }
  await answer('forgetOwnSound', undefined);
}

interface Told {
  readonly verdict?: OwnSoundVerdict;
  readonly reason?: string;
}

function tell({ out }: Terminal, json: boolean, told: Told): void {
  if (json) out(`${harmlessJson({ event: 'ownSound', ...told })}\n`);
  else
    out(
      `Yourself    ${told.verdict === undefined ? told.reason : englishOwnSound.verdict[told.verdict]}\n`,
    );
}
