import type { TalkQueued } from '../../../shared/talk/talk-state.ts';
import { useTranslation } from 'react-i18next';
import { Bell, BellOff } from 'lucide-react';
import { useActions, useAppContext, useUiState } from '../../store/use-app-context.ts';
import { endpointName } from '../session-bar.tsx';
import { clockTime, useCountdown } from '../use-countdown.ts';

export function ConnectingCard() {
  const { t } = useTranslation();
  const endpoint = useUiState(({ facts }) => facts?.endpoint);
  return (
    <div className="card">
      <h1>{t('talk.connecting.title')}</h1>
      {endpoint !== undefined && (
        <p dir="auto">{t('talk.connecting.text', { endpoint: endpointName(t, endpoint) })}</p>
      )}
    </div>
  );
}

export function EndingCard() {
  const { t } = useTranslation();
  return (
    <div className="card">
      <h1>{t('talk.ending.title')}</h1>
    </div>
  );
}

export function QueueCard({ state }: { readonly state: TalkQueued }) {
  const { t } = useTranslation();
  const { now, shows } = useAppContext();
  const at = useUiState(({ talkState }) => talkState.at);
  const left = useCountdown(state.etaSeconds, at, now);
  return (
    <div className="card">
      {state.position === undefined ? (
        <h1>{t('talk.phases.queued')}</h1>
      ) : (
        <>
          <h1 className="card-small">{t('talk.queue.title')}</h1>
          <p className="queue-place">
            <span className="queue-figure">{state.position}</span>{' '}
            {state.length !== undefined && t('talk.queue.of', { length: state.length })}
          </p>
        </>
      )}
      <p className="queue-eta">{etaText()}</p>
      {shows === 'talk' && <ChimeSwitch />}
    </div>
  );

  function etaText(): string {
    if (left === undefined) return t('talk.queue.unknown');
    return left === 0 ? t('talk.queue.soon') : t('talk.queue.eta', { time: clockTime(left) });
  }
}

function ChimeSwitch() {
  const { t } = useTranslation();
  const { changeSettings } = useActions();
  const chimes = useUiState(({ settings }) => settings?.audio.chimes);
  if (chimes === undefined) return null;
  const Icon = chimes ? Bell : BellOff;
  return (
    <div className="card-buttons">
      <button
        type="button"
        role="switch"
        className="queue-chimes"
        aria-checked={chimes}
        onClick={() => void changeSettings({ audio: { chimes: !chimes } })}
      >
        <Icon strokeWidth={1.75} aria-hidden />
        {t('talk.queue.chimes')}
      </button>
    </div>
  );
}
