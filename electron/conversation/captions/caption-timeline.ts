import { outputRate } from '../../../shared/protocol/protocol-limits.ts';

const samplesPerMs = outputRate / 1000;
/** Smaller differences come from when one looks, not from a pause. */
const tolerance = 40;

/** From samples of the playhead to milliseconds, pauses included: the times of cues. */
export interface CaptionTimeline {
  /** The playhead was seen at this place at this time. */
  readonly observe: (playhead: number, ms: number) => void;
  /** When a place was reached: the end of what was before it, or the start of what comes. */
  readonly startOf: (sample: number) => number;
  readonly endOf: (sample: number) => number;
}

interface Anchor {
  readonly sample: number;
  readonly ms: number;
}

/**
 * When which sample of the answer was heard. Sound runs at its own rate except where there was none
 * to play, so only the places after such a pause are kept.
 */
export function createCaptionTimeline(): CaptionTimeline {
  const anchors: Anchor[] = [];
  /** How far the playhead was seen. */
  let seen = 0;

  const timeAt = (sample: number, anchor: Anchor | undefined): number => {
    const from = anchor ?? anchors[0] ?? { sample: 0, ms: 0 };
    return from.ms + (sample - from.sample) / samplesPerMs;
  };

  return {
    observe: (playhead, ms) => {
      if (playhead <= seen) return;
      const last = anchors.at(-1);
      if (last === undefined || Math.abs(timeAt(playhead, last) - ms) > tolerance) {
        const began = ms - (playhead - seen) / samplesPerMs;
        anchors.push({ sample: seen, ms: Math.max(0, began) });
      }
      seen = playhead;
    },
    startOf: (sample) =>
      timeAt(
        sample,
        anchors.findLast((anchor) => anchor.sample <= sample),
      ),
    endOf: (sample) =>
      timeAt(
        sample,
        anchors.findLast((anchor) => anchor.sample < sample),
      ),
  };
}
