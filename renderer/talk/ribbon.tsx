import { useEffect, useRef } from 'react';
import type { TalkState } from '../../shared/talk/talk-state.ts';
import { useDesk, useView } from '../store/use-desk.ts';
import { runRibbon } from './run-ribbon.ts';
import type { RunningRibbon } from './run-ribbon.ts';

/** The two voices: yours from the left edge, Parley's from the right. */
export function Ribbon() {
  const { levels, now } = useDesk();
  const state = useView(({ state }) => state.value);
  const canvas = useRef<HTMLCanvasElement>(null);
  const running = useRef<RunningRibbon>(undefined);

  useEffect(() => {
    if (canvas.current === null) return undefined;
    const started = runRibbon(canvas.current, levels, now);
    running.current = started;
    return started.stop;
  }, [levels, now]);

  useEffect(() => {
    running.current?.show({ queue: queueProgress(state), present: state.phase === 'live' });
  }, [state]);

  // What it shows is said in words by the session bar.
  return <canvas ref={canvas} className="ribbon" aria-hidden />;
}

/** How much of the line is behind us, as far as is known. */
export function queueProgress(state: TalkState): number | undefined {
  if (state.phase === 'connecting' || state.phase === 'reconnecting') return 0;
  if (state.phase !== 'queued') return undefined;
  const { position, length } = state;
  if (position === undefined || length === undefined) return 0;
  return Math.min(1, Math.max(0, 1 - position / (length + 1)));
}
