import { describe, expect, it } from 'vitest';
import { wireReason } from '../../../../../shared/errors/session-reasons.ts';
import {
  delta,
  error,
  listen,
  queued,
  sound,
  text,
} from '../../../../unit/electron/talk/session/server-events.ts';
import { chat, Scene } from '../../../../unit/electron/talk/session/session-scene.ts';

const minute = 60 * 24_000;

function endOf(scene: Scene): string | undefined {
  return scene.closed && wireReason(scene.closed.error);
}

describe('a server that sends too much', () => {
  it('ends the session with more text than any real answer has', () => {
    const scene = new Scene().live().say(text('a'.repeat(262_144)));
    expect(endOf(scene)).toBeUndefined();
    scene.say(text('b'));
    expect(scene.closed).toMatchObject({
      error: { code: 'answerTooLong', facts: { letters: 262_144 } },
      by: 'server',
      orderly: false,
    });
    expect(scene.socket.terminated).toBe(true);
    expect(scene.emittedOf('text').map((each) => each.text.length)).toEqual([262_144]);
  });

  it('may send as much text again after each answer, up to a limit', () => {
    const scene = new Scene().live();
    for (let turn = 0; turn < 4; turn += 1) scene.say(text('a'.repeat(262_144)), listen());
    expect(endOf(scene)).toBeUndefined();
    scene.say(text('a'.repeat(1000)));
    expect(endOf(scene)).toBe('text_flood');
    const slow = new Scene().live();
    for (let turn = 0; turn < 12; turn += 1) {
      slow.say(text('a'.repeat(262_144)), listen()).wait(140_000);
      slow.say(delta('a', true));
    }
    expect(endOf(slow)).toBeUndefined();
  });

  it.each(['audio', 'video'] as const)(
    'ends a session of %s with more than five minutes of sound at once',
    (mode) => {
      const minutes = 5;
      const scene = new Scene({ mode }).live();
      for (let at = 0; at < minutes; at += 1) scene.say(sound(undefined, minute));
      expect(endOf(scene)).toBeUndefined();
      scene.say(sound(undefined, 24));
      expect(scene.closed).toMatchObject({ error: { code: 'soundTooLong', facts: { minutes } } });
    },
  );

  it('may let a model speak without end at its own pace', () => {
    const scene = new Scene().live();
    for (let second = 0; second < 1000; second += 1) scene.speak(1).say(sound());
    expect(endOf(scene)).toBeUndefined();
  });

  it('may send twenty minutes of speech for a written answer, and no more', () => {
    const scene = chat().live();
    scene.session.ask({ messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }] });
    for (let at = 0; at < 20; at += 1) scene.say(sound(undefined, minute));
    expect(endOf(scene)).toBeUndefined();
    scene.say(sound(undefined, 24));
    expect(endOf(scene)).toBe('sound_flood');
  });

  it('may repeat the text of a written answer at its end, which counts once', () => {
    const scene = chat().live();
    const whole = 'a'.repeat(200_000);
    scene.session.ask({ messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }] });
    scene.say(text(whole), { kind: 'done', text: whole });
    expect(endOf(scene)).toBeUndefined();
    expect(scene.emittedOf('done')).toHaveLength(1);
    scene.session.ask({ messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }] });
    scene.say({ kind: 'done', text: 'a'.repeat(262_145) });
    expect(endOf(scene)).toBe('text_flood');
  });

  it('may send 600 errors at once and no more, even before the session is live', () => {
    for (const scene of [
      new Scene().live(),
      new Scene().open(),
      new Scene().open().say(queued(1)),
    ]) {
      for (let count = 0; count < 600; count += 1) scene.say(error('odd', `${count}`));
      expect(endOf(scene)).toBeUndefined();
      scene.say({ kind: 'malformed', problem: 'no event' });
      expect(endOf(scene)).toBe('error_flood');
      expect(scene.socket.terminated).toBe(true);
    }
  });

  it('may send an error with every append of a long session', () => {
    const scene = new Scene().live();
    for (let second = 0; second < 2000; second += 1) scene.speak(1).say(error('odd'));
    expect(endOf(scene)).toBeUndefined();
  });
});
