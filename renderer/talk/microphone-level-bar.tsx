import { useEffect, useRef } from 'react';
import { silentLevelDb } from '../../shared/talk/talk-view.ts';
import { useAppContext } from '../app/app-context.ts';
import './microphone-level-bar.css';

interface Props {
  readonly label: string;
  /** Taller, where the level is the only thing to look at. */
  readonly tall?: boolean;
}

/** The microphone level. It paints from the level feed directly, without rendering. */
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

/** In dBFS: the level of a loud voice that does not clip. */
const maxDb = -6;

/** Meter height in [0, 1], linear in decibels, so that equal voices look equal. NaN is silence. */
export function voiceHeight(rmsDb: number): number {
  const share = (rmsDb - silentLevelDb) / (maxDb - silentLevelDb);
  return Number.isNaN(share) ? 0 : Math.min(1, Math.max(0, share));
}
