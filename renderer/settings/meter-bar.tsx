import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useDesk } from '../store/use-desk.ts';

/** Below this it is the room and not a voice. */
const quietest = -60;

/** How loud the microphone is: painted from the feed, so that nothing is rendered for it. */
export function MeterBar() {
  const { t } = useTranslation();
  const { meter } = useDesk();
  const bar = useRef<HTMLDivElement>(null);
  useEffect(
    () =>
      meter.subscribe(({ rmsDb, peakDb }) => {
        const element = bar.current;
        if (element === null) return;
        element.style.setProperty('--level', String(share(rmsDb)));
        element.style.setProperty('--peak', String(share(peakDb)));
        element.dataset['loud'] = String(peakDb > -1);
        element.ariaValueNow = String(Math.round(share(rmsDb) * 100));
      }),
    [meter],
  );
  return (
    <div
      ref={bar}
      className="meter"
      role="meter"
      aria-label={t('settings.sound.level')}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={0}
    />
  );
}

function share(decibels: number): number {
  return Math.min(1, Math.max(0, 1 - decibels / quietest));
}
