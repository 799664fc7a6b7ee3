import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { DemoSpeech } from '../../../../../electron/gateway/gateway-options.ts';
import { composeUtterance, type Utterance } from '../../../../../electron/gateway/utterance.ts';
import { loadDemoSpeech } from '../../../../../electron/platform/files/demo-speech.ts';
import { LiveCaptions } from '../../../../../electron/talk/captions/live-captions.ts';

const rate = 24_000;
const lookMs = 40;

interface Server {
  /** Length of the first step's sound; later steps bring a second. */
  readonly firstMs: number;
  /** How far the text is ahead of the sound. */
  readonly leadMs: number;
}

/** Captions with the newest turn's heard letters. */
class Followed {
  before = 0;
  heard = 0;
  readonly live = new LiveCaptions({
    onPatch: (patch) => {
      this.heard = patch.heard ?? this.heard;
    },
    onSettled: () => undefined,
  });
}

/** Milliseconds from each word's spoken time (negative: before it) to when it was shown as heard. */
function errorsOf(
  captions: Followed,
  turn: number,
  { words, audio }: Utterance,
  { firstMs, leadMs }: Server,
): readonly number[] {
  let letters = 0;
  const ends = words.map(({ text }, index) => (letters += text.length + (index === 0 ? 0 : 1)));
  const errors: number[] = [];
  let written = 0;
  let shown = 0;
  const bring = (): void => {
    const until = Math.min(
      audio.length,
      written + (written === 0 ? firstMs : 1000) * (rate / 1000),
    );
    const last = until >= audio.length;
    const reach = last ? Infinity : until + (leadMs * rate) / 1000;
    const text = words
      .slice(shown)
      .filter(({ start }) => start < reach)
      .map((word) => (word === words[0] ? word.text : ` ${word.text}`));
    shown += text.length;
    captions.live.addText(turn, text.join(''));
    captions.live.addAudio(turn, audio.subarray(written, until));
    written = until;
    if (last) captions.live.onTurnEnd(turn);
  };
  // The next step arrives when 300 ms of the previous one are left.
  for (let playhead = 0; playhead < audio.length; playhead += (lookMs * rate) / 1000) {
    if (written < audio.length && written - playhead < rate * 0.3) bring();
    captions.live.update(captions.before + playhead);
    while (errors.length < ends.length && captions.heard >= (ends[errors.length] ?? Infinity)) {
      const began = words[errors.length]?.start ?? 0;
      errors.push(((playhead - began) * 1000) / rate);
    }
  }
  captions.before += audio.length;
  captions.live.update(captions.before);
  captions.heard = 0;
  return errors;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.map(Math.abs).toSorted((a, b) => a - b);
  return sorted[Math.ceil(share * sorted.length) - 1] ?? NaN;
}

describe('the time a word is shown as heard, against the recorded speech', () => {
  let speech: DemoSpeech;

  beforeAll(async () => {
    const loaded = await loadDemoSpeech(
      join(import.meta.dirname, '../../../../../resources/speech'),
    );
    if (!loaded.ok) throw new Error(loaded.error.code);
    speech = loaded.value;
  });

  const servers: readonly (readonly [string, number, number, Server])[] = [
    ['in steps of a second', 120, 350, { firstMs: 1000, leadMs: 0 }],
    ['after a first step of 0.6 s', 120, 350, { firstMs: 600, leadMs: 0 }],
    ['with text 400 ms ahead', 170, 550, { firstMs: 1000, leadMs: 400 }],
  ];

  it.each(servers)(
    '%s is within %s ms at the median and %s ms at p95',
    (_, median, p95, server) => {
      const captions = new Followed();
      const pairs = Array.from({ length: speech.clips.length / 2 }, (_, pair) =>
        composeUtterance(speech.clips.slice(pair * 2, pair * 2 + 2)),
      );
      const errors = pairs.flatMap((pair, at) => errorsOf(captions, at + 1, pair, server));
      const words = speech.clips.flatMap((clip) => clip.words);
      expect(errors.length).toBeGreaterThan(words.length * 0.95);
      expect(quantile(errors, 0.5)).toBeLessThanOrEqual(median);
      expect(quantile(errors, 0.95)).toBeLessThanOrEqual(p95);
    },
  );
});
