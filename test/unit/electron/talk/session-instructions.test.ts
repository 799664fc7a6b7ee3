// The instructions that a talk sends to its sessions: configured text, memory, results of tools, and the transcript.
import { describe, expect, it } from 'vitest';
import { englishTalkToolPrompts, englishCarryOver } from '../../../../shared/i18n/en/prompts.ts';
import type { ToolResult } from '../../../../shared/talk/talk-view.ts';
import { ConversationHarness, lost, FakeSession } from './conversation-harness.ts';
import {
  askOptionalQuestion,
  type Shorten,
  TranscriptShortener,
} from '../../../../electron/talk/transcript-shortener.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';

describe('the memory in the instructions of a session', () => {
  function talkWithMemory(memory: { text: string | undefined }, instructions?: string) {
    const asked: (string | undefined)[] = [];
    const harness = new ConversationHarness(
      { ...(instructions !== undefined && { settings: { instructions } }) },
      {
        memory: (given) => {
          asked.push(given);
          return memory.text;
        },
      },
    );
    const sent = () => harness.session.options.settings.instructions;
    return { harness, asked, sent };
  }

  it('follows the configured instructions', () => {
    const { sent, asked } = talkWithMemory({ text: 'The user lives in Bergen.' }, 'Be kind.');
    expect(sent()).toBe('Be kind.\n\nThe user lives in Bergen.');
    expect(asked).toEqual(['Be kind.']);
  });

  it('comes before the transcript in a later session', () => {
    const { harness, sent } = talkWithMemory({ text: 'The user lives in Bergen.' }, 'Be kind.');
    harness.live().says('Hello there.', 1).pass(3000).ends();
    harness.session.close({ ...lost, by: 'client' });
    harness.talk.continueTalk('transcript');
    expect(sent()).toMatch(/^Be kind\.\n\nThe user lives in Bergen\.\n\n---.*Hello there\./su);
  });

  it('is left out of the next session if it was switched off during the talk', () => {
    const memory: { text: string | undefined } = { text: 'The user lives in Bergen.' };
    const { harness, sent } = talkWithMemory(memory, 'Be kind.');
    memory.text = undefined;
    harness.live().says('Hello there.', 1).pass(3000).ends();
    harness.session.close({ ...lost, by: 'client' });
    harness.talk.continueTalk('transcript');
    expect(sent()).toContain('Hello there.');
    expect(sent()).not.toContain('Bergen');
  });
});

const result: ToolResult = {
  id: 'r1',
  asked: 'Calculate 6 * 7',
  calls: [{ tool: 'calculate', server: '', response: '42' }],
  answer: 'It is 42.',
};

/** A talk in which Parley has answered once, `seconds` after its beginning. */
function answeredTalk(
  seconds: number,
  options: ConstructorParameters<typeof ConversationHarness>[0] = {},
) {
  const harness = new ConversationHarness({
    handsOver: true,
    talkTools: englishTalkToolPrompts,
    ...options,
  });
  return harness
    .live()
    .says('Hello.', 1)
    .pass(2000)
    .ends()
    .pass(seconds * 1000);
}

const sent = (harness: ConversationHarness): string =>
  harness.session.options.settings.instructions ?? '';

describe('a result of a tool in a talk', () => {
  it('goes to the next session in the next pause, if new sessions begin fast', () => {
    const harness = answeredTalk(25);
    harness.talk.addResult(result, 300);
    harness.pass(3000);
    expect(harness.sessions).toHaveLength(2);
    expect(sent(harness)).toMatch(/Returned by calculate: 42.*Hello\./su);
    expect(harness.emittedOf('resultsGiven')).toEqual([]);
    harness.live().pass(1000);
    expect(harness.emittedOf('handedOver')).toHaveLength(1);
    expect(harness.emittedOf('resultsGiven')).toEqual([{ event: 'resultsGiven', ids: ['r1'] }]);
  });

  it('counts as given only if it fitted into the instructions', () => {
    const harness = answeredTalk(25);
    const ids = Array.from({ length: 9 }, (_, at) => `r${at + 1}`);
    for (const id of ids) harness.talk.addResult({ ...result, id }, 300);
    harness.pass(3000).live().pass(1000);
    expect(harness.emittedOf('resultsGiven')).toEqual([
      { event: 'resultsGiven', ids: ['r5', 'r6', 'r7', 'r8', 'r9'] },
    ]);
  });

  it.each([
    ['sessions begin slowly', 1500, {}],
    ['nobody knows how fast sessions begin', undefined, {}],
    ['pictures would be lost', 300, { mode: 'video' }],
    ['the user wants no hand-over', 300, { handsOver: false }],
    [
      'the transcript would not fit',
      300,
      { earlier: Array.from({ length: 99 }, () => ({ text: 'word '.repeat(99), cut: false })) },
    ],
  ] as const)('waits for the next session if %s', (_why, startMs, options) => {
    const harness = answeredTalk(25, options);
    harness.talk.addResult(result, startMs);
    harness.pass(10_000);
    expect(harness.sessions).toHaveLength(1);
    harness.session.close(lost);
    harness.pass(5000);
    expect(harness.sessions).toHaveLength(2);
    expect(sent(harness)).toContain('Returned by calculate: 42');
  });

  it('is forgotten by a talk that starts over', () => {
    const harness = answeredTalk(5);
    harness.talk.addResult(result, undefined);
    harness.talk.end();
    harness.session.close({ ...lost, by: 'client' });
    harness.talk.continueTalk('nothing');
    expect(sent(harness)).not.toContain('42');
  });
});

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
        text: `Fact ${turn} is true.`,
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

  it('happens once per session, early enough before a hand-over', () => {
    const { live, shortener } = setUpShortener();
    expect(live(300)).toEqual([150]);
    shortener.onSession('unified');
    expect(live(90)).toEqual([80]);
  });

  it('never happens with a legacy server', () => {
    const { shortener, live } = setUpShortener();
    shortener.onSession('legacy');
    expect(live(300)).toEqual([]);
  });

  it('keeps the summary until `forget` drops it', () => {
    const { asked, live, shortener } = setUpShortener();
    live(300);
    expect(asked[0]?.request).toMatch(/^Below is .+\n\n- Fact 0 is true\.\n/su);
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
});

function setUpQuestion() {
  const clock = new FakeClock();
  const answers: (string | undefined)[] = [];
  const sessions: FakeSession[] = [];
  const callOff = askOptionalQuestion(
    { system: 'You shorten.', request: 'Shorter, please.' },
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
    { maxNewTokens: 100, maxMs: 10_000, maxLength: 20 },
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

  const causes: Readonly<Record<string, (session: FakeSession, clock: FakeClock) => void>> = {
    'the server has no free worker': (session) => session.enter('queued'),
    'the answer is late': (_, clock) => clock.advance(10_000),
    'the answer does not end': (session) => {
      for (let piece = 0; piece < 5; piece += 1)
        session.emit({ event: 'text', turn: 1, text: 'for ever ' });
    },
    'the answer is too long at once': (session) =>
      session.emit({ event: 'done', text: 'x'.repeat(21), reason: 'turn_end' }),
    'the session fails': (session) => session.close({ ...lost, by: 'server' }),
  };

  it.each(Object.entries(causes))('gets no answer if %s', (_what, happens) => {
    const { clock, answers, session } = setUpQuestion();
    happens(session, clock);
    session.emit({ event: 'done', text: 'Late.', reason: 'turn_end' });
    clock.advance(60_000);
    expect(answers).toEqual([undefined]);
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
});
