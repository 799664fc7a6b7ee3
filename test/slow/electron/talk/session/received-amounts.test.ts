import { describe, expect, it } from 'vitest';
import { wireReason } from '../../../../../shared/errors/app-error.ts';
import {
  delta,
  error,
  listen,
  queued,
  sound,
  text,
  chat,
  SessionHarness,
} from '../../../../unit/electron/talk/session/session-harness.ts';

const minute = 60 * 24_000;

function endOf(harness: SessionHarness): string | undefined {
  return harness.closed && wireReason(harness.closed.error);
}

describe('a server that sends too much', () => {
  it('loses its session after more text than any real answer has', () => {
    const harness = new SessionHarness().live().say(text('a'.repeat(262_144)));
    expect(endOf(harness)).toBeUndefined();
    harness.say(text('b'));
    expect(harness.closed).toMatchObject({
      error: { code: 'answerTooLong', facts: { letters: 262_144 } },
      by: 'server',
      orderly: false,
    });
    expect(harness.socket.terminated).toBe(true);
    expect(harness.emittedOf('text').map((each) => each.text.length)).toEqual([262_144]);
  });

  it('may send as much text again after each answer, up to a limit', () => {
    const harness = new SessionHarness().live();
    for (let turn = 0; turn < 4; turn += 1) harness.say(text('a'.repeat(262_144)), listen());
    expect(endOf(harness)).toBeUndefined();
    harness.say(text('a'.repeat(1000)));
    expect(endOf(harness)).toBe('text_flood');
    const slow = new SessionHarness().live();
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
      const harness = new SessionHarness({ mode }).live();
      for (let at = 0; at < minutes; at += 1) harness.say(sound(undefined, minute));
      expect(endOf(harness)).toBeUndefined();
      harness.say(sound(undefined, 24));
      expect(harness.closed).toMatchObject({ error: { code: 'soundTooLong', facts: { minutes } } });
    },
  );

  it('may repeat the text of a written answer at its end, which counts once', () => {
    const harness = chat().live();
    const whole = 'a'.repeat(200_000);
    harness.session.ask({ messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }] });
    harness.say(text(whole), { kind: 'done', text: whole });
    expect(endOf(harness)).toBeUndefined();
    expect(harness.emittedOf('done')).toHaveLength(1);
    harness.session.ask({ messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }] });
    harness.say({ kind: 'done', text: 'a'.repeat(262_145) });
    expect(endOf(harness)).toBe('text_flood');
  });

  it('may send 600 errors at once and no more, even before the session is live', () => {
    for (const harness of [
      new SessionHarness().live(),
      new SessionHarness().open(),
      new SessionHarness().open().say(queued(1)),
    ]) {
      for (let count = 0; count < 600; count += 1) harness.say(error('odd', `${count}`));
      expect(endOf(harness)).toBeUndefined();
      harness.say({ kind: 'malformed', problem: 'no event' });
      expect(endOf(harness)).toBe('error_flood');
      expect(harness.socket.terminated).toBe(true);
    }
  });

  it('may send an error in each second of a long session', () => {
    const harness = new SessionHarness().live();
    for (let second = 0; second < 2000; second += 1) harness.wait(1000).say(error('odd'));
    expect(endOf(harness)).toBeUndefined();
  });
});
