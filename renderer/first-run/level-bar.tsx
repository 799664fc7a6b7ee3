import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useDesk } from '../store/use-desk.ts';

/** From here to full scale is what the bar shows, in dBFS. */
const quietest = -60;

/** How loud the microphone is, past React: it changes twenty times a second. */
export function LevelBar() {
  const { t } = useTranslation();
  const { listen } = useDesk();
  const bar = useRef<HTMLDivElement>(null);
  useEffect(
    () =>
      listen(({ name, payload }) => {
        const element = bar.current;
        if (element === null || name !== 'microphoneMeter' || payload.kind !== 'level') return;
        const share = Math.min(1, Math.max(0, 1 - payload.peakDb / quietest));
        element.style.setProperty('--level', share.toFixed(3));
        element.setAttribute('aria-valuenow', `${Math.round(share * 100)}`);
      }),
    [listen],
  );
  return (
    <div
      ref={bar}
      className="level-bar"
      role="meter"
      aria-label={t('firstRun.microphone.level')}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={0}
    />
  );
}
