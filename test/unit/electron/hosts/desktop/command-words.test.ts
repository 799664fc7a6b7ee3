import { expect, it } from 'vitest';
import { commandWords } from '../../../../../electron/hosts/desktop/start-arguments.ts';

it.each([
  ['parley --command --ozone-platform=headless -- talk --mode audio', ['talk', '--mode', 'audio']],
  ['parley --ozone-platform=headless --command --', []],
  ['parley --command -- tape check -- --command', ['tape', 'check', '--', '--command']],
])('is a command: %s', (line, words) => {
  expect(commandWords(line.split(' '))).toEqual(words);
});

it.each(['parley', 'parley --hidden', 'parley --command talk', 'parley -- --command', 'parley --'])(
  'opens the window: %s',
  (line) => {
    expect(commandWords(line.split(' '))).toBeUndefined();
  },
);
