import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../design/button.tsx';
import { ExamplesMenu } from '../replay/examples-menu.tsx';
import { useActions } from '../store/use-app-context.ts';
import './first-run.css';
import { LanguageStep } from './language-step.tsx';
import { MicrophoneStep } from './microphone-step.tsx';
import { ServerStep } from './server-step.tsx';

const steps = ['language', 'microphone', 'server'] as const;
export type FirstStep = (typeof steps)[number];

interface StepProps {
  readonly next: () => void;
}

const bodies: Readonly<Record<FirstStep, (props: StepProps) => React.ReactNode>> = {
  language: LanguageStep,
  microphone: MicrophoneStep,
  server: ServerStep,
};

/** The first steps: three short questions, each of which can be left out. */
export function FirstRun({ first = 'language' }: { readonly first?: FirstStep }) {
  const { t } = useTranslation();
  const { endFirstRun } = useActions();
  const [step, setStep] = useState<FirstStep>(first);
  const at = steps.indexOf(step);
  const Body = bodies[step];
  const next = (): void => {
    const following = steps[at + 1];
    if (following !== undefined) setStep(following);
  };
  return (
    <main className="first-run" aria-label={t('firstRun.name')}>
      <p className="first-run-count">
        {t('firstRun.count', { step: at + 1, steps: steps.length })}
      </p>
      <StepTitle key={`title of ${step}`} text={t(`firstRun.${step}.title`)} />
      <p className="first-run-text">{t(`firstRun.${step}.text`)}</p>
      <Body key={`body of ${step}`} next={next} />
      <div className="first-run-foot">
        {at > 0 && (
          <Button
            kind="quiet"
            onClick={() => {
              setStep(steps[at - 1] ?? 'language');
            }}
          >
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

/** Takes the keyboard when it comes: whoever listens hears where they are, and goes on from there. */
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
