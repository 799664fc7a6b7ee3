import { type RefObject, useEffect, useId, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import {
  type RoomTestFailure,
  roomAdvice,
  type RoomJudgement,
  type SavedRoom,
  roomSentences,
} from '../../../shared/audio/sound-tests.ts';
import { fillMessage } from '../../../shared/i18n/messages.ts';
import { isTalkOver } from '../../../shared/talk/talk-view.ts';
import { useActions, useAppContext, useUiState } from '../../app/app-context.ts';
import { Button } from '../../design/controls.tsx';
import { ProgressBar } from '../../design/progress-bar.tsx';
import { getMessages } from '../../i18n/page-language.ts';
import { useCountdown } from '../../i18n/format.ts';
import { overlaySelector, useWindowKeydown } from '../../keys/window-keys.ts';
import { MicrophoneLevelBar } from '../../talk/microphone-level-bar.tsx';
import { Setting, useIsBusy } from '../controls/setting.tsx';
import { isRoomTestRunning, type RoomTestUi } from '../settings-ui-state.ts';
import './room-test.css';

/**
 * The room test records a phrase from the speaker, alone and while the user speaks over it. The user then saves or
 * discards the recording.
 */
export function RoomTestSetting() {
  const { room } = useActions().setup;
  const test = useUiState(({ settingsUi }) => settingsUi.roomTest);
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => () => void room.leave(), [room]);
  useFocusOnStep(container, test?.step);
  useEscape(test?.step === 'explained' || isRoomTestRunning(test), () => void room.cancel());
  return (
    <Setting at="audio.room" field="roomTest" wide>
      {(aria) => (
        <div className="room-test" ref={container}>
          <div role="status" className="room-test-status" dir="auto">
            <RoomTestStatus test={test} />
          </div>
          <RoomTestControls test={test} describedBy={aria['aria-describedby']} />
        </div>
      )}
    </Setting>
  );
}

interface Props {
  readonly test: RoomTestUi | undefined;
}

/** Status and result, in a live region. */
function RoomTestStatus({ test }: Props) {
  const { t } = useTranslation();
  if (test === undefined) return null;
  switch (test.step) {
    case 'explained':
      return null;
    case 'judged':
      return <RoomResult found={test.found} />;
    case 'kept':
      return <RoomSavedText where={test.where} />;
    case 'closed':
      return <p>{t(`settings.sound.roomTest.${test.why}`)}</p>;
    case 'opening':
    case 'quiet':
    case 'alone':
    case 'ready':
    case 'over':
    case 'judging':
      return <p className="room-test-step">{t(`settings.sound.roomTest.now.${test.step}`)}</p>;
  }
}

function RoomTestControls({ test, describedBy }: Props & { readonly describedBy: string }) {
  if (test === undefined) return <OpenButton describedBy={describedBy} />;
  switch (test.step) {
    case 'closed':
      return <OpenButton describedBy={describedBy} />;
    case 'explained':
      return <Explained />;
    case 'judged':
      return <RoomResultButtons found={test.found} />;
    case 'kept':
      return <RoomSavedButtons where={test.where} />;
    case 'opening':
    case 'quiet':
    case 'alone':
    case 'ready':
    case 'over':
    case 'judging':
      return <Running test={test} />;
  }
}

function OpenButton({ describedBy }: { readonly describedBy: string }) {
  const { t } = useTranslation();
  const { room } = useActions().setup;
  const { phase } = useUiState(({ talkState }) => talkState.value);
  const isTalking = !isTalkOver(phase);
  const reasonId = useId();
  return (
    <>
      <Button
        data-first
        aria-describedby={`${describedBy} ${reasonId}`}
        aria-disabled={isTalking}
        onClick={() => {
          if (!isTalking) room.explain();
        }}
      >
        {t('settings.sound.roomTest.open')}
      </Button>
      <p id={reasonId} className="row-hint" dir="auto">
        {isTalking && t('settings.sound.roomTest.talking')}
      </p>
    </>
  );
}

function Explained() {
  const { t } = useTranslation();
  const { room } = useActions().setup;
  const steps = t('settings.sound.roomTest.steps', { returnObjects: true });
  const stepsId = useId();
  return (
    <>
      <div id={stepsId} className="room-test-words" dir="auto">
        <ol>
          {Object.entries(steps).map(([name, what]) => (
            <li key={name}>{what}</li>
          ))}
        </ol>
        <p>{t('settings.sound.roomTest.stays')}</p>
      </div>
      <div className="button-row">
        <Button
          kind="strong"
          data-first
          aria-describedby={stepsId}
          onClick={() => void room.begin()}
        >
          {t('settings.sound.roomTest.start')}
        </Button>
        <Button onClick={() => void room.cancel()}>{t('buttons.cancel')}</Button>
      </div>
    </>
  );
}

function Running({ test }: { readonly test: RoomTestUi }) {
  const { t } = useTranslation();
  const { room } = useActions().setup;
  const ms = 'ms' in test ? test.ms : undefined;
  return (
    <>
      {ms !== undefined && 'at' in test && <StepProgress key={test.step} ms={ms} at={test.at} />}
      {test.step === 'over' && <MicrophoneLevelBar label={t('settings.sound.level')} />}
      <div className="button-row">
        {test.step === 'ready' && (
          <Button kind="strong" data-first onClick={() => void room.ready()}>
            {t('settings.sound.roomTest.ready')}
          </Button>
        )}
        <Button
          key="cancel"
          data-first={test.step === 'ready' ? undefined : true}
          onClick={() => void room.cancel()}
        >
          {t('buttons.cancel')}
        </Button>
      </div>
    </>
  );
}

function StepProgress({ ms, at }: { readonly ms: number; readonly at: number }) {
  const { t } = useTranslation();
  const { now } = useAppContext();
  const seconds = Math.ceil(ms / 1000);
  const remaining = useCountdown(ms / 1000, at, now) ?? 0;
  return (
    <div className="room-test-progress">
      <ProgressBar
        label={t('settings.sound.roomTest.progress')}
        fraction={1 - remaining / seconds}
      />
      <span aria-hidden>{t('settings.voices.seconds', { seconds: remaining })}</span>
    </div>
  );
}

/** Moves the focus to each new step, unless the focus is outside the test. */
function useFocusOnStep(
  container: RefObject<HTMLDivElement | null>,
  step: RoomTestUi['step'] | undefined,
): void {
  const before = useRef(step);
  useLayoutEffect(() => {
    if (before.current === step) return;
    before.current = step;
    const { activeElement, body } = document;
    if (activeElement !== body && container.current?.contains(activeElement) !== true) return;
    container.current?.querySelector<HTMLElement>('[data-first]')?.focus();
  }, [container, step]);
}

/** Calls `onEscape` at Esc wherever the focus is, unless a menu or dialog covers the page. */
function useEscape(isOn: boolean, onEscape: () => void): void {
  useWindowKeydown((event) => {
    if (!isOn || event.key !== 'Escape' || event.defaultPrevented) return;
    if (document.querySelector(overlaySelector) !== null) return;
    event.preventDefault();
    onEscape();
  });
}

interface ResultProps {
  readonly found: RoomJudgement | RoomTestFailure;
}

/** The result, in the same sentences as in the terminal. */
function RoomResult({ found }: ResultProps) {
  const { i18n } = useTranslation();
  const texts = getMessages(i18n).settings.sound.roomTest.judged;
  if (typeof found === 'string')
    return (
      <p className="verdict" data-good={false}>
        {fillMessage(texts[found], { who: 'Parley' })}
      </p>
    );
  const advice = roomAdvice(found);
  return (
    <>
      <ul className="room-test-found">
        {roomSentences(found, true, texts).map(({ words, measurements }) => (
          <li key={words}>
            {words} {measurements !== undefined && <small className="hint">{measurements}</small>}
          </li>
        ))}
      </ul>
      {advice.length > 0 && (
        <ul className="room-test-advice">
          {advice.map((about) => (
            <li key={about}>{texts.advice[about]}</li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Without a result there is nothing to save. */
function RoomResultButtons({ found }: ResultProps) {
  const { t } = useTranslation();
  const { room } = useActions().setup;
  const keeping = useIsBusy('roomTest');
  if (typeof found === 'string')
    return (
      <div className="button-row">
        <Button data-first onClick={() => void room.begin()}>
          {t('settings.sound.roomTest.again')}
        </Button>
        <Button onClick={() => void room.cancel()}>{t('buttons.done')}</Button>
      </div>
    );
  return (
    <>
      <p className="row-hint" dir="auto">
        {t('settings.sound.roomTest.unkept')}
      </p>
      <div className="button-row">
        <Button data-first aria-disabled={keeping} onClick={() => void room.keep()}>
          {t('settings.sound.roomTest.keep')}
        </Button>
        <Button onClick={() => void room.discard()}>
          {t('settings.sound.roomTest.throwAway')}
        </Button>
      </div>
    </>
  );
}

interface SavedProps {
  readonly where: SavedRoom;
}

function RoomSavedText({ where }: SavedProps) {
  const { t } = useTranslation();
  if (where.kind === 'cancelled') return null;
  return (
    <p>
      {where.kind === 'download'
        ? t('export.downloaded', { name: where.name })
        : t('settings.sound.roomTest.kept', { path: where.path })}
    </p>
  );
}

/** The buttons after saving. A browser shows its downloads itself, so there the folder button is left out. */
function RoomSavedButtons({ where }: SavedProps) {
  const { t } = useTranslation();
  const { room } = useActions().setup;
  return (
    <div className="button-row">
      {where.kind === 'folder' && (
        <Button onClick={() => void room.showFolder()}>{t('buttons.folder')}</Button>
      )}
      <Button data-first onClick={() => void room.cancel()}>
        {t('buttons.done')}
      </Button>
    </div>
  );
}
