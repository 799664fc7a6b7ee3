import { useEffect, useRef } from 'react';
import { useDesk } from '../store/use-desk.ts';
import './microphone-meter.css';

interface Props {
  readonly label: string;
  /** Where it is all there is to see. */
  readonly tall?: boolean;
}

/** Below this it is the room and not a voice. */
const quietest = -60;

/** How loud the microphone is: painted from the feed, so that nothing is rendered for it. */
export function MicrophoneMeter({ label, tall = false }: Props) {
  const { meter } = useDesk();
  const bar = useRef<HTMLDivElement>(null);
  useEffect(
    () =>
      meter.subscribe(({ rmsDb, peakDb }) => {
        const element = bar.current;
        if (element === null) return;
        const level = Math.min(1, Math.max(0, 1 - rmsDb / quietest));
        element.style.setProperty('--level', level.toFixed(3));
        element.dataset['loud'] = String(peakDb > -1);
        element.ariaValueNow = String(Math.round(level * 100));
      }),
    [meter],
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
