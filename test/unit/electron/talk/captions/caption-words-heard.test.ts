import { describe, expect, it } from 'vitest';
import { seeded } from '../../../../fakes/seeded.ts';
import { ShownCaptions } from './shown-captions.ts';

const second = 24_000;

/** Sound that counts as speech throughout. */
function humming(samples: number): Float32Array {
  return Float32Array.from({ length: samples }, (_, n) => 0.3 * Math.sin(n / 20));
}

function oneTurn(text: string, seconds: number) {
  const captions = new ShownCaptions();
  captions.text(1, text);
  captions.audio(1, humming(seconds * second));
  captions.turnEnded(1);
  return captions;
}

describe('captions', () => {
  it('are empty at first', () => {
    expect(new ShownCaptions().at(0)).toEqual({ turn: 0, spoken: '', upcoming: '' });
  });

  it('move from upcoming to spoken word by word, with the sound', () => {
    const captions = oneTurn('aaaa bbbb cccc dddd', 4);
    const at = (seconds: number) => captions.at(seconds * second);
    expect(at(0)).toEqual({ turn: 1, spoken: '', upcoming: 'aaaa bbbb cccc dddd' });
    expect(at(0.5)).toEqual({ turn: 1, spoken: 'aaaa', upcoming: 'bbbb cccc dddd' });
    expect(at(1.5)).toEqual({ turn: 1, spoken: 'aaaa bbbb', upcoming: 'cccc dddd' });
    expect(at(4)).toEqual({ turn: 1, spoken: 'aaaa bbbb cccc dddd', upcoming: '' });
  });

  it('join a word that arrives in pieces', () => {
    const captions = oneTurn('', 2);
    captions.text(1, 'yester');
    captions.text(1, 'day it was');
    expect(captions.at(10)).toEqual({ turn: 1, spoken: 'yesterday', upcoming: 'it was' });
  });

  it('treat each Chinese character as a word', () => {
    const captions = oneTurn('你好，世界。', 4);
    expect(captions.at(0.5 * second)).toEqual({ turn: 1, spoken: '你', upcoming: '好，世界。' });
    expect(captions.at(1.5 * second)).toEqual({ turn: 1, spoken: '你好，', upcoming: '世界。' });
  });

  it('give long words more time than short ones', () => {
    const captions = oneTurn('a extraordinarily', 4);
    // Two of eighteen letters, because each word's beginning counts for one.
    expect(captions.at(0.4 * second).spoken).toBe('a');
    expect(captions.at(0.5 * second).spoken).toBe('a extraordinarily');
  });

  it('give a Chinese character as much time as a word of three letters', () => {
    const captions = oneTurn('你 abc def', 3);
    expect(captions.at(0.95 * second).spoken).toBe('你');
    expect(captions.at(1.05 * second).spoken).toBe('你 abc');
    expect(captions.at(2.05 * second).spoken).toBe('你 abc def');
  });

  it('do not run ahead of the sound while more is to come', () => {
    const captions = new ShownCaptions();
    captions.text(1, 'The weather is nice today and it will stay like this');
    captions.audio(1, humming(second));
    // A second of sound holds about 15 letters, however much text has arrived.
    expect(captions.at(second)).toMatchObject({ spoken: 'The weather is nice' });
  });

  it('never take back a spoken word', () => {
    const random = seeded(5);
    const captions = new ShownCaptions();
    let heard = 0;
    let before = 0;
    let received = 0;
    for (let step = 0; step < 200; step += 1) {
      if (random() < 0.1) captions.text(1, ' word'.repeat(Math.ceil(random() * 5)));
      if (random() < 0.3) {
        const samples = Math.floor(random() * second);
        captions.audio(1, humming(samples));
        received += samples;
      }
      heard = Math.min(received, heard + Math.floor(random() * second * 0.3));
      const { spoken } = captions.at(heard);
      expect(spoken.length).toBeGreaterThanOrEqual(before);
      before = spoken.length;
    }
  });

  it('leave a turn without a `turnEnded` when the next one is heard', () => {
    const captions = new ShownCaptions();
    captions.text(1, 'one');
    captions.audio(1, humming(second));
    captions.text(2, 'two');
    captions.audio(2, humming(second));
    expect(captions.at(second * 1.5)).toEqual({ turn: 2, spoken: 'two', upcoming: '' });
  });
});
