import { join } from 'node:path';
import { describe, expect, it, beforeAll } from 'vitest';
import {
  alignWords,
  CaptionWords,
  defaultSpeechPace,
  SpeechClock,
  updateSpeechPace,
} from '../../../../../electron/talk/captions/caption-words.ts';
import { type CaptionedTurn, patchCaption } from '../../../../../shared/talk/talk-view.ts';
import { seeded } from '../../../../fakes/seeded.ts';
import { LiveCaptions } from '../../../../../electron/talk/captions/live-captions.ts';
import type { DemoClip } from '../../../../../electron/gateway/gateway-options.ts';
import {
  composeUtterance,
  sliceUtterance,
  type Utterance,
} from '../../../../../electron/gateway/utterance.ts';
import { loadDemoSpeech } from '../../../../../electron/platform/files/demo-speech.ts';
import { outputRate } from '../../../../../shared/protocol/realtime-api.ts';
import { quantile } from '../../../../../shared/statistics.ts';

const alone = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}`;
/** The words of a whole text, for comparison. */
const token = new RegExp(`\\s*(?:[${alone}][^\\s${alone}\\p{L}\\p{N}]*|[^\\s${alone}]+)`, 'gu');

const letters = [
  ...Array.from('ab c d, e. 好的，吗？カな 3 𠮷 😀 𐀀 \u{10fc00} é’"”\n'),
  ' ',
  ' ',
  '👩‍👩‍👧',
];

function inPieces(text: string, random: () => number): CaptionWords {
  const words = new CaptionWords();
  for (let from = 0; from < text.length;) {
    const until = from + 1 + Math.floor(random() * 5);
    words.add(text.slice(from, until));
    from = until;
  }
  return words;
}

describe('the words of a text that arrives in pieces', () => {
  it('equal those of the whole text, even if a surrogate pair is split', () => {
    const random = seeded(11);
    for (let round = 0; round < 2000; round += 1) {
      const length = Math.floor(random() * 40);
      const text = Array.from(
        { length },
        () => letters[Math.floor(random() * letters.length)] ?? '',
      ).join('');
      const { list } = inPieces(text, random);
      expect(list.map((word) => word.text)).toEqual(text.match(token) ?? []);
      let end = 0;
      for (const word of list) {
        end += word.text.length;
        expect(word.end).toBe(end);
      }
    }
  });

  it('have a weight: their number of letters plus one, or a fixed weight for a Chinese character', () => {
    const words = new CaptionWords();
    words.add('Hi  there,');
    words.add(' 好，');
    expect(words.list).toEqual([
      { text: 'Hi', weight: 3, end: 2 },
      { text: '  there,', weight: 7, end: 10 },
      { text: ' 好，', weight: 4, end: 13 },
    ]);
  });

  it('are split after 64 letters without a space', () => {
    const words = new CaptionWords();
    for (let count = 0; count < 1000; count += 1) words.add('x');
    expect(words.list.length).toBe(16);
    expect(words.list[0]?.text).toBe('x'.repeat(64));
    expect(words.list.map(({ text }) => text).join('')).toBe('x'.repeat(1000));
  });
});

const second = 24_000;

function tone(samples: number, loudness = 0.3): Float32Array {
  return Float32Array.from({ length: samples }, (_, n) => loudness * Math.sin(n / 20));
}

/** Half a second of speech, a pause of 0.3 s, and half a second of speech. */
function withPause(): SpeechClock {
  const clock = new SpeechClock();
  for (const block of [tone(second / 2), tone(second * 0.3, 0.01), tone(second / 2)]) {
    // Blocks of odd lengths make no difference.
    for (let at = 0; at < block.length; at += 777) clock.push(block.subarray(at, at + 777));
  }
  return clock;
}

describe('the speech clock', () => {
  it('almost stops in a pause', () => {
    const clock = withPause();
    expect(clock.samples).toBe(1.3 * second);
    expect(clock.spokenBefore(second / 2)).toBe(second / 2);
    expect(clock.spokenBefore(second * 0.8)).toBeCloseTo(second / 2 + 0.02 * 0.3 * second);
    expect(clock.spoken).toBeCloseTo(second + 0.02 * 0.3 * second);
  });

  it('finds the sample for an amount of speech, even within a frame', () => {
    const clock = withPause();
    expect(clock.sampleAfter(0)).toBe(0);
    expect(clock.sampleAfter(1234)).toBe(1234);
    expect(clock.sampleAfter(clock.spokenBefore(second) + 1000)).toBe(second + 1000);
    expect(clock.sampleAfter(clock.spoken + 1)).toBeUndefined();
  });

  it('finds where speech resumes after a pause, but ignores pauses within words', () => {
    expect(withPause().resumes).toEqual([
      expect.closeTo(second / 2 + 0.02 * 0.3 * second) as number,
    ]);
    const short = new SpeechClock();
    for (const block of [tone(second), tone(second * 0.1, 0), tone(second)]) short.push(block);
    expect(short.resumes).toEqual([]);
  });

  it('measures relative to the loudest frame, so a quiet voice counts', () => {
    const soft = new SpeechClock();
    soft.push(tone(second, 0.01));
    expect(soft.spoken).toBe(second);
  });

  it('counts constant silence as a little speech, so that words keep their order', () => {
    const silent = new SpeechClock();
    silent.push(tone(second, 0.001));
    expect(silent.spoken).toBeCloseTo(0.02 * second);
    expect(silent.sampleAfter(silent.spoken / 2)).toBe(second / 2);
  });
});

describe('the position of a word', () => {
  const clock = withPause();
  for (const block of [tone(second * 0.3, 0.001), tone(second / 2)]) clock.push(block);
  const [first = 0, behind = 0] = clock.resumes;
  const step = { from: 480, until: clock.samples, last: false, leads: true };

  it.each([
    ['more than 0.4 s later', first - 9630, undefined],
    ['up to 0.4 s later', first - 9599, first],
    ['before it, and another later', (first + behind) / 2 - 1, first],
    ['after it, and another earlier', (first + behind) / 2 + 1, behind],
    ['up to 0.4 s earlier', behind + 9599, behind],
    ['more than 0.4 s earlier', behind + 9601, undefined],
  ])(
    'after punctuation follows a pause that ends %s, and uses each pause once',
    (_name, end, pause) => {
      const words = [' b.', ' c'].map((text) => ({ text, weight: 2 }));
      const { positions } = alignWords(words, { text: 'a.', end }, step, clock, 9);
      const from = pause === undefined ? end : pause + 1;
      expect(positions).toEqual(
        [from, from + 18].map((spoken) => ({ spoken, notBefore: 480, notAfter: Infinity })),
      );
    },
  );

  it('follows the pace, stretched over the speech of the step', () => {
    const words = [2, 4, 6].map((weight) => ({ text: 'a.', weight }));
    const place = (end: number, pace: number, last: boolean) => {
      const { positions, ...rest } = alignWords(
        words,
        { text: '', end },
        { ...step, last, leads: false },
        clock,
        pace,
      );
      for (const { notAfter } of positions)
        expect(notAfter).toBe(rest.leads ? Infinity : step.until - 1);
      return { ...rest, at: positions.map(({ spoken }) => Math.round(spoken - end)) };
    };
    const { spoken } = clock;
    expect(place(spoken - 990, 100, false)).toEqual({
      at: [0, 200, 600],
      end: spoken + 210,
      leads: false,
    });
    expect(place(spoken - 990, 300, false)).toMatchObject({ leads: true });
    expect(place(spoken, 100, true)).toMatchObject({ at: [0, 140, 420], leads: false });
  });

  it.each([
    [1, undefined, 1],
    [1, 1.5, 1.25],
    [1, 10, 2],
    [0.5, 0.1, 0.5],
  ])(
    'follows the pace of the turns before: with %s, a turn at %s gives %s',
    (before, heard, after) => {
      const pace = updateSpeechPace(before * defaultSpeechPace, heard && heard * defaultSpeechPace);
      expect(pace / defaultSpeechPace).toBe(after);
    },
  );
});

/** Captions assembled from patches. */
class ShownCaptions {
  readonly #turns = new Map<number, CaptionedTurn>();
  readonly live = new LiveCaptions({
    onPatch: (patch) => {
      this.#turns.set(patch.turn, patchCaption(this.#turns.get(patch.turn), patch));
    },
    onSettled: () => undefined,
  });

  /** The words spoken of the turn that is heard now, or was heard last. */
  spoken(playhead: number): string {
    this.live.update(playhead);
    const turns = [...this.#turns.values()];
    const { text = '', heard = 0 } = turns.find(({ settled }) => !settled) ?? turns.at(-1) ?? {};
    return text.slice(0, heard).trim();
  }
}

describe('captions', () => {
  it('never take back a spoken word', () => {
    const random = seeded(5);
    const captions = new ShownCaptions();
    let heard = 0;
    let before = 0;
    let received = 0;
    for (let step = 0; step < 200; step += 1) {
      if (random() < 0.1) captions.live.addText(1, ' word'.repeat(Math.ceil(random() * 5)));
      if (random() < 0.3) {
        const samples = Math.floor(random() * second);
        captions.live.addAudio(1, tone(samples));
        received += samples;
      }
      heard = Math.min(received, heard + Math.floor(random() * second * 0.3));
      const spoken = captions.spoken(heard);
      expect(spoken.length).toBeGreaterThanOrEqual(before);
      before = spoken.length;
    }
  });

  it('leave a turn without a `turnEnded` when the next turn is heard', () => {
    const captions = new ShownCaptions();
    captions.live.addText(1, 'one');
    captions.live.addAudio(1, tone(second));
    captions.live.addText(2, 'two');
    captions.live.addAudio(2, tone(second));
    expect(captions.spoken(second * 1.5)).toBe('two');
  });
});

/** Samples between two positions of the playhead. */
const playheadStep = outputRate / 50;
const root = new URL('../../../../../', import.meta.url).pathname;

let clips: readonly DemoClip[] = [];

beforeAll(async () => {
  const loaded = await loadDemoSpeech(join(root, 'resources', 'speech'));
  if (!loaded.ok) throw new Error(loaded.error.code);
  clips = loaded.value.clips;
});

/** Single sentences, and three sentences per turn. */
function utterances(): readonly Utterance[] {
  return clips.flatMap((clip, index) => {
    const others = [5, 7].map((by) => clips[(index + by) % clips.length] ?? clip);
    return [composeUtterance([clip]), composeUtterance([clip, ...others])];
  });
}

/**
 * Milliseconds between a word's spoken and shown times, over one conversation.
 * @param leftSeconds how much of a step is still unplayed when the next one arrives
 */
function errors(firstSeconds: number, textLeads: boolean, leftSeconds = 0): readonly number[] {
  const captions = new ShownCaptions();
  const found: number[] = [];
  let start = 0;
  for (const [index, utterance] of utterances().entries()) {
    const turn = index + 1;
    const { audio, words } = utterance;
    let from = 0;
    let at = 0;
    let shown = 0;
    if (textLeads) captions.live.addText(turn, sliceUtterance(utterance, 0, audio.length).text);
    while (from < audio.length) {
      const until = from + Math.round((from === 0 ? firstSeconds : 1) * outputRate);
      const share = sliceUtterance(utterance, from, until);
      if (!textLeads) captions.live.addText(turn, share.text);
      captions.live.addAudio(turn, share.audio);
      if (share.isLast) captions.live.onTurnEnd(turn);
      const playedUntil = share.isLast ? audio.length : until - leftSeconds * outputRate;
      while (at < playedUntil) {
        at += playheadStep;
        const spoken = captions.spoken(start + Math.min(at, audio.length));
        const count = spoken === '' ? 0 : spoken.split(' ').length;
        for (; shown < count; shown += 1) {
          found.push(Math.abs(at - (words[shown]?.start ?? 0)) / (outputRate / 1000));
        }
      }
      from = until;
    }
    start += audio.length;
    expect(shown).toBe(words.length);
  }
  return found;
}

describe('a caption’s timing', () => {
  it.each([
    [1, 0],
    [0.6, 0],
    [1, 0.3],
    [0.6, 0.3],
  ])(
    'is off by < 90 ms (median) and < 300 ms (p95) if the first step lasts %d s and steps arrive %d s early',
    (firstSeconds, leftSeconds) => {
      const found = errors(firstSeconds, false, leftSeconds);
      expect(found.length).toBeGreaterThan(300);
      expect(quantile(found, 0.5)).toBeLessThan(90);
      expect(quantile(found, 0.95)).toBeLessThan(300);
    },
  );

  it('is off by < 120 ms (median) and < 600 ms (p95) if all text of a turn arrives with its first step', () => {
    const found = errors(1, true);
    expect(quantile(found, 0.5)).toBeLessThan(120);
    expect(quantile(found, 0.95)).toBeLessThan(600);
  });
});
