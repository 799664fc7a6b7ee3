import { beforeEach, describe, expect, it } from 'vitest';
import { UplinkBacklog } from '../../../../electron/talk/uplink.ts';
import { ConversationHarness, lost } from './conversation-harness.ts';

const second = 16_000;
let sent: number[];
let lostSeconds: number[];
let backlog: UplinkBacklog;

beforeEach(() => {
  sent = [];
  lostSeconds = [];
  backlog = new UplinkBacklog({
    session: { pushAudio: (block) => sent.push(block[0] ?? 0) },
    chunkMs: 1000,
    onSpeechLost: (seconds) => lostSeconds.push(seconds),
  });
});

/** A second of sound with a distinct value. */
const sound = (mark: number): Float32Array => new Float32Array(second).fill(mark);

const block = (mark: number): Float32Array => new Float32Array(320).fill(mark);

const from = (first: number, last: number): readonly number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

function say(...marks: readonly number[]): void {
  for (const mark of marks) {
    backlog.push(sound(mark), true);
    backlog.onTaken(second);
  }
}

describe('speech on a dead connection', () => {
  it('goes to the next session first, as fast as that session accepts it', () => {
    say(1);
    backlog.onAnswer();
    say(2, 3);
    backlog.onServerEvent(true);
    say(4);
    backlog.onConnectionLost();
    backlog.buffer(sound(5), true);
    backlog.release();
    expect(sent).toEqual([1, 2, 3, 4, 2, 3]);
    backlog.push(sound(6), true);
    expect(sent).toHaveLength(6);
    for (let chunk = 0; chunk < 6; chunk += 1) backlog.onTaken(second);
    expect(sent.slice(4)).toEqual([2, 3, 4, 5, 6]);
    expect(lostSeconds).toEqual([]);
    say(7);
    expect(sent.at(-1)).toBe(7);
  });

  it('is buffered for ten seconds; older speech is reported as lost', () => {
    say(1);
    backlog.onServerEvent(true);
    for (let mark = 2; mark <= 15; mark += 1) backlog.push(sound(mark), true);
    backlog.onConnectionLost();
    for (let mark = 16; mark <= 18; mark += 1) backlog.buffer(sound(mark), true);
    sent = [];
    backlog.release();
    for (let chunk = 0; chunk < 20; chunk += 1) backlog.onTaken(second);
    expect(sent).toEqual([9, 10, 11, 12, 13, 14, 15, 16, 17, 18]);
    expect(lostSeconds).toEqual([3]);
  });

  it('is not sent if it was silence, which would only delay answers', () => {
    for (let mark = 1; mark <= 100; mark += 1) backlog.push(block(mark), false);
    backlog.onConnectionLost();
    for (let mark = 101; mark <= 200; mark += 1) backlog.buffer(block(mark), false);
    sent = [];
    backlog.release();
    backlog.push(block(201), true);
    expect([sent, lostSeconds]).toEqual([from(185, 201), []]);
  });

  it('is not pushed out by the silence of a long reconnect, of which only the ends are sent', () => {
    say(1, 2, 3);
    backlog.onConnectionLost();
    for (let mark = 101; mark <= 1100; mark += 1) backlog.buffer(block(mark), false);
    sent = [];
    backlog.release();
    for (let chunk = 0; chunk < 5; chunk += 1) backlog.onTaken(second);
    expect(sent).toEqual([1, 2, 3, ...from(101, 175), ...from(1085, 1100)]);
    expect(lostSeconds).toEqual([]);
  });

  it('is not repeated if the server has heard it ten seconds ago and does not answer', () => {
    say(1);
    for (let mark = 101; mark <= 601; mark += 1) backlog.push(block(mark), false);
    backlog.onServerEvent(false);
    backlog.onConnectionLost();
    sent = [];
    backlog.release();
    expect(sent).toEqual(from(586, 601));
  });

  it('is repeated if the next session is lost too before it could answer', () => {
    say(1, 2, 3);
    backlog.onConnectionLost();
    for (let mark = 101; mark <= 1100; mark += 1) backlog.buffer(block(mark), false);
    backlog.release();
    for (let chunk = 0; chunk < 5; chunk += 1) backlog.onTaken(second);
    backlog.onServerEvent(false);
    backlog.onConnectionLost();
    sent = [];
    backlog.release();
    for (let chunk = 0; chunk < 5; chunk += 1) backlog.onTaken(second);
    expect(sent).toEqual([1, 2, 3, ...from(101, 175), ...from(1085, 1100)]);
  });

  it('is discarded with the talk', () => {
    say(1);
    backlog.onConnectionLost();
    backlog.clear();
    sent = [];
    backlog.release();
    expect(sent).toEqual([]);
  });
});

describe('a word that is not detected yet', () => {
  const asked = [1, 2, 3, 4];

  beforeEach(() => {
    backlog.push(block(0), false);
    backlog.onServerEvent(false);
  });

  it('is not lost if the connection comes back in the middle of the word', () => {
    backlog.onConnectionLost();
    for (const mark of asked) backlog.buffer(block(mark), false);
    sent = [];
    backlog.release();
    backlog.push(block(5), true);
    expect(sent).toEqual([0, ...asked, 5]);
  });

  it('is repeated to a session that takes over in the middle of the word', () => {
    for (const mark of asked) backlog.push(block(mark), false);
    backlog.buffer(block(5), false);
    sent = [];
    backlog.prepareHandOver();
    backlog.release();
    backlog.push(block(6), true);
    expect(sent).toEqual([0, ...asked, 5, 6]);
  });

  it('is preceded by at most a third of a second of silence', () => {
    for (let mark = 1; mark <= 40; mark += 1) backlog.push(block(mark), false);
    sent = [];
    backlog.prepareHandOver();
    backlog.release();
    expect(sent).toEqual(from(25, 40));
  });

  it('is sent without the answered speech before it', () => {
    for (const mark of asked) backlog.push(block(mark), true);
    backlog.push(block(5), false);
    backlog.onTaken(second);
    backlog.onAnswer();
    sent = [];
    backlog.prepareHandOver();
    backlog.release();
    expect(sent).toEqual([5]);
  });

  it('is handed over although an earlier question was not answered', () => {
    backlog.push(block(1), true);
    for (let mark = 2; mark <= 200; mark += 1) backlog.push(block(mark), false);
    sent = [];
    backlog.prepareHandOver();
    backlog.release();
    expect(sent.slice(-16)).toEqual(from(185, 200));
  });

  it('is repeated in full if an answer began in the middle of the word', () => {
    for (const mark of asked) backlog.push(block(mark), false);
    backlog.onAnswer();
    backlog.buffer(block(5), true);
    sent = [];
    backlog.prepareHandOver();
    backlog.release();
    expect(sent).toEqual([0, ...asked, 5]);
  });
});

describe('speech over an answer', () => {
  /** The session that takes over gets these blocks. */
  function handOver(): readonly number[] {
    sent = [];
    backlog.prepareHandOver();
    backlog.release();
    return sent;
  }

  it('goes to the next session if its chunk was not sent when the answer came', () => {
    for (let mark = 1; mark <= 50; mark += 1) backlog.push(block(mark), true);
    backlog.onTaken(second);
    for (let mark = 51; mark <= 57; mark += 1) backlog.push(block(mark), true);
    backlog.onAnswer();
    expect(handOver()).toEqual(from(51, 57));
  });

  it('goes to the next session if the answer came while it was still being passed on', () => {
    say(1);
    backlog.onConnectionLost();
    for (let mark = 2; mark <= 4; mark += 1) backlog.buffer(sound(mark), true);
    backlog.release();
    backlog.onTaken(second);
    backlog.onAnswer();
    // The session has 2 and 3 and has not sent them; 4 waits.
    sent = [];
    backlog.prepareHandOver();
    backlog.release();
    for (let chunk = 0; chunk < 3; chunk += 1) backlog.onTaken(second);
    expect(sent).toEqual([2, 3, 4]);
  });

  it('goes to the next session although an earlier one did not come', () => {
    for (let mark = 1; mark <= 7; mark += 1) backlog.push(block(mark), true);
    backlog.buffer(block(8), true);
    backlog.release();
    for (let mark = 9; mark <= 10; mark += 1) backlog.push(block(mark), true);
    backlog.onAnswer();
    expect(handOver()).toEqual(from(1, 10));
  });

  it('is not repeated if the unsent chunk has only the silence after it', () => {
    for (let mark = 1; mark <= 50; mark += 1) backlog.push(block(mark), true);
    backlog.onTaken(second);
    for (let mark = 51; mark <= 70; mark += 1) backlog.push(block(mark), false);
    backlog.onAnswer();
    expect(handOver()).toEqual(from(55, 70));
  });
});

describe('a pause', () => {
  it('keeps what the session has not sent, and what waits for it, until the talk resumes', () => {
    say(1);
    backlog.onConnectionLost();
    for (let mark = 2; mark <= 4; mark += 1) backlog.buffer(sound(mark), true);
    backlog.release();
    backlog.onTaken(second);
    sent = [];
    backlog.hold();
    // The session discards both seconds that it has not sent.
    backlog.onTaken(2 * second);
    expect(sent).toEqual([]);
    backlog.release();
    for (let chunk = 0; chunk < 4; chunk += 1) backlog.onTaken(second);
    expect(sent).toEqual([2, 3, 4]);
  });

  it('keeps two unsent chunks although the server has confirmed what came before them', () => {
    say(1);
    backlog.onConnectionLost();
    for (let mark = 2; mark <= 4; mark += 1) backlog.buffer(sound(mark), true);
    backlog.release();
    backlog.onTaken(second);
    backlog.onServerEvent(true);
    sent = [];
    backlog.hold();
    backlog.release();
    for (let chunk = 0; chunk < 4; chunk += 1) backlog.onTaken(second);
    expect(sent).toEqual([2, 3, 4]);
  });

  it('keeps nothing twice if the connection is lost meanwhile', () => {
    for (let mark = 1; mark <= 57; mark += 1) backlog.push(block(mark), true);
    backlog.onTaken(second);
    backlog.onServerEvent(true);
    backlog.hold();
    backlog.onConnectionLost();
    sent = [];
    backlog.release();
    expect(sent).toEqual(from(1, 57));
  });

  const spoken = ({ session }: ConversationHarness): number =>
    session.heard.filter((sample) => sample > 0.2).length;

  it('keeps the words of a chunk that was not sent', () => {
    const harness = new ConversationHarness().live().pass(1000).pass(500, 0.3);
    harness.talk.setPaused(true);
    expect(spoken(harness)).toBe(0);
    harness.talk.setPaused(false);
    expect(spoken(harness)).toBe(second / 2);
  });

  it('during a reconnect keeps the words before it', () => {
    const harness = new ConversationHarness().live().pass(1000);
    harness.session.close(lost);
    harness.pass(1000, 0.3).talk.setPaused(true);
    harness.live().pass(5000, 0.3);
    expect(spoken(harness)).toBe(0);
    harness.talk.setPaused(false);
    expect(spoken(harness)).toBe(second);
  });

  it('while the next session takes over keeps the unanswered question', () => {
    const harness = new ConversationHarness().live().says('Hello.', 0.5).ends().pass(3000);
    harness.pass(1000, 0.3).talk.setPaused(true);
    harness.talk.handOver('open');
    harness.live();
    harness.talk.handOver('take');
    expect(spoken(harness)).toBe(0);
    harness.talk.setPaused(false);
    expect(spoken(harness)).toBe(second);
  });

  it('while the next session opens keeps what waits for that session', () => {
    const harness = new ConversationHarness().live().says('Hello.', 0.5).ends().pass(3000);
    harness.talk.handOver('open');
    const before = harness.sessions[0]?.heard.length ?? 0;
    harness.pass(1000, 0.3).talk.setPaused(true);
    harness.talk.setPaused(false);
    expect(harness.sessions[0]?.heard).toHaveLength(before);
    harness.live();
    harness.talk.handOver('take');
    expect(spoken(harness)).toBe(second);
  });
});

describe('a talk on a dead connection', () => {
  let harness: ConversationHarness;

  const sent = {
    event: 'sent',
    inputId: 'x',
    samples: 16_000,
    frames: 0,
    forceListen: false,
  } as const;

  beforeEach(() => {
    harness = new ConversationHarness().live();
  });

  function step(loudness: number, answered = true): void {
    harness.pass(1000, loudness);
    harness.session.emit(sent);
    if (answered) harness.session.emit({ event: 'listen', yields: false });
  }

  it('shows the server as quiet after three seconds, until the server answers again', () => {
    for (let second = 0; second < 5; second += 1) step(0);
    expect(harness.state).toEqual({ phase: 'live' });
    step(0, false);
    step(0, false);
    step(0, false);
    expect(harness.state).toEqual({ phase: 'live', quiet: true });
    step(0);
    expect(harness.state).toEqual({ phase: 'live' });
  });

  it('sends speech since the last answer to the next session first', () => {
    for (let second = 0; second < 3; second += 1) step(0);
    for (const loudness of [0.2, 0.3, 0.4]) step(loudness, loudness < 0.4);
    harness.session.close(lost);
    harness.pass(100, 0.5);
    harness.talk.onNetworkBack();
    const [first, second] = harness.sessions;
    expect([harness.sessions.length, second?.heard]).toEqual([2, []]);
    harness.live();
    for (let chunk = 0; chunk < 6; chunk += 1) {
      harness.session.emit(sent);
    }
    const heard = [...new Set(second?.heard)].map((sample) => Math.round(sample * 10) / 10);
    expect(heard).toEqual([0, 0.2, 0.3, 0.4, 0.5]);
    expect(first?.heard.length).toBe(6 * 16_000);
    harness.pass(1000, 0.6);
    expect(Math.round((second?.heard.at(-1) ?? 0) * 10) / 10).toBe(0.6);
    expect(harness.emittedOf('error')).toEqual([]);
  });

  it('hears the user after a pause during which the connection was lost', () => {
    for (let second = 0; second < 3; second += 1) step(0);
    for (const loudness of [0.2, 0.3, 0.4, 0.5]) step(loudness, false);
    harness.talk.setPaused(true);
    harness.session.close(lost);
    harness.talk.onNetworkBack();
    harness.live();
    expect([harness.sessions.length, harness.session.heard.length]).toEqual([2, 0]);
    harness.talk.setPaused(false);
    for (let second = 0; second < 8; second += 1) step(0.6);
    expect(Math.round((harness.session.heard.at(-1) ?? 0) * 10) / 10).toBe(0.6);
  });

  it('also buffers the sound of the computer', () => {
    const addComputerSound = (part: Float32Array) => part.map((sample) => sample + 0.1);
    harness = new ConversationHarness({}, { addComputerSound }).live();
    for (let second = 0; second < 3; second += 1) step(0);
    harness.session.close(lost);
    harness.pass(200, 0.5);
    harness.talk.onNetworkBack();
    harness.live();
    expect(harness.session.heard.at(-1)).toBeCloseTo(0.6);
  });

  it('reports speech older than ten seconds as lost', () => {
    for (let second = 0; second < 3; second += 1) step(0);
    for (let second = 0; second < 8; second += 1) step(0.3, false);
    harness.session.close(lost);
    // No retry is due meanwhile; only the user's speech continues.
    const sessions = harness.sessions.length;
    for (let block = 0; block < 300; block += 1) {
      harness.talk.pushAudio(new Float32Array(320).fill(0.3));
    }
    harness.talk.onNetworkBack();
    expect(harness.sessions).toHaveLength(sessions + 1);
    harness.live();
    expect(harness.emittedOf('error')).toMatchObject([
      { error: { code: 'speechLost', facts: { seconds: 5 } }, fatal: false },
    ]);
  });
});
