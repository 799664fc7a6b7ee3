import { useEffect, useRef } from 'react';
import { voiceHeight } from '../app/store.ts';
import { useAppContext } from '../app/use-app-context.ts';
import './microphone-level-bar.css';

interface Props {
  readonly label: string;
  /** Where it is all there is to see. */
  readonly tall?: boolean;
}

/** How loud the microphone is: painted from the feed, so that nothing is rendered for it. */
export function MicrophoneLevelBar({ label, tall = false }: Props) {
  const { microphoneLevels } = useAppContext();
  const bar = useRef<HTMLDivElement>(null);
  useEffect(
    () =>
      microphoneLevels.add(({ rmsDb, peakDb }) => {
        const element = bar.current;
        if (element === null) return;
        const level = voiceHeight(rmsDb);
        element.style.setProperty('--level', level.toFixed(3));
        element.dataset['loud'] = String(peakDb > -1);
        element.ariaValueNow = String(Math.round(level * 100));
      }),
    [microphoneLevels],
  );
  return (
    <div
      ref={bar}
      className="meter"
      data-tall={tall}
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={0}
    />
  );
}
