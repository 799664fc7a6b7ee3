import { describe, expect, it } from 'vitest';
import type { Cue } from '../../../../electron/talk/captions/live-captions.ts';
import type { ConversationDeps } from '../../../../electron/talk/conversation-options.ts';
import { endedByUser, lost, ConversationHarness } from './conversation-harness.ts';

const perMs = 24;

/** A conversation played to a file, with its length and timed words. */
class ConversationToFile {
  samples = 0;
  readonly cues: Cue[] = [];
  readonly harness: ConversationHarness;

  constructor(deps: Partial<ConversationDeps> = {}) {
    this.harness = new ConversationHarness(
      { reconnects: false },
      {
        speaker: undefined,
        onPlayed: (samples) => void (this.samples += samples.length),
        onCue: (cue) => void this.cues.push(cue),
        ...deps,
      },
    );
  }

  /** First and last word of each cue, with its times. */
  get spans(): readonly unknown[] {
    return this.cues.map(({ words }) => [
      words[0]?.text,
      Math.round(words[0]?.start ?? NaN),
      words.at(-1)?.text,
      Math.round(words.at(-1)?.end ?? NaN),
    ]);
  }
}

describe('without a speaker', () => {
  it('an interruption silences only when the model yields', () => {
    const { harness } = new ConversationToFile();
    harness.live().says('one two three four', 4).pass(1000).talk.interrupt();
    expect(harness.emittedOf('listen')).toEqual([]);
    expect(harness.talk.isSounding()).toBe(true);
    harness.pass(1000).listens(true);
    expect(harness.emittedOf('listen')[0]?.flushedSamples).toBe(2000 * perMs);
    expect(harness.talk.isSounding()).toBe(false);
  });

  it('an end plays everything at once, before the end is emitted', () => {
    const file = new ConversationToFile();
    const { harness } = file;
    harness.live().says('one two three four', 4).ends().pass(1000).talk.end();
    harness.session.enter('closing').close(endedByUser);
    expect(file.samples).toBe(4000 * perMs);
    expect(harness.shown(1)).toBe('one two three four|');
    const last = harness.emitted.findLastIndex(({ event }) => event === 'caption');
    expect(harness.emitted.findIndex((event) => isEnd(event))).toBeGreaterThan(last);
  });

  it('a lost connection plays everything at once, even within a turn', () => {
    const file = new ConversationToFile();
    file.harness.live().says('one two three four', 4).pass(500).session.close(lost);
    expect(file.samples).toBe(4000 * perMs);
    expect(file.cues.map(({ words }) => words[0]?.text)).toEqual(['one']);
  });
});

describe('the times of words', () => {
  it('follow the time line of what was played, including pauses', () => {
    const file = new ConversationToFile();
    file.harness.live().pass(3000).says('aaaa', 1).ends().pass(3000);
    file.harness.says('bbbb cccc', 2, 2).ends(2).pass(3000);
    expect(file.spans).toEqual([
      ['aaaa', 3000, 'aaaa', 4000],
      ['bbbb', 6000, ' cccc', 8000],
    ]);
  });

  it('end where the sound was cut, and the next turn begins there', () => {
    const file = new ConversationToFile();
    file.harness.live().says('aaaa bbbb cccc dddd', 4).pass(400).listens(true);
    file.harness.says('next', 1, 2).ends(2).pass(2000);
    expect(file.spans).toEqual([
      ['aaaa', 0, ' bbbb', 400],
      ['next', 400, 'next', 1400],
    ]);
  });

  it('exclude words that were not heard', () => {
    const file = new ConversationToFile();
    const { harness } = file;
    harness.live().says('zero.', 1).ends().says('one two three four.', 1, 2).ends(2);
    harness.says('five six seven eight.', 1, 3).ends(3).says('never.', 0, 4);
    harness.pass(1500).listens(true).session.close(lost);
    const words = file.cues.flatMap((cue) => cue.words.map(({ text }) => text.trim()));
    expect(words.slice(0, 3)).toEqual(['zero.', 'one', 'two']);
    expect(words).not.toContain('four.');
    expect(words.join(' ')).not.toMatch(/five|never/);
  });
});

describe('without reconnects', () => {
  it('a lost connection ends the talk', () => {
    const { harness } = new ConversationToFile();
    harness.live().session.close(lost);
    expect(harness.emittedOf('talk').at(-1)?.state).toMatchObject({
      phase: 'ended',
      ending: { error: { code: 'connectionLost' }, orderly: false },
    });
    expect(harness.pass(20_000).sessions).toHaveLength(1);
  });
});

function isEnd(event: ConversationHarness['emitted'][number]): boolean {
  return event.event === 'talk' && event.state.phase === 'ended';
}
