import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { DemoClip } from '../../../../../electron/gateway/gateway-options.ts';
import {
  composeUtterance,
  sliceUtterance,
  type Utterance,
} from '../../../../../electron/gateway/utterance.ts';
import { loadDemoSpeech } from '../../../../../electron/platform/files/demo-speech.ts';
import { outputRate } from '../../../../../shared/protocol/realtime-api.ts';
import { quantile } from '../../../../../shared/statistics.ts';
import { ShownCaptions } from './shown-captions.ts';

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
 * @param leftSeconds of a step to play when the next one arrives
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
    if (textLeads) captions.text(turn, sliceUtterance(utterance, 0, audio.length).text);
    while (from < audio.length) {
      const until = from + Math.round((from === 0 ? firstSeconds : 1) * outputRate);
      const share = sliceUtterance(utterance, from, until);
      if (!textLeads) captions.text(turn, share.text);
      captions.audio(turn, share.audio);
      if (share.isLast) captions.turnEnded(turn);
      const playedUntil = share.isLast ? audio.length : until - leftSeconds * outputRate;
      while (at < playedUntil) {
        at += playheadStep;
        const { spoken } = captions.at(start + Math.min(at, audio.length));
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
