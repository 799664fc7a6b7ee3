import { expect, it } from 'vitest';
import { SpokenTurn } from '../../../../electron/conversation/spoken-turn.ts';
import { TextLead } from '../../../../electron/conversation/text-lead.ts';

const rate = 24_000;

/** Voice and pauses, in seconds by turns, beginning with voice. */
function sound(...seconds: readonly number[]): Float32Array {
  const lengths = seconds.map((length) => Math.round(length * rate));
  const whole = new Float32Array(lengths.reduce((sum, length) => sum + length, 0));
  let from = 0;
  for (const [at, length] of lengths.entries()) {
    whole.fill(at % 2 === 0 ? 0.2 : 0.001, from, from + length);
    from += length;
  }
  return whole;
}

function turnOf(text: string, ...pieces: readonly Float32Array[]): SpokenTurn {
  const turn = new SpokenTurn(1, new TextLead());
  turn.addText(text);
  for (const piece of pieces) turn.addSound(piece);
  return turn;
}

const heardAt = (turn: SpokenTurn, seconds: number): string =>
  turn.text.slice(0, turn.heardAt(seconds * rate));

it('says no word in a pause', () => {
  const turn = turnOf('aaaa bbb', sound(0.4, 1, 0.4));
  turn.end();
  expect(heardAt(turn, 0.35)).toBe('aaaa');
  expect(heardAt(turn, 1.35)).toBe('aaaa');
  expect(heardAt(turn, 1.5)).toBe('aaaa bbb');
});

it('says in proportion what has no voice to go by', () => {
  const turn = turnOf('aaaa bbbb', new Float32Array(2 * rate));
  turn.end();
  expect(heardAt(turn, 0.5)).toBe('aaaa');
  expect(heardAt(turn, 1.5)).toBe('aaaa bbbb');
});

it('says the words of a step in the sound of that step, however slow the others are', () => {
  const turn = turnOf('one two', sound(1));
  turn.addText(' three four five six');
  turn.addSound(sound(1));
  expect(heardAt(turn, 0.95)).toBe('one two');
  expect(heardAt(turn, 1.95)).toMatch(/(five|six)$/);
});

it('keeps for later what nobody could say so fast', () => {
  const turn = turnOf('a text that is far ahead of its sound and says much more than it', sound(1));
  expect(heardAt(turn, 1)).toMatch(
    /^a text that is far ahead of$|^a text that is far ahead of its$/,
  );
});

it('takes the last sound of a turn for all that is left', () => {
  const turn = turnOf('one two three four five six seven', sound(0.5));
  turn.end();
  expect(heardAt(turn, 0.5)).toBe('one two three four five six seven');
  expect(heardAt(turn, 0.25)).toMatch(/four( five)?$/);
});

it('takes each letter of Chinese for a word', () => {
  const turn = turnOf('你好，世界。', sound(4));
  turn.end();
  expect(heardAt(turn, 0.5)).toBe('你');
  expect(heardAt(turn, 1.5)).toBe('你好，');
});
