import { describe, expect, it } from 'vitest';
import { plainMicrophone } from '../../../fakes/fake-devices.ts';
import { ConversationHarness } from './conversation-harness.ts';

const noBargeIn = { enabled: false, shortMs: 600, aboveNoiseDb: 12 };

describe('the floor', () => {
  it('belongs to whoever is heard, and changes are emitted', () => {
    const harness = new ConversationHarness({ bargeIn: noBargeIn }).live().pass(200, 0.1);
    expect(harness.floors).toEqual(['you']);
    harness.pass(600).says('one', 2).pass(400);
    expect(harness.floors).toEqual(['you', 'nobody', 'parley']);
    harness.pass(400, 0.1);
    expect(harness.floors.at(-1)).toBe('both');
    harness.pass(3000);
    expect(harness.floors.slice(-2)).toEqual(['parley', 'nobody']);
  });

  it("follows the microphone's voice detector: a quiet voice counts, a loud fan does not", () => {
    let voice = 0.9;
    const microphone = { ...plainMicrophone, voiceLikelihood: () => voice };
    const harness = new ConversationHarness({ bargeIn: noBargeIn }, { microphone })
      .live()
      .pass(200, 0.004);
    expect(harness.floors).toEqual(['you']);
    voice = 0.1;
    harness.pass(1000, 0.3);
    expect(harness.floors).toEqual(['you', 'nobody']);
  });
});

describe('a sound of the user over the answer', () => {
  it('ducks the answer if it is short, and the answer continues', () => {
    const harness = new ConversationHarness().live().pass(1000).says('one two three', 5).pass(1000);
    harness.pass(300, 0.3).pass(100);
    expect(harness.speaker.gains.at(-1)).toBeLessThan(0.5);
    expect(harness.speaker.queued()).toBeGreaterThan(0);
    harness.pass(600);
    expect(harness.speaker.gains.at(-1)).toBe(1);
    expect(harness.session.calls).toEqual([]);
    expect(harness.ends().pass(4000).shown(1)).toBe('one two three|');
  });

  it('only lowers the answer during the turn, until the model yields', () => {
    const harness = new ConversationHarness().live().pass(1000).says('one two three', 5).pass(1000);
    harness.pass(1500, 0.3);
    expect(harness.speaker.gains.at(-1)).toBeLessThan(0.5);
    expect(harness.speaker.queued()).toBeGreaterThan(0);
    harness.listens(true);
    expect(harness.speaker.queued()).toBe(0);
    expect(harness.pass(300).speaker.gains.at(-1)).toBe(1);
  });

  it('stops an answer that only still sounds', () => {
    const harness = new ConversationHarness()
      .live()
      .pass(1000)
      .says('one two three', 8)
      .ends()
      .pass(1000);
    harness.pass(1500, 0.3);
    expect(harness.speaker.queued()).toBe(0);
    expect(harness.pass(100).shown(1)).toContain('~');
    expect(harness.session.calls).toEqual([]);
  });

  it('has no effect while muted or if barge-in is off', () => {
    const muted = new ConversationHarness({ muted: true })
      .live()
      .pass(1000)
      .says('one', 5)
      .pass(1000);
    expect(muted.pass(1500, 0.3).speaker.gains).toEqual([]);
    const off = new ConversationHarness({ bargeIn: noBargeIn })
      .live()
      .pass(1000)
      .says('one', 5)
      .pass(1000);
    expect(off.pass(1500, 0.3).speaker.gains).toEqual([]);
  });
});

const amplitude = (db: number): number => 10 ** (db / 20);

interface Sound {
  readonly likelihood?: number;
  /** Undefined without an echo to cancel. */
  readonly presence?: number | undefined;
}

/** A quiet room and a partly heard answer; then half a second of a sound at `db`. */
function hear(db: number, { likelihood = 0.95, presence }: Sound): ConversationHarness {
  let heard = { likelihood: 0.02, presence: presence === undefined ? undefined : 0.02 };
  const harness = new ConversationHarness(
    {},
    {
      microphone: {
        latencyMs: () => 0,
        voiceLikelihood: () => heard.likelihood,
        hasEcho: () => presence !== undefined,
        nearEndPresence: () => heard.presence,
      },
    },
  );
  harness.live().pass(1000).says('one two three four five six', 10).pass(3000);
  heard = { likelihood, presence };
  return harness.pass(500, amplitude(db));
}

const isLowered = (db: number, sound: Sound): boolean => hear(db, sound).speaker.gains.length > 0;

describe('while an answer’s echo is cancelled', () => {
  it('a person lowers it, even with a quiet voice', () => {
    expect(isLowered(-30, { presence: 0.95 })).toBe(true);
    expect(isLowered(-48, { presence: 0.95 })).toBe(true);
  });
});

const speaking = (): ConversationHarness =>
  new ConversationHarness().live().says('one two three four five six', 3).pass(1000);

describe('an interruption', () => {
  it('silences in the same tick, before the model knows', () => {
    const harness = speaking();
    const queued: number[] = [harness.speaker.queued()];
    harness.session.onInterrupt = () => void queued.push(harness.speaker.queued());
    harness.talk.interrupt();
    expect(queued[0]).toBeGreaterThan(0);
    expect(queued[1]).toBe(0);
  });

  it('reports the unheard samples once, when the model yields', () => {
    const harness = speaking();
    harness.talk.interrupt();
    const unheard = 3 * 24_000 - harness.speaker.heard();
    expect(unheard).toBeGreaterThan(24_000);
    harness.listens(true).listens(true);
    expect(harness.emittedOf('listen').map(({ flushedSamples }) => flushedSamples)).toEqual([
      unheard,
      0,
    ]);
  });
});

describe('an answer', () => {
  it('plays out to its last sample and word if it has ended', () => {
    const harness = speaking().ends().listens(false).pass(3000);
    expect(harness.speaker.queued()).toBe(0);
    expect(harness.emittedOf('listen')[0]?.flushedSamples).toBe(0);
    expect(harness.shown(1)).toBe('one two three four five six|');
    expect(harness.emittedOf('turnHeard')).toEqual([
      { event: 'turnHeard', turn: 1, heard: 'one two three four five six', cut: '' },
    ]);
  });

  it('stops at once if the model yields, and its heard words are reported', () => {
    const harness = speaking().listens(true);
    expect(harness.speaker.queued()).toBe(0);
    const { flushedSamples } = harness.emittedOf('listen')[0] ?? {};
    const heard = harness.speaker.heard();
    expect(heard).toBeGreaterThan(20_000);
    expect(flushedSamples).toBe(3 * 24_000 - heard);
    expect(harness.pass(100).emittedOf('turnHeard')[0]?.cut).toMatch(/six$/);
  });
});
