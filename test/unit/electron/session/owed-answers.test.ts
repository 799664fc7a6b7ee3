import { describe, expect, it } from 'vitest';
import { chat, Scene } from './session-scene.ts';
import { legacyListen } from './server-events.ts';

describe('a server that owes answers', () => {
  it('is waited for anew whenever it says something, for as long as it owes one', () => {
    const scene = new Scene().live().speak(2).wait(50_000).say(legacyListen);
    expect(scene.wait(59_999).session.phase).toBe('live');
    expect(scene.wait(1).session.phase).toBe('closing');
  });

  it('is not waited for when it has given all of them', () => {
    const scene = new Scene().live().speak(2).say(legacyListen, legacyListen);
    expect(scene.wait(3_600_000).session.phase).toBe('live');
  });

  it('has not begun a written answer with a word of its own', () => {
    const scene = chat().live();
    scene.session.ask({ messages: [{ role: 'user', content: 'Hi' }] });
    scene.wait(10_000).say({ kind: 'unknown', type: 'server.note', raw: {} });
    expect(scene.wait(179_999).session.phase).toBe('live');
    expect(scene.wait(1).session.phase).toBe('closing');
  });
});

it('a pause tells of the sound that it drops: what waited for the answers to what was before it', () => {
  const scene = new Scene().live().speak(5);
  expect(scene.appends).toHaveLength(3);
  scene.session.pause();
  expect(scene.emittedOf('dropped').map(({ samples }) => samples)).toEqual([32_000]);
});
