import { expect, it } from 'vitest';
import { formatTranscript } from '../../../../renderer/talk/captions/caption-text.tsx';
import { sampleTurns } from '../../../gallery/sample-captions.ts';
import { sampleUserTranscript } from '../../../gallery/sample-user-transcript.ts';

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
