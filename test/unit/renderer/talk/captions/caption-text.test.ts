import { describe, expect, it } from 'vitest';
import {
  formatTranscript,
  toCaptionParts,
} from '../../../../../renderer/talk/captions/caption-text.tsx';
import type { CaptionedTurn } from '../../../../../shared/talk/captions.ts';
import { sampleTurns, sampleUserTranscript } from '../../../../gallery/sample-transcript.ts';

const turn: CaptionedTurn = {
  turn: 1,
  text: 'One. Two, three. Four',
  heard: 0,
  cutFrom: undefined,
  settled: false,
};

describe('a caption', () => {
  it('splits into heard, coming and cut text', () => {
    expect(toCaptionParts({ ...turn, heard: 5, cutFrom: 9 })).toEqual({
      heard: 'One. ',
      coming: 'Two, ',
      cut: 'three. Four',
    });
    expect(toCaptionParts({ ...turn, heard: 30, cutFrom: 9 })).toEqual({
      heard: 'One. Two,',
      coming: ' ',
      cut: 'three. Four',
    });
  });

  it('never splits a surrogate pair', () => {
    const { heard, coming } = toCaptionParts({ ...turn, text: 'a👍b', heard: 2 });
    expect([heard, coming]).toEqual(['a👍', 'b']);
  });
});

const names = { you: 'You: ', parley: 'Parley: ' };

it('the copied transcript contains heard answers and transcribed phrases in order', () => {
  const captions = sampleTurns('en');
  const { phrases } = sampleUserTranscript('en');
  const text = formatTranscript({ captions, phrases }, names);
  const who = text.split('\n\n').map((line) => line.split(':')[0]);
  expect(who).toEqual(['You', 'Parley', 'Parley', 'You', 'Parley']);
  expect(text).toContain('You: What does a lighthouse keeper do all day?');
  // Cut or upcoming text was not heard.
  expect(text).not.toContain('which begins in the year');
  expect(text).not.toContain('miles away');
});
