import { describe, expect, it } from 'vitest';
import type { ServerEvent } from '../../../../../shared/protocol/server-event.ts';
import { delta, error, listen, sound, text } from './server-events.ts';
import { Scene } from './session-scene.ts';

/** Three unanswered appends and three waiting chunks: each settled append sends one more. */
function backlog(): Scene {
  const scene = new Scene().live();
  for (let chunk = 0; chunk < 6; chunk += 1) scene.session.pushAudio(new Float32Array(16_000));
  return scene;
}

describe('steps without echo', () => {
  it.each<readonly [string, readonly ServerEvent[], number]>([
    ['text and text at once', [text('a'), text('b')], 1],
    ['text and sound at once', [text('a'), sound()], 1],
    ['sound and sound at once', [sound(), sound()], 1],
    ['sound and a listen at once', [sound(), listen()], 1],
    ['sound and text', [sound(), text('a')], 2],
    ['text and a listen', [text('a'), listen()], 2],
    ['a listen and text', [listen(), text('a')], 2],
    ['two listens', [listen(), listen()], 2],
    ['two legacy deltas of sound', [delta('', false), delta('', false)], 2],
    ['sound, an error and sound', [sound(), error('inference_error'), sound()], 3],
  ])('%s', (_, events, steps) => {
    expect(backlog().say(...events).appends).toHaveLength(3 + steps);
  });

  it.each([
    [600, 1],
    [800, 2],
  ])('sound %s ms after text makes %s', (gap, steps) => {
    const scene = backlog().say(text('a')).wait(gap).say(sound());
    expect(scene.appends).toHaveLength(3 + steps);
  });

  it.each([
    [text('a'), text('b')],
    [sound(), sound()],
    [sound(), listen()],
  ])('are separate after a while', (first, second) => {
    expect(backlog().say(first).wait(150).say(second).appends).toHaveLength(5);
  });

  it('are not given up while a slow server still answers', () => {
    const scene = backlog().wait(4_000).say(listen()).wait(2_000);
    scene.session.pushAudio(new Float32Array(16_000));
    expect(scene.appends).toHaveLength(4);
  });
});

describe('the wait for a server that owes an answer', () => {
  it('ends when the server owes none', () => {
    expect(new Scene().live().speak(1).say(listen()).wait(600_000).session.phase).toBe('live');
  });

  it('restarts after a pause', () => {
    const scene = new Scene().live().speak(1);
    scene.session.pause();
    scene.session.resume();
    expect(scene.speak(61).session.phase).toBe('closing');
  });
});
