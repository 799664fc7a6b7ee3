import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MeterEvent } from '../../shared/sound/meter-event.ts';
import type { AppError } from '../../shared/errors/app-error.ts';
import { Button } from '../design/button.tsx';
import { MicrophoneLevelBar } from '../parts/microphone-level-bar.tsx';
import { useAppContext } from '../store/use-app-context.ts';
import { errorText } from '../parts/error-text.ts';

/** What is known of the microphone while it is looked at. */
type Check =
  | { readonly state: 'waiting' }
  | { readonly state: 'opening' }
  | { readonly state: 'open'; readonly device: string | undefined; readonly heard: boolean }
  | { readonly state: 'problem'; readonly error: AppError };

/** Louder than a quiet room; a voice is far above it. */
const voiceDb = -38;

/** Opens the microphone once the person says so, and shows that it hears them. */
export function MicrophoneStep({ next }: { readonly next: () => void }) {
  const { t } = useTranslation();
  const { request, listen } = useAppContext();
  const [check, setCheck] = useState<Check>({ state: 'waiting' });
  const leave = useRef<() => void>(() => undefined);

  useEffect(
    () => () => {
      leave.current();
    },
    [],
  );
  const begin = async (): Promise<void> => {
    setCheck({ state: 'opening' });
    leave.current();
    const stop = listen(({ name, payload }) => {
      if (name === 'microphoneMeter') setCheck((before) => checkAfter(before, payload));
    });
    leave.current = () => {
      stop();
      void request('meterMicrophone', { on: false });
    };
    const reply = await request('meterMicrophone', { on: true });
    if (!reply.ok) setCheck({ state: 'problem', error: reply.error });
  };
  const open = check.state === 'open';
  const failed = check.state === 'problem';
  const again = t(failed ? 'firstRun.microphone.again' : 'firstRun.microphone.check');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (open) next();
        else void begin();
      }}
    >
      <MicrophoneLevelBar label={t('firstRun.microphone.level')} tall />
      <p className="first-run-said" role="status" data-good={open && check.heard}>
        {check.state === 'opening' && t('firstRun.microphone.opening')}
        {open && t(`firstRun.microphone.${check.heard ? 'heard' : 'speak'}`)}
        {failed && errorText(t, check.error)}
      </p>
      {open && check.device !== undefined && (
        <p className="first-run-device" dir="auto">
          {check.device}
        </p>
      )}
      <div className="first-run-buttons">
        <Button kind="strong" type="submit">
          {open ? t('firstRun.next') : again}
        </Button>
        {!open && <Button onClick={next}>{t('firstRun.later')}</Button>}
      </div>
    </form>
  );
}

/** Levels come twenty times a second; only what they say for the first time is another state. */
function checkAfter(before: Check, event: MeterEvent): Check {
  const known = before.state === 'open' ? before : { device: undefined, heard: false };
  switch (event.kind) {
    case 'using':
      return { state: 'open', device: event.device, heard: known.heard };
    case 'problem':
      return { state: 'problem', error: event.error };
    case 'stopped':
      return { state: 'waiting' };
    case 'level':
      if (before.state === 'open' && (before.heard || event.rmsDb < voiceDb)) return before;
      return { state: 'open', device: known.device, heard: event.rmsDb >= voiceDb };
  }
}
