import { describe, expect, it } from 'vitest';
import {
  askOptionalQuestion,
  type Shorten,
  TranscriptShortener,
} from '../../../../electron/talk/transcript-shortener.ts';
import { sessionError } from '../../../../shared/errors/session-reasons.ts';
import { englishCarryOver } from '../../../../shared/i18n/en/prompts.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';
import { ConversationHarness, FakeSession, lost } from './conversation-harness.ts';

function setUpShortener(said = 200) {
  const clock = new FakeClock();
  const asked: { request: string; done: (answer: string | undefined) => void }[] = [];
  let calledOff = 0;
  const shorten: Shorten = ({ request }, done) => {
    asked.push({ request, done });
    return () => {
      calledOff += 1;
    };
  };
  const shortener = new TranscriptShortener({
    maxTokens: () => 1024,
    clock,
    messages: englishCarryOver,
    turns: () =>
      Array.from({ length: said }, (_, turn) => ({
        session: 1,
        turn,
        text: `Fact ${turn} is told.`,
        cut: false,
      })),
    shorten,
  });
  shortener.onSession('unified');
  /** Runs a session of `seconds` until `until` are left. */
  const live = (seconds: number, until = 0): number[] => {
    const before: number[] = [];
    for (let left = seconds; left >= until; left -= 1) {
      clock.advance(1000);
      const already = asked.length;
      shortener.update(left, seconds - left);
      if (asked.length > already) before.push(left);
    }
    return before;
  };
  return { clock, asked, shortener, live, calledOff: () => calledOff };
}

describe('the shortening of the transcript', () => {
  it('happens once per session, early enough before a hand-over', () => {
    const { live, shortener } = setUpShortener();
    expect(live(300)).toEqual([150]);
    shortener.onSession('unified');
    expect(live(90)).toEqual([80]);
  });

  it.each([
    ['in a session that is too short', 200, 30],
    ['if everything fits', 10, 300],
    ['if the session’s end is unknown', 200, Infinity],
  ])('never happens %s', (_where, said, seconds) => {
    const { shortener, asked, live } = setUpShortener(said);
    if (Number.isFinite(seconds)) live(seconds);
    else shortener.update(Infinity, 100);
    expect(asked).toEqual([]);
  });

  it('never happens with a legacy server', () => {
    const { shortener, live } = setUpShortener();
    shortener.onSession('legacy');
    expect(live(300)).toEqual([]);
  });

  it('holds the summary until it is forgotten', () => {
    const { asked, live, shortener } = setUpShortener();
    live(300);
    expect(asked[0]?.request).toMatch(/^Below is .+\n\n- Fact 0 is told\.\n/su);
    asked[0]?.done('Many facts were told.');
    expect(shortener.shortened).toMatchObject({ text: 'Many facts were told.' });
    shortener.forget();
    expect(shortener.shortened).toBeUndefined();
  });

  it('keeps the summary while the transcript fits with it, and stops after three failures', () => {
    const { asked, live, shortener } = setUpShortener();
    for (const answer of ['Many facts were told.', undefined, '', '---']) {
      shortener.onSession('unified');
      if (live(300).length > 0) asked.at(-1)?.done(answer);
      expect(shortener.shortened?.text).toBe('Many facts were told.');
    }
    // With a summary the transcript fits, so no further request was made or failed.
    expect(asked).toHaveLength(1);
    shortener.forget();
    for (let session = 0; session < 5; session += 1) {
      shortener.onSession('unified');
      if (live(300).length > 0) asked.at(-1)?.done(undefined);
    }
    expect(asked).toHaveLength(4);
    expect(shortener.shortened).toBeUndefined();
  });

  it('runs until it is cancelled, which cancels a request at most once', () => {
    const { asked, live, shortener, calledOff } = setUpShortener();
    live(300, 149);
    shortener.cancel();
    shortener.cancel();
    expect(calledOff()).toBe(1);
    shortener.onSession('unified');
    live(300, 149);
    asked[1]?.done('Many facts were told.');
    shortener.cancel();
    expect(calledOff()).toBe(1);
  });
});

function setUpQuestion() {
  const clock = new FakeClock();
  const answers: (string | undefined)[] = [];
  const sessions: FakeSession[] = [];
  const callOff = askOptionalQuestion(
    { messages: [{ role: 'user', content: 'Shorter, please.' }] },
    {
      clock,
      openSession: (emit) => {
        const session = new FakeSession(
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
    const { clock, answers, session } = setUpQuestion();
    session.enter('configuring', 'live');
    session.emit({ event: 'text', turn: 1, text: 'Short.' });
    session.emit({ event: 'done', text: 'Short.', reason: 'turn_end' });
    clock.advance(60_000);
    expect(answers).toEqual(['Short.']);
    expect(session.calls).toEqual(['end']);
  });

  it.each<readonly [string, (session: FakeSession, clock: FakeClock) => void]>([
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
    const { clock, answers, session } = setUpQuestion();
    happens(session, clock);
    session.emit({ event: 'done', text: 'Late.', reason: 'turn_end' });
    clock.advance(60_000);
    expect(answers).toEqual([undefined]);
  });

  it('reports nothing after it was cancelled', () => {
    const { clock, answers, session, callOff } = setUpQuestion();
    callOff();
    session.emit({ event: 'done', text: 'Late.', reason: 'turn_end' });
    clock.advance(60_000);
    expect(answers).toEqual([]);
    expect(session.calls).toEqual(['end']);
  });
});

describe('the shortening of a talk’s transcript', () => {
  /** A used session with much time left, while its transcript is being shortened. */
  function shorteningTalk() {
    const asked: Parameters<Shorten>[] = [];
    let calledOff = 0;
    const harness = new ConversationHarness(
      {
        handsOver: true,
        sessionSeconds: 100,
        earlier: Array.from({ length: 90 }, (_, at) => ({
          text: `The answer number ${at} was this one, and it took some words.`,
          cut: false,
        })),
      },
      {
        shorten: (...request) => {
          asked.push(request);
          return () => {
            calledOff += 1;
          };
        },
      },
    ).live();
    harness.session.emit({ event: 'session', id: 's', dialect: 'unified' });
    harness.says('Yes.', 1).pass(2000).ends();
    harness.pass(10_000);
    expect(asked).toHaveLength(1);
    expect(calledOff).toBe(0);
    return { harness, asked, calledOff: () => calledOff };
  }

  it('is cancelled if a hand-over is due earlier than expected', () => {
    const { harness, calledOff } = shorteningTalk();
    for (const contextTokens of [5000, 5800, 6600, 7400, 7800, 8000, 8150]) {
      harness.session.emit({ event: 'metrics', metrics: { contextTokens, values: {} } });
      harness.pass(1000);
    }
    expect(harness.sessions).toHaveLength(2);
    expect(calledOff()).toBe(1);
  });

  it('is cancelled when the session is lost and when the talk ends', async () => {
    const one = shorteningTalk();
    one.harness.session.close(lost);
    expect(one.calledOff()).toBe(1);
    const other = shorteningTalk();
    const closing = other.harness.talk.close();
    other.harness.session.close({ ...lost, by: 'client' });
    await closing;
    expect(other.calledOff()).toBe(1);
  });

  it('gives the summary to all later sessions of the talk, until the user starts over', () => {
    const { harness, asked } = shorteningTalk();
    asked[0]?.[1]('Ada had many answers.');
    harness.session.close({ ...lost, by: 'client' });
    harness.talk.continueTalk('transcript');
    expect(harness.session.options.settings.instructions).toContain('Ada had many answers.');
    harness.session.close({ ...lost, by: 'client' });
    harness.talk.continueTalk('nothing');
    harness.live().says('word '.repeat(1500), 1, 1).pass(3000).ends(1);
    harness.session.close({ ...lost, by: 'client' });
    harness.talk.continueTalk('transcript');
    const told = harness.session.options.settings.instructions;
    expect(told).toContain('word word');
    expect(told).not.toContain('Ada');
  });
});
