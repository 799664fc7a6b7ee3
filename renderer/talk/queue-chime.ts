import type { TalkState } from '../../shared/talk/talk-view.ts';
import type { Store } from '../app/store.ts';
import type { UiState } from '../app/ui-state.ts';

type QueueChime = 'moved' | 'turn';

export function chimeFor(before: TalkState, after: TalkState): QueueChime | undefined {
  if (before.phase !== 'queued') return undefined;
  if (after.phase === 'live' || after.phase === 'connecting') return 'turn';
  if (after.phase !== 'queued') return undefined;
  const [was, is] = [before.position, after.position];
  return was !== undefined && is !== undefined && is < was ? 'moved' : undefined;
}

interface Note {
  readonly hertz: number;
  readonly at: number;
}

/** A single low note for moving up; a rising fifth when the turn has come. */
const notes: Readonly<Record<QueueChime, readonly Note[]>> = {
  moved: [{ hertz: 440, at: 0 }],
  turn: [
    { hertz: 440, at: 0 },
    { hertz: 660, at: 0.16 },
  ],
};

const peakGain = 0.08;
const fadeSeconds = 0.5;

/** Plays the chime through the page's own audio output, which needs no microphone permission. */
export function playChime(chime: QueueChime): void {
  const context = new AudioContext();
  const last = notes[chime].map(({ hertz, at }) => playNote(context, hertz, at)).at(-1);
  last?.addEventListener('ended', () => void context.close());
}

function playNote(context: AudioContext, hertz: number, after: number): OscillatorNode {
  const at = context.currentTime + after;
  const tone = new OscillatorNode(context, { frequency: hertz });
  const gainNode = new GainNode(context, { gain: 0 });
  gainNode.gain.setValueAtTime(0, at);
  gainNode.gain.linearRampToValueAtTime(peakGain, at + 0.02);
  gainNode.gain.exponentialRampToValueAtTime(0.0001, at + fadeSeconds);
  tone.connect(gainNode).connect(context.destination);
  tone.start(at);
  tone.stop(at + fadeSeconds);
  return tone;
}

/** Plays chimes on every screen, because a waiting user is probably looking at something else. */
export function playQueueChimes(
  store: Pick<Store<UiState>, 'getState' | 'subscribe'>,
  play: (chime: QueueChime) => void,
): () => void {
  let before = store.getState().talkState.value;
  return store.subscribe(() => {
    const { talkState, settings } = store.getState();
    if (talkState.value === before) return;
    const chime = chimeFor(before, talkState.value);
    before = talkState.value;
    if (chime !== undefined && settings?.audio.chimes !== false) play(chime);
  });
}
