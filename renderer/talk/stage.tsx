import { Bell, BellOff, RefreshCw } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { wireReason } from '../../shared/errors/app-error.ts';
import { computerProfile } from '../../shared/settings/connection-settings.ts';
import type {
  TalkEnded,
  TalkEnding,
  TalkOffer,
  TalkQueued,
  TalkReconnecting,
} from '../../shared/talk/talk-view.ts';
import { useActions, useAppContext, useUiState } from '../app/app-context.ts';
import { listeningText, stageState } from '../app/ui-state.ts';
import { Button, focusIfLost, passFocusOn, passFocusToDock } from '../design/controls.tsx';
import { copyText } from '../design/copy-text.ts';
import { errorText, modelWaitText, serverName, formatClock, useCountdown } from '../i18n/format.ts';
import { ModelLoading } from '../settings/endpoints/local-model-panel.tsx';
import { CaptionList } from './captions/caption-list.tsx';
import { useHasTranscript } from './captions/caption-rows.ts';
import { IdleCard } from './idle-card.tsx';
import { refusingServer } from './talk-actions.ts';
import { endingTitle, isTextLost, isUnreached, mayContinue } from './talk-ui-state.ts';

/** The main area of the Talk screen: the captions of a talk, or a card about its state. */
export function Stage() {
  const { t } = useTranslation();
  const { shows } = useAppContext();
  const state = useUiState(stageState);
  const hasTranscript = useHasTranscript();
  switch (state.phase) {
    case 'idle':
      return shows === 'talk' ? <IdleCard /> : <StageMessage text={t('replay.beginning')} />;
    case 'connecting':
      return <ConnectingCard />;
    case 'queued':
      return <QueueCard state={state} />;
    case 'reconnecting':
      return (
        <>
          <ReconnectingBanner state={state} />
          {hasTranscript ? (
            <CaptionStage />
          ) : (
            <h1 className="visually-hidden">{t('places.talk')}</h1>
          )}
        </>
      );
    case 'ending':
      return hasTranscript ? <CaptionStage /> : <EndingCard />;
    case 'ended':
      return (
        <>
          {hasTranscript && <CaptionList />}
          <EndedCard state={state} />
        </>
      );
    case 'live':
      return hasTranscript ? <CaptionStage /> : <NoTranscriptYet />;
  }
}

function CaptionStage() {
  const { t } = useTranslation();
  return (
    <>
      <h1 className="visually-hidden">{t('places.talk')}</h1>
      <CaptionList />
    </>
  );
}

/** Before the first words, the user needs to know whether Parley hears them. */
function NoTranscriptYet() {
  const { t } = useTranslation();
  const { shows } = useAppContext();
  const listening = useUiState(listeningText);
  // A replay opens no microphone, and its talk key cannot be pressed.
  const isReplayed =
    shows !== 'talk' &&
    (listening === 'talk.microphoneOpening' || listening === 'talk.captions.keyUp');
  return <StageMessage text={t(isReplayed ? 'talk.captions.none' : listening)} />;
}

function StageMessage({ text }: { readonly text: string }) {
  return <h1 className="stage-quiet">{text}</h1>;
}

function ConnectingCard() {
  const { t } = useTranslation();
  const endpoint = useUiState(({ facts }) => facts?.endpoint);
  const model = useUiState(({ localModel }) => localModel);
  const wait = modelWaitText(t, 'talk', model);
  if (endpoint === computerProfile.name && wait !== undefined) {
    return (
      <div className="card">
        <h1 className="card-small">{t('model.name')}</h1>
        {model?.server.kind === 'loading' ? (
          <ModelLoading state={model.server} />
        ) : (
          <p role="status">{wait}</p>
        )}
      </div>
    );
  }
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
  const remaining = useCountdown(state.etaSeconds, at, now);
  return (
    <div className="card">
      {state.position === undefined ? (
        <h1>{t('talk.phases.queued')}</h1>
      ) : (
        <>
          <h1 className="card-small">{t('talk.queue.title')}</h1>
          <p className="queue-place">
            <span className="queue-number">{state.position}</span>{' '}
            {state.length !== undefined && t('talk.queue.of', { length: state.length })}
          </p>
        </>
      )}
      <p className="queue-eta">{etaText()}</p>
      {shows === 'talk' && <ChimeSwitch />}
    </div>
  );

  function etaText(): string {
    if (remaining === undefined) return t('talk.queue.unknown');
    return remaining === 0
      ? t('talk.queue.soon')
      : t('talk.queue.eta', { time: formatClock(remaining) });
  }
}

function ChimeSwitch() {
  const { t } = useTranslation();
  const { changeSettings } = useActions();
  const chimes = useUiState(({ settings }) => settings?.audio.chimes);
  if (chimes === undefined) return null;
  const Icon = chimes ? Bell : BellOff;
  return (
    <div className="card-buttons button-row">
      <button
        type="button"
        role="switch"
        className="queue-chimes hint"
        aria-checked={chimes}
        onClick={() => void changeSettings({ audio: { chimes: !chimes } })}
      >
        <Icon strokeWidth={1.75} aria-hidden />
        {t('talk.queue.chimes')}
      </button>
    </div>
  );
}

function ReconnectingBanner({ state }: { readonly state: TalkReconnecting }) {
  const { t } = useTranslation();
  const { reconnectNow } = useActions();
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
        <p className="banner-when hint">
          {seconds > 0
            ? t('talk.reconnecting.again', { attempt, seconds })
            : t('talk.reconnecting.now', { attempt })}
        </p>
      </div>
      {shows === 'talk' && (
        <Button
          ref={passFocusToDock}
          aria-disabled={seconds === 0}
          onClick={() => void reconnectNow()}
        >
          {t('talk.reconnecting.tryNow')}
        </Button>
      )}
    </section>
  );
}

function EndedCard({ state: { ending, offer } }: { readonly state: TalkEnded }) {
  const { t } = useTranslation();
  const { shows } = useAppContext();
  const session = useUiState(({ facts }) => facts?.session?.id);
  const hasTranscript = useHasTranscript();
  const isInspecting = useUiState(({ inspectorOpen }) => inspectorOpen);
  useEffect(() => {
    // The button that ended the talk is gone, and the focus with it.
    if (shows === 'talk') focusIfLost('.stage .card h1');
  }, [shows]);
  return (
    <div className="card" data-compact={hasTranscript}>
      <h1>{t(`talk.ended.${endingTitle(ending, offer)}`)}</h1>
      {ending.by !== 'client' && <p dir="auto">{errorText(t, ending.error)}</p>}
      {shows === 'talk' && <NextStepButtons ending={ending} offer={offer} />}
      {shows === 'talk' && <KeepQuestion ending={ending} />}
      {/* A replay shows the details even after an orderly end. */}
      {(isInspecting || shows === 'replay' || !ending.orderly) && (
        <details className="card-details hint">
          <summary>{t('talk.ended.details')}</summary>
          <p>{t('talk.ended.detail', { reason: wireReason(ending.error) })}</p>
          {session !== undefined && session !== '' && <SessionId id={session} />}
          {shows === 'talk' && !ending.orderly && <ReportButton />}
        </details>
      )}
    </div>
  );
}

/** Reports the talk that failed. The sheet says so if the talk was not recorded. */
function ReportButton() {
  const { t } = useTranslation();
  const { reporting } = useActions();
  return (
    <Button kind="quiet" onClick={() => reporting.open({ kind: 'shown' })}>
      {t('report.action')}
    </Button>
  );
}

/** Which server setting the user should check. A server that was never reached may have a wrong address. */
function settingToCheck(
  ending: TalkEnding,
  offer: TalkOffer,
): 'checkEndpoint' | 'checkToken' | undefined {
  if (offer === 'checkEndpoint' || offer === 'checkToken') return offer;
  return isUnreached(ending, offer) ? 'checkEndpoint' : undefined;
}

function NextStepButtons({ ending, offer }: Omit<TalkEnded, 'phase'>) {
  const { t } = useTranslation();
  const { continueTalk, start, leaveOut, openServer, dismissEnded } = useActions();
  const { error } = ending;
  const canLeaveOut = useUiState((state) => refusingServer(state) !== undefined);
  const refusedField = canLeaveOut && error.code === 'fieldRefused' ? error.facts.field : undefined;
  const mode = useUiState(({ facts }) => facts?.mode ?? 'audio');
  const check = settingToCheck(ending, offer);
  const again = t(offer === 'none' ? 'talk.ended.startNew' : 'buttons.again');
  return (
    <div ref={passFocusToDock} className="card-buttons button-row">
      {refusedField !== undefined && (
        <Button kind="strong" onClick={() => void leaveOut(refusedField)}>
          {t('talk.ended.leaveOut')}
        </Button>
      )}
      {offer === 'continue' ? (
        <>
          <Button kind="strong" onClick={() => void continueTalk('transcript')}>
            {t('talk.ended.goOn')}
          </Button>
          <Button onClick={() => void continueTalk('nothing')}>{t('talk.ended.goOnAfresh')}</Button>
        </>
      ) : (
        <Button
          kind={refusedField === undefined ? 'strong' : 'plain'}
          onClick={() => void start(mode)}
        >
          {again}
        </Button>
      )}
      {check !== undefined && <Button onClick={openServer}>{t(`talk.ended.${check}`)}</Button>}
      {offer !== 'continue' && mayContinue({ ending, offer }) && (
        <Button onClick={() => void continueTalk('transcript')}>{t('talk.ended.goOn')}</Button>
      )}
      <Button kind="quiet" onClick={dismissEnded}>
        {t('buttons.done')}
      </Button>
    </div>
  );
}

function KeepQuestion({ ending }: Pick<TalkEnded, 'ending'>) {
  const { t } = useTranslation();
  const { history } = useActions();
  const talk = useUiState(({ storage }) => storage.talk);
  const keepsTalks = useUiState(({ settings }) => settings?.privacy.keepTalks === 'yes');
  const hasWords = useHasTranscript();
  if (talk.kind === 'incognito') return <p className="card-soft">{t('history.incognito.live')}</p>;
  if (talk.kind === 'stored')
    return (
      <div className="card-keep">
        <p className="card-soft">{t('history.keep.kept')}</p>
        <Button onClick={() => history.show(talk.id)}>{t('history.keep.read')}</Button>
      </div>
    );
  if (isTextLost(talk, ending, { keepsTalks, hasWords }))
    return <p className="card-soft">{t('history.keep.notStored')}</p>;
  if (talk.kind !== 'asked') return null;
  return (
    <section ref={passFocusOn} className="card-keep" aria-label={t('history.keep.question')}>
      <p className="card-question">{t('history.keep.question')}</p>
      <p className="hint">{t('history.keep.hint')}</p>
      <div className="card-buttons button-row">
        <Button onClick={() => void history.keepTalk(true)}>{t('history.keep.yes')}</Button>
        <Button onClick={() => void history.keepTalk(false)}>{t('history.keep.no')}</Button>
      </div>
    </section>
  );
}

/** Server operators find a session by this id. */
function SessionId({ id }: { readonly id: string }) {
  const { t } = useTranslation();
  const [copied, setCopied] = useState<boolean>();
  return (
    <div className="session-id">
      <p>
        {t('talk.ended.session')} <code dir="ltr">{id}</code>
      </p>
      <Button kind="quiet" onClick={() => setCopied(copyText(id))}>
        {t('talk.ended.copySession')}
      </Button>
      <p role="status" className="session-id-copied">
        {copied === undefined ? '' : t(copied ? 'settings.about.copied' : 'talk.ended.copyFailed')}
      </p>
    </div>
  );
}
