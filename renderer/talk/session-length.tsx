import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import {
  contextTokens,
  type DuplexMode,
  effectiveSeconds,
  sessionSeconds,
} from '../../shared/protocol/realtime-api.ts';
import type { ServerTraits } from '../../shared/settings/endpoint-profile.ts';
import {
  documentedMemory,
  type MemoryFacts,
  memorySeconds,
  type PicturePlan,
} from '../../shared/vision/picture-memory.ts';
import { useActions, useUiState } from '../app/use-app-context.ts';

/** How long a session may be expected to last, for who is about to begin one. */
export function SessionLength() {
  const { t, i18n } = useTranslation();
  const settings = useUiState(({ settings }) => settings);
  const memory = useUiState(({ settingsUi }) => settingsUi.serverMemory);
  const { setup } = useActions();
  useEffect(() => void setup.readServerMemory(), [setup]);
  if (settings === undefined) return null;
  const { chosen, list } = settings.endpoints;
  const { traits } = list.find(({ id }) => id === chosen) ?? {};
  const { chunkMs } = settings.assistant.generation;
  const seconds = {
    audio: lastingSeconds(traits),
    video: lastingWithPictures({ ...settings.vision, chunkMs }, memory, traits),
  };
  const lasts = (mode: DuplexMode): string => duration(seconds[mode], i18n.language);
  const goesOn = settings.talking.longTalks === 'handOver' ? 'goesOn' : 'ends';
  return (
    <p className="card-length">
      {t(`talk.idle.${goesOn}`, { audio: lasts('audio'), video: lasts('video') })}
    </p>
  );
}

/** The context is full long before the time is over, as a rule. */
export function lastingSeconds(traits: ServerTraits = {}): number {
  const filled = (effectiveSeconds.audio * (traits.contextLimit ?? contextTokens)) / contextTokens;
  return Math.round(Math.min(filled, traits.timeLimit ?? sessionSeconds.audio));
}

/** With pictures, by as many as the person wants of them. */
export function lastingWithPictures(
  plan: PicturePlan,
  memory: MemoryFacts = documentedMemory,
  { contextLimit, timeLimit }: ServerTraits = {},
): number {
  const facts = {
    ...memory,
    contextTokens: contextLimit ?? memory.contextTokens,
    sessionSeconds: timeLimit ?? memory.sessionSeconds,
  };
  return Math.round(memorySeconds(facts, plan));
}

function duration(seconds: number, language: string): string {
  const inMinutes = seconds >= 120;
  const value = inMinutes ? Math.round(seconds / 60) : seconds;
  const unit = inMinutes ? 'minute' : 'second';
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(
    value,
  );
}
