import { useTranslation } from 'react-i18next';
import type { DuplexMode } from '../../shared/protocol/dialect-and-mode.ts';
import {
  contextTokens,
  effectiveSeconds,
  sessionSeconds,
} from '../../shared/protocol/protocol-limits.ts';
import type { ServerTraits } from '../../shared/settings/server-traits.ts';
import { useUiState } from '../store/use-app-context.ts';

/** How long a session may be expected to last, for who is about to begin one. */
export function SessionLength() {
  const { t, i18n } = useTranslation();
  const settings = useUiState(({ settings }) => settings);
  if (settings === undefined) return null;
  const { chosen, list } = settings.endpoints;
  const { traits } = list.find(({ id }) => id === chosen) ?? {};
  const lasts = (mode: DuplexMode): string => duration(lastingSeconds(mode, traits), i18n.language);
  const goesOn = settings.talking.longTalks === 'handOver' ? 'goesOn' : 'ends';
  return (
    <p className="card-length">
      {t(`talk.idle.${goesOn}`, { audio: lasts('audio'), video: lasts('video') })}
    </p>
  );
}

/** The context is full long before the time is over, as a rule. */
export function lastingSeconds(mode: DuplexMode, traits: ServerTraits = {}): number {
  const filled = (effectiveSeconds[mode] * (traits.contextLimit ?? contextTokens)) / contextTokens;
  return Math.round(Math.min(filled, traits.timeLimit ?? sessionSeconds[mode]));
}

function duration(seconds: number, language: string): string {
  const inMinutes = seconds >= 120;
  const value = inMinutes ? Math.round(seconds / 60) : seconds;
  const unit = inMinutes ? 'minute' : 'second';
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(
    value,
  );
}
