import { describe, expect, it } from 'vitest';
import { askOptionalQuestion } from '../../../../electron/talk/transcript-shortener.ts';
import { sessionError } from '../../../../shared/errors/session-reasons.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';
import { PlayedSession } from './stage.ts';

function stage() {
  const clock = new FakeClock();
  const answers: (string | undefined)[] = [];
  const sessions: PlayedSession[] = [];
  const callOff = askOptionalQuestion(
    { messages: [{ role: 'user', content: 'Shorter, please.' }] },
    {
      clock,
      openSession: (emit) => {
        const session = new PlayedSession(
          { mode: 'chat', settings: {}, dialect: 'unified', chunkMs: 1000 },
          emit,
        );
        sessions.push(session);
        return session;
      },
    },
    { maxMs: 10_000, maxLength: 20 },
    (answer) => answers.push(answer),
  );
  const [session] = sessions;
  if (session === undefined) throw new Error('no session was opened');
  return { clock, answers, session, callOff };
}

describe('an optional question', () => {
  it('gets one answer and closes its session', () => {
    const { clock, answers, session } = stage();
    session.enter('configuring', 'live');
    session.emit({ event: 'text', turn: 1, text: 'Short.' });
    session.emit({ event: 'done', text: 'Short.', reason: 'turn_end' });
    clock.advance(60_000);
    expect(answers).toEqual(['Short.']);
    expect(session.calls).toEqual(['end']);
  });

  it.each<readonly [string, (session: PlayedSession, clock: FakeClock) => void]>([
    ['the server has no free worker', (session) => session.enter('queued')],
    ['the answer is late', (session, clock) => clock.advance(session.heard.length + 10_000)],
    [
      'the answer does not end',
      (session) => {
        for (let piece = 0; piece < 5; piece += 1)
          session.emit({ event: 'text', turn: 1, text: 'for ever ' });
      },
    ],
    [
      'the answer is too long at once',
      (session) => session.emit({ event: 'done', text: 'x'.repeat(21), reason: 'turn_end' }),
    ],
    [
      'the session fails',
      (session) =>
        session.close({
          event: 'closed',
          by: 'server',
          orderly: false,
          error: sessionError('backend_error'),
        }),
    ],
  ])('gets no answer if %s', (_what, happens) => {
    const { clock, answers, session } = stage();
    happens(session, clock);
    session.emit({ event: 'done', text: 'Late.', reason: 'turn_end' });
    clock.advance(60_000);
    expect(answers).toEqual([undefined]);
  });

  it('reports nothing after it was cancelled', () => {
    const { clock, answers, session, callOff } = stage();
    callOff();
    session.emit({ event: 'done', text: 'Late.', reason: 'turn_end' });
    clock.advance(60_000);
    expect(answers).toEqual([]);
    expect(session.calls).toEqual(['end']);
  });
});
