import { Mic, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { ServerWait } from '../../shared/cursor/quick-view.ts';
import { isTalkOver } from '../../shared/talk/talk-view.ts';
import { useActions, useAppContext, useUiState } from '../app/app-context.ts';
import { runningState } from '../app/ui-state.ts';
import { Button, IconButton } from '../design/controls.tsx';
import { errorText, joinSentences } from '../i18n/format.ts';
import { voiceHeight } from '../talk/microphone-level-bar.tsx';
import { TalkStrip } from '../talk/talk-strip.tsx';
import { useActionName } from './action-icons.ts';

/** Dictation into another program, which keeps the focus. */
export function DictationCard() {
  const { t } = useTranslation();
  const { quick } = useActions();
  const text = useUiState(({ quick }) => quick.dictation.text);
  const { phase } = useUiState(runningState);
  const status = useDictationStatus();
  const mode = useModeName();
  return (
    <main className="cursor cursor-dictation" aria-label={t('cursor.dictation.title')}>
      <h1 className="visually-hidden">{t('cursor.dictation.title')}</h1>
      <div className="cursor-head">
        <LevelRing />
        <p className="cursor-status" role="status" dir="auto">
          {status}
        </p>
        <span className="cursor-mode hint one-line">{mode}</span>
        <IconButton
          icon={X}
          label={t('cursor.dictation.cancel')}
          onClick={() => void quick.cancelDictation()}
        />
      </div>
      <p className="cursor-words scroll-area" dir="auto" tabIndex={text === '' ? undefined : 0}>
        {text}
      </p>
      {/* During a talk no dictation can be tried again, because the talk has the microphone. */}
      {isTalkOver(phase) ? <RetryDictation /> : <TalkStrip />}
    </main>
  );
}

/** Lets the user have the recorded words transcribed again, or wait for a busy server. */
export function RetryDictation() {
  const { t } = useTranslation();
  const { quick } = useActions();
  const { state, wait } = useUiState(({ quick }) => quick.dictation);
  if (state.kind !== 'failed' && wait !== 'waiting') return null;
  return (
    <div className="cursor-tools">
      <WaitTools of="dictation" wait={wait} />
      {wait !== 'waiting' && (
        <Button
          kind={wait === 'offered' ? 'plain' : 'strong'}
          onClick={() => void quick.endDictation()}
        >
          {t('buttons.again')}
        </Button>
      )}
    </div>
  );
}

/** Offers to wait for a busy server, or says that Parley waits. */
export function WaitTools({
  of,
  wait,
}: {
  readonly of: 'answer' | 'dictation';
  readonly wait: ServerWait;
}) {
  const { t } = useTranslation();
  const { quick } = useActions();
  if (wait === 'none') return null;
  const isWaiting = wait === 'waiting';
  return (
    <>
      {isWaiting && (
        <p className="cursor-waiting" role="status">
          {t('cursor.waiting')}
        </p>
      )}
      <Button
        kind={isWaiting ? 'plain' : 'strong'}
        onClick={() => void quick.waitForServer(of, !isWaiting)}
      >
        {t(isWaiting ? 'cursor.stopWaiting' : 'cursor.wait')}
      </Button>
    </>
  );
}

function useModeName(): string {
  const { t } = useTranslation();
  const nameOf = useActionName();
  const cursor = useUiState(({ settings }) => settings?.cursor);
  const mode = cursor?.dictation.mode ?? 'clean';
  const action = cursor?.actions.find(({ id }) => id === mode);
  if (action !== undefined) return nameOf(action);
  return t(`cursor.dictation.modes.${mode === 'verbatim' ? 'verbatim' : 'clean'}`);
}

export function useDictationStatus(): string {
  const { t } = useTranslation();
  const { state, place } = useUiState(({ quick }) => quick.dictation);
  switch (state.kind) {
    case 'listening':
      return t(`cursor.dictation.${state.activation}`);
    case 'writing':
    case 'finishing':
      return place === undefined
        ? t(`cursor.dictation.${state.kind}`)
        : t('cursor.dictation.place', { place });
    case 'opening':
    case 'nothingHeard':
      return t(`cursor.dictation.${state.kind}`);
    case 'failed':
      return errorText(t, state.error);
    case 'copiedInstead':
      return joinSentences(t, errorText(t, state.error), t('cursor.dictation.copiedInstead'));
    case 'done':
    case 'idle':
      return '';
  }
}

/** A microphone with a ring that grows with the voice. Levels bypass React. */
export function LevelRing() {
  const { listen } = useAppContext();
  const ring = useRef<HTMLSpanElement>(null);
  const kind = useUiState(({ quick }) => quick.dictation.state.kind);
  useEffect(
    () =>
      listen(({ name, payload }) => {
        if (name === 'dictationLevel')
          ring.current?.style.setProperty('--level', voiceHeight(payload.rmsDb).toFixed(2));
      }),
    [listen],
  );
  return (
    <span ref={ring} className="cursor-ring" data-state={kind} aria-hidden>
      <Mic />
    </span>
  );
}
