import { expect, it } from 'vitest';
import { saidText } from '../../../../renderer/talk/captions/caption-text.tsx';
import { sampleTurns } from '../../../gallery/sample-captions.ts';
import { sampleOwnWords } from '../../../gallery/sample-own-words.ts';

const names = { you: 'You', parley: 'Parley' };

it('copies what was heard and what was written down of the person, in its order', () => {
  const captions = sampleTurns('en');
  const { phrases } = sampleOwnWords('en');
  const text = saidText({ captions, phrases }, names);
  const who = text.split('\n\n').map((line) => line.split(':')[0]);
  expect(who).toEqual(['You', 'Parley', 'Parley', 'You', 'Parley']);
  expect(text).toContain('You: What does a lighthouse keeper do all day?');
  // What was cut or is still to come was not heard.
  expect(text).not.toContain('which begins in the year');
  expect(text).not.toContain('miles away');
});
