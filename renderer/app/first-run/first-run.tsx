import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MeterEvent } from '../../../shared/audio/sound-tests.ts';
import type { AppError } from '../../../shared/errors/app-error.ts';
import { languageIds, languages } from '../../../shared/i18n/languages.ts';
import { Button, handleSubmit, passFocusToDock, Switch } from '../../design/controls.tsx';
import { errorText, microphoneName } from '../../i18n/format.ts';
import { useLanguage } from '../../i18n/page-language.ts';
import { keyName } from '../../keys/window-keys.ts';
import { ExamplesMenu } from '../../replay/examples-menu.tsx';
import { MicrophoneLevelBar } from '../../talk/microphone-level-bar.tsx';
import { useActions, useAppContext, useUiState } from '../app-context.ts';
import { Choice, ServerStep } from './server-step.tsx';
import './first-run.css';

const steps = ['language', 'microphone', 'server'] as const;
type FirstStep = (typeof steps)[number];

interface StepProps {
  readonly onNext: () => void;
}

const bodies: Readonly<Record<FirstStep, (props: StepProps) => React.ReactNode>> = {
  language: LanguageStep,
  microphone: MicrophoneStep,
  server: ServerStep,
};

/** The first-run steps: three short questions that the user can skip. */
export function FirstRun() {
  const { t } = useTranslation();
  const { endFirstRun, showFirstStep } = useActions();
  const step = useUiState(({ firstStep }) => firstStep);
  const index = steps.indexOf(step);
  const Body = bodies[step];
  const next = (): void => {
    const following = steps[index + 1];
    if (following !== undefined) showFirstStep(following);
  };
  return (
    <main ref={passFocusToDock} className="first-run" aria-label={t('firstRun.name')}>
      <p className="first-run-count hint">
        {t('firstRun.count', { step: index + 1, steps: steps.length })}
      </p>
      <StepTitle key={`title of ${step}`} text={t(`firstRun.${step}.title`)} />
      <p className="first-run-text">{t(`firstRun.${step}.text`)}</p>
      <Body key={`body of ${step}`} onNext={next} />
      {step === 'server' && <CursorCard />}
      <div className="first-run-foot">
        {index > 0 && (
          <Button kind="quiet" onClick={() => showFirstStep(steps[index - 1] ?? 'language')}>
            {t('firstRun.back')}
          </Button>
        )}
        <Button kind="quiet" onClick={() => void endFirstRun()}>
          {t('firstRun.skip')}
        </Button>
        <ExamplesMenu />
      </div>
    </main>
  );
}

/**
 * Offers the small window over other programs, if the host has windows. Parley takes its key only after the user turns
 * it on.
 */
function CursorCard() {
  const { t } = useTranslation();
  const { changeSettings, readWindows } = useActions();
  const hasWindows = useUiState(({ windows }) => windows !== undefined);
  const cursor = useUiState(({ settings }) => settings?.cursor);
  const id = useId();
  useEffect(() => void readWindows(), [readWindows]);
  if (!hasWindows || cursor === undefined) return null;
  const key = keyName(cursor.askKey, t('keys', { returnObjects: true }));
  return (
    <div className="first-run-card">
      <div>
        <p id={id}>{t('settings.rows.cursor.enabled.name')}</p>
        <p className="hint">{t('firstRun.cursor', { key })}</p>
      </div>
      <Switch
        aria-labelledby={id}
        on={cursor.enabled}
        onSwitch={(enabled) => void changeSettings({ cursor: { enabled } })}
      />
    </div>
  );
}

/** Takes the focus, so that screen readers announce each step. */
function StepTitle({ text }: { readonly text: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus();
  }, []);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {text}
    </h1>
  );
}

/** Each language is listed under its own name. */
function LanguageStep({ onNext }: { readonly onNext: () => void }) {
  const { t } = useTranslation();
  const shown = useLanguage();
  const { changeSettings } = useActions();
  const group = useId();
  return (
    <form onSubmit={handleSubmit(onNext)}>
      <fieldset>
        <legend className="visually-hidden">{t('firstRun.language.title')}</legend>
        {languageIds.map((language) => (
          <Choice
            key={language}
            group={group}
            lang={languages[language].tag}
            name={languages[language].ownName}
            checked={shown === language}
            onChoose={() => void changeSettings({ appearance: { language } })}
          />
        ))}
      </fieldset>
      <Button kind="strong" type="submit">
        {t('firstRun.next')}
      </Button>
    </form>
  );
}

type MicrophoneCheck =
  | { readonly state: 'waiting' }
  | { readonly state: 'opening' }
  | { readonly state: 'open'; readonly device: string; readonly heard: boolean }
  | { readonly state: 'problem'; readonly error: AppError };

/** In dBFS: above the level of a quiet room and far below a voice. */
const minVoiceDb = -38;

/** Opens the microphone on request and shows whether it picks up a voice. */
function MicrophoneStep({ onNext }: { readonly onNext: () => void }) {
  const { t } = useTranslation();
  const { request, listen } = useAppContext();
  const [check, setCheck] = useState<MicrophoneCheck>({ state: 'waiting' });
  const stopCheck = useRef<() => void>(() => undefined);

  useEffect(() => () => stopCheck.current(), []);
  const begin = async (): Promise<void> => {
    setCheck({ state: 'opening' });
    stopCheck.current();
    const stop = listen(({ name, payload }) => {
      if (name === 'microphoneMeter') setCheck((before) => nextCheck(before, payload));
    });
    stopCheck.current = () => {
      stop();
      void request('meterMicrophone', { on: false });
    };
    const reply = await request('meterMicrophone', { on: true });
    if (!reply.ok) setCheck({ state: 'problem', error: reply.error });
  };
  const isOpen = check.state === 'open';
  const hasFailed = check.state === 'problem';
  const again = t(hasFailed ? 'buttons.again' : 'firstRun.microphone.check');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isOpen) onNext();
        else void begin();
      }}
    >
      <MicrophoneLevelBar label={t('firstRun.microphone.level')} tall />
      <p className="first-run-status" role="status" data-good={isOpen && check.heard}>
        {check.state === 'opening' && t('firstRun.microphone.opening')}
        {isOpen && t(`firstRun.microphone.${check.heard ? 'heard' : 'speak'}`)}
        {hasFailed && errorText(t, check.error)}
      </p>
      {isOpen && (
        <p className="first-run-device hint" dir="auto">
          {microphoneName(t, check.device)}
        </p>
      )}
      <div className="first-run-buttons">
        <Button kind="strong" type="submit">
          {isOpen ? t('firstRun.next') : again}
        </Button>
        {!isOpen && <Button onClick={onNext}>{t('firstRun.later')}</Button>}
      </div>
    </form>
  );
}

/** Levels come 20 times a second, even without a microphone. Only the first loud level of an open microphone changes the state. */
export function nextCheck(before: MicrophoneCheck, event: MeterEvent): MicrophoneCheck {
  switch (event.kind) {
    case 'using':
      return {
        state: 'open',
        device: event.device,
        heard: before.state === 'open' && before.heard,
      };
    case 'problem':
      return { state: 'problem', error: event.error };
    case 'stopped':
      return { state: 'waiting' };
    case 'level':
      if (before.state !== 'open' || before.heard || event.rmsDb < minVoiceDb) return before;
      return { ...before, heard: true };
  }
}
