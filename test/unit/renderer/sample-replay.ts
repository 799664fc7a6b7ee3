import { emptyScene, type OpenReplay } from '../../../shared/recordings/replay-view.ts';

/** A replay of a one-minute voice talk, at its beginning. */
export const sampleReplay: OpenReplay = {
  kind: 'open',
  origin: { kind: 'example', example: 'voice' },
  facts: { mode: 'audio', endpoint: 'embedded', recordedAt: '2026-10-03T14:02:11Z', cut: false },
  timeline: {
    lengthMs: 60_000,
    readyMs: 60_000,
    turns: [
      { turn: 1, from: 3000, to: 9000, cut: false },
      { turn: 2, from: 20_000, to: 25_000, cut: true },
    ],
    marks: [
      { at: 25_000, kind: 'interruption' },
      { at: 25_300, kind: 'picture', picture: 4 },
      { at: 60_000, kind: 'ending' },
    ],
    ribbon: { everyMs: 50, you: new Uint8Array(1200), parley: new Uint8Array(1200) },
  },
  play: { at: 0, playing: false, speed: 1, sound: 'heard' },
  scene: emptyScene,
};
