import { describe, expect, it } from 'vitest';
import { openLiveHarness } from './backend-harness.ts';

describe('answers', () => {
  it('have the id of the append and one response over several steps', () => {
    const { append, backend, client } = openLiveHarness('audio', { echoInputIds: false });
    append('a');
    backend.say(1, 'Hello');
    append('b');
    backend.say(2, ' there');
    const [first, second] = client.all('output');
    expect([first?.inputId, second?.inputId]).toEqual(['a', 'b']);
    expect(first?.responseId).toBe(second?.responseId);
    expect(client.all('done')).toEqual([]);
  });

  it('end at the first step without text, after the sound of the turn', () => {
    const { advance, append, backend, news } = openLiveHarness();
    append('a');
    backend.say(1, 'Hello');
    append('b');
    backend.listen(2);
    advance(300);
    expect(news()).toEqual(['a "Hello"']);
    backend.sound(2);
    expect(news()).toEqual(['a sound', 'a listen of a turn', 'b listen']);
  });

  it('end without their sound after 0.7 s', () => {
    const { advance, append, backend, news } = openLiveHarness();
    append('a');
    backend.say(1, 'Hello');
    append('b');
    backend.listen(2);
    advance(699);
    expect(news()).toEqual(['a "Hello"']);
    advance(1);
    expect(news()).toEqual(['a listen of a turn', 'b listen']);
  });

  it('end in their own step if the server listens in it', () => {
    const { append, backend, news } = openLiveHarness();
    append('a');
    backend.text(1, 'Hello');
    backend.listen(1);
    backend.done(1, 'Hello');
    backend.sound(1);
    append('b');
    backend.listen(2);
    expect(news()).toEqual(['a "Hello"', 'a sound', 'a listen of a turn', 'b listen']);
  });

  it('get sound that comes within a second of their listen, but no later one', () => {
    const { advance, append, backend, client } = openLiveHarness();
    append('a');
    backend.say(1, 'Hello');
    append('b');
    backend.listen(2);
    advance(900);
    backend.sound(2);
    advance(200);
    backend.sound(2);
    const [text, late, other] = client.all('output');
    expect(late?.responseId).toBe(text?.responseId);
    expect(other?.responseId).not.toBe(text?.responseId);
  });

  it('get sound that comes with the text of the next answer', () => {
    const { advance, append, backend, client } = openLiveHarness();
    append('a');
    backend.say(1, 'One');
    append('b');
    backend.listen(2);
    append('c');
    backend.say(3, 'Two');
    advance(100);
    backend.sound(3);
    advance(300);
    backend.sound(3);
    const [one, two, soundOfOne, soundOfTwo] = client.all('output');
    expect(two?.responseId).not.toBe(one?.responseId);
    expect(soundOfOne).toMatchObject({ responseId: one?.responseId, inputId: 'a' });
    expect(soundOfTwo).toMatchObject({ responseId: two?.responseId, inputId: 'c' });
  });

  it('continue after a slow step', () => {
    const { advance, append, backend, client, news } = openLiveHarness();
    append('a');
    backend.say(1, 'Hello');
    append('b');
    advance(1500);
    backend.say(2, ' there');
    const [first, second] = client.all('output');
    expect(second?.responseId).toBe(first?.responseId);
    expect(news()).toEqual(['a "Hello"', 'b " there"']);
  });

  it('continue over a step whose text was lost if its sound comes', () => {
    const { advance, append, backend, client, news } = openLiveHarness();
    append('a');
    backend.say(1, 'Hello.');
    backend.sound(1);
    append('b');
    advance(700);
    backend.sound(2);
    advance(800);
    append('c');
    backend.say(3, ' Again.');
    backend.sound(3);
    append('d');
    backend.listen(4);
    expect(new Set(client.all('output').map(({ responseId }) => responseId)).size).toBe(1);
    expect(news()).toEqual([
      'a "Hello."',
      'a sound',
      'b sound',
      'c " Again."',
      'c sound',
      'c listen of a turn',
      'd listen',
    ]);
  });

  it('continue for 0.7 s after silence in the middle of a sentence', () => {
    const { advance, append, backend, client, news } = openLiveHarness();
    append('a');
    backend.say(1, 'Hello,');
    backend.sound(1);
    append('b');
    append('c');
    advance(2199);
    backend.say(3, ' you');
    backend.sound(3);
    backend.sound(3);
    append('d');
    advance(2200);
    expect(new Set(client.all('output').map(({ responseId }) => responseId)).size).toBe(1);
    expect(news()).toEqual(['a "Hello,"', 'a sound', 'b ""', 'c " you"', 'c sound', 'c sound']);
    advance(700);
    expect(news()).toEqual(['c listen of a turn', 'd listen']);
  });

  it('end at once if silence follows the end of a sentence', () => {
    const { advance, append, backend, news } = openLiveHarness();
    append('a');
    backend.say(1, 'Hello.');
    backend.sound(1);
    append('b');
    advance(1500);
    expect(news()).toEqual(['a "Hello."', 'a sound', 'a listen of a turn', 'b listen']);
  });

  it('have the text that only the end of their step has', () => {
    const { append, backend, news } = openLiveHarness();
    append('a');
    backend.text(1, 'Hel');
    backend.done(1, 'Hello');
    append('b');
    backend.done(2, ' there');
    expect(news()).toEqual(['a "Hel"', 'a "lo"', 'b " there"']);
  });

  it('delay the next append by only 0.3 s if the end of their step is lost', () => {
    const { advance, append, backend } = openLiveHarness();
    append('a');
    backend.text(1, 'Hello');
    append('b');
    advance(299);
    expect(backend.inputs).toHaveLength(1);
    advance(1);
    expect(backend.inputs).toHaveLength(2);
  });

  it('are marked by a flag in the legacy dialect', () => {
    const { append, backend, client, news } = openLiveHarness('audio', { dialect: 'legacy' });
    append('a');
    backend.text(1, 'Hello', { kv_cache_length: 300 });
    backend.sound(1);
    backend.done(1, 'Hello');
    append('b');
    backend.listen(2);
    expect(news()).toEqual(['a "Hello"', 'a sound', 'a end of turn', 'b listen']);
    for (const { metrics } of client.all('output')) expect(metrics?.contextTokens).toBe(300);
  });

  it('have no sound if the client wants none', () => {
    const { append, backend, news } = openLiveHarness(
      'audio',
      {},
      {
        generation: { generateAudio: false },
      },
    );
    append('a');
    backend.say(1, 'Hello');
    backend.sound(1);
    append('b');
    backend.listen(2);
    expect(news()).toEqual(['a "Hello"', 'a listen of a turn', 'b listen']);
  });
});

describe('an interruption', () => {
  it('drops the sound of the answer until the next text', () => {
    const { advance, append, backend, news } = openLiveHarness();
    append('a');
    backend.say(1, 'Hello');
    append('b', { forceListen: true });
    backend.sound(2);
    backend.listen(2);
    backend.sound(2);
    append('c');
    backend.say(3, 'Sorry');
    advance(300);
    backend.sound(3);
    expect(news()).toEqual(['a "Hello"', 'b listen', 'c "Sorry"', 'c sound']);
  });

  it('drops sound that is on its way when the next text comes', () => {
    const { append, backend, news } = openLiveHarness();
    append('a');
    backend.say(1, 'Hello');
    append('b', { forceListen: true });
    backend.listen(2);
    append('c');
    backend.say(3, 'Sorry');
    backend.sound(3);
    expect(news()).toEqual(['a "Hello"', 'b listen', 'c "Sorry"']);
  });

  it('does not end with late text of the step before it', () => {
    const { advance, append, backend, news } = openLiveHarness();
    append('0');
    backend.listen(1);
    append('a');
    advance(1500);
    append('b', { forceListen: true });
    news();
    backend.say(2, 'Hello');
    advance(300);
    backend.sound(3);
    backend.listen(3);
    expect(news()).toEqual(['a "Hello"', 'b listen']);
  });

  it('drops sound that is very late, and none of the next answer', () => {
    const { advance, append, backend, news } = openLiveHarness();
    append('a');
    backend.say(1, 'Hello');
    append('b', { forceListen: true });
    backend.listen(2);
    advance(1100);
    backend.sound(2);
    append('c');
    backend.say(3, 'Sorry');
    advance(300);
    backend.sound(3);
    expect(news()).toEqual(['a "Hello"', 'b listen', 'c "Sorry"', 'c sound']);
  });

  it('does not end with text of a step before it', () => {
    const { append, backend, news } = openLiveHarness();
    append('a');
    append('b', { forceListen: true });
    backend.say(1, 'Hello');
    backend.sound(2);
    backend.listen(2);
    expect(news()).toEqual(['a "Hello"', 'b listen']);
  });
});
