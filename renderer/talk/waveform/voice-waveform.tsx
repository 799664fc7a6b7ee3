import { useEffect, useRef } from 'react';
import type { TalkControls } from '../../../shared/talk/talk-controls.ts';
import type { TalkState } from '../../../shared/talk/talk-state.ts';
import { useAppContext, useUiState } from '../../store/use-app-context.ts';
import { animateWaveform } from './animate-waveform.ts';
import type { WaveformAnimation } from './animate-waveform.ts';

/** The two voices: yours from the left edge, Parley's from the right. */
export function VoiceWaveform() {
  const { levels, now } = useAppContext();
  const state = useUiState(({ talkState }) => talkState.value);
  const sends = useUiState(({ controls }) => isSending(controls));
  const canvas = useRef<HTMLCanvasElement>(null);
  const running = useRef<WaveformAnimation>(undefined);

  useEffect(() => {
    if (canvas.current === null) return undefined;
    const started = animateWaveform(canvas.current, levels, now);
    running.current = started;
    return started.stop;
  }, [levels, now]);

  useEffect(() => {
    running.current?.show({ queue: queueProgress(state), present: state.phase === 'live', sends });
  }, [state, sends]);

  // What it shows is said in words by the session bar.
  return <canvas ref={canvas} className="waveform" aria-hidden />;
}

/** Muted, paused or with a key that is up, nothing of what the microphone hears goes anywhere. */
function isSending({ talking, transmitting, muted, coughMuted, paused }: TalkControls): boolean {
  return !muted && !coughMuted && !paused && (talking === 'open' || transmitting);
}

/** How much of the queue is behind us, as far as is known. */
export function queueProgress(state: TalkState): number | undefined {
  if (state.phase === 'connecting' || state.phase === 'reconnecting') return 0;
  if (state.phase !== 'queued') return undefined;
  const { position, length } = state;
  if (position === undefined || length === undefined) return 0;
  return Math.min(1, Math.max(0, 1 - position / (length + 1)));
}
