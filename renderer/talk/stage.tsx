import { Bell, BellOff, RefreshCw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { TalkQueued, TalkReconnecting } from '../../shared/talk/talk-state.ts';
import { stageState } from '../app/ui-state.ts';
import { useActions, useAppContext, useUiState } from '../app/use-app-context.ts';
import { Button } from '../design/button.tsx';
import { errorText } from '../i18n/error-text.ts';
import { serverName } from '../i18n/server-name.ts';
import { clockTime, useCountdown } from '../i18n/time-text.ts';
import { CaptionList } from './captions/caption-list.tsx';
import { useSomethingSaid } from './captions/said-rows.ts';
import { EndedCard } from './ended-card.tsx';
import { IdleCard } from './idle-card.tsx';

/** What was said, or what there is to know while nobody says anything: of the talk, or of one that is played again. */
export function Stage() {
  const { t } = useTranslation();
  const { shows } = useAppContext();
  const state = useUiState(stageState);
  const said = useSomethingSaid();
  switch (state.phase) {
    case 'idle':
      return shows === 'talk' ? <IdleCard /> : <Silence text={t('replay.beginning')} />;
    case 'connecting':
      return <ConnectingCard />;
    case 'queued':
      return <QueueCard state={state} />;
    case 'reconnecting':
      return (
        <>
          <ReconnectingBanner state={state} />
          {said ? <CaptionStage /> : <h1 className="only-heard">{t('talk.title')}</h1>}
        </>
      );
    case 'ending':
      return said ? <CaptionStage /> : <EndingCard />;
    case 'ended':
      return (
        <>
          {said && <CaptionList />}
          <EndedCard state={state} />
        </>
      );
    case 'live':
      return said ? <CaptionStage /> : <LiveSilence />;
  }
}

function CaptionStage() {
  const { t } = useTranslation();
  return (
    <>
      <h1 className="only-heard">{t('talk.title')}</h1>
      <CaptionList />
    </>
  );
}

/** Nothing was said yet: whether Parley hears one at all is what one must be sure of. */
function LiveSilence() {
  const { t } = useTranslation();
  const { muted, paused } = useUiState(({ controls }) => controls);
  if (paused) return <Silence text={t('talk.captions.paused')} />;
  return <Silence text={t(muted ? 'talk.captions.muted' : 'talk.captions.none')} />;
}

function Silence({ text }: { readonly text: string }) {
  return <h1 className="stage-quiet">{text}</h1>;
}

function ConnectingCard() {
  const { t } = useTranslation();
  const endpoint = useUiState(({ facts }) => facts?.endpoint);
  return (
    <div className="card">
      <h1>{t('talk.connecting.title')}</h1>
      {endpoint !== undefined && (
        <p dir="auto">{t('talk.connecting.text', { endpoint: serverName(t, endpoint) })}</p>
      )}
    </div>
  );
}

function EndingCard() {
  const { t } = useTranslation();
  return (
    <div className="card">
      <h1>{t('talk.ending.title')}</h1>
    </div>
  );
}

function QueueCard({ state }: { readonly state: TalkQueued }) {
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

/** Above the words, which stay: what broke, when it is tried again, and a way not to wait for it. */
function ReconnectingBanner({ state }: { readonly state: TalkReconnecting }) {
  const { t } = useTranslation();
  const { networkBack } = useActions();
  const { now, shows } = useAppContext();
  const at = useUiState(({ talkState }) => talkState.at);
  const { attempt, inMs, error } = state;
  const seconds = useCountdown(inMs / 1000, at, now) ?? 0;
  return (
    <section className="banner" aria-label={t('talk.phases.reconnecting')}>
      <RefreshCw strokeWidth={1.75} aria-hidden />
      <div className="banner-words">
        <h2>{t('talk.reconnecting.title')}</h2>
        <p dir="auto">{errorText(t, error)}</p>
        <p className="banner-when">
          {seconds > 0
            ? t('talk.reconnecting.again', { attempt, seconds })
            : t('talk.reconnecting.now', { attempt })}
        </p>
      </div>
      {shows === 'talk' && (
        <Button aria-disabled={seconds === 0} onClick={() => void networkBack()}>
          {t('talk.reconnecting.tryNow')}
        </Button>
      )}
    </section>
  );
}
