import { describe, expect, it } from 'vitest';
import type { Cue } from '../../../../electron/talk/captions/live-captions.ts';
import type { ConversationDeps } from '../../../../electron/talk/conversation-options.ts';
import { sessionError } from '../../../../shared/errors/session-reasons.ts';
import { byPerson, lost, Stage } from './stage.ts';

const perMs = 24;

/** A conversation played to a file, with its length and timed words. */
class FileStage {
  samples = 0;
  readonly cues: Cue[] = [];
  readonly stage: Stage;

  constructor(deps: Partial<ConversationDeps> = {}) {
    this.stage = new Stage(
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
    const { stage } = new FileStage();
    stage.live().says('one two three four', 4).pass(1000).talk.interrupt();
    expect(stage.emittedOf('listen')).toEqual([]);
    expect(stage.talk.isSounding()).toBe(true);
    stage.pass(1000).listens(true);
    expect(stage.emittedOf('listen')[0]?.flushedSamples).toBe(2000 * perMs);
    expect(stage.talk.isSounding()).toBe(false);
  });

  it('an end plays everything at once, before the end is emitted', () => {
    const file = new FileStage();
    const { stage } = file;
    stage.live().says('one two three four', 4).ends().pass(1000).talk.end();
    stage.session.enter('closing').close(byPerson);
    expect(file.samples).toBe(4000 * perMs);
    expect(stage.shown(1)).toBe('one two three four|');
    const last = stage.emitted.findLastIndex(({ event }) => event === 'caption');
    expect(stage.emitted.findIndex((event) => isEnd(event))).toBeGreaterThan(last);
  });

  it('a lost connection plays everything at once, even within a turn', () => {
    const file = new FileStage();
    file.stage.live().says('one two three four', 4).pass(500).session.close(lost);
    expect(file.samples).toBe(4000 * perMs);
    expect(file.cues.map(({ words }) => words[0]?.text)).toEqual(['one']);
  });

  it('silence after the last word is included', () => {
    const file = new FileStage();
    file.stage.live().says('one', 1).ends().pass(5000).session.close(lost);
    expect(file.samples).toBe(5000 * perMs);
  });
});

describe('the times of words', () => {
  it('follow the time line of what was played, including pauses', () => {
    const file = new FileStage();
    file.stage.live().pass(3000).says('aaaa', 1).ends().pass(3000);
    file.stage.says('bbbb cccc', 2, 2).ends(2).pass(3000);
    expect(file.spans).toEqual([
      ['aaaa', 3000, 'aaaa', 4000],
      ['bbbb', 6000, ' cccc', 8000],
    ]);
  });

  it('end where the sound was cut, and the next turn begins there', () => {
    const file = new FileStage();
    file.stage.live().says('aaaa bbbb cccc dddd', 4).pass(400).listens(true);
    file.stage.says('next', 1, 2).ends(2).pass(2000);
    expect(file.spans).toEqual([
      ['aaaa', 0, ' bbbb', 400],
      ['next', 400, 'next', 1400],
    ]);
  });

  it('exclude words that were not heard', () => {
    const file = new FileStage();
    const { stage } = file;
    stage.live().says('zero.', 1).ends().says('one two three four.', 1, 2).ends(2);
    stage.says('five six seven eight.', 1, 3).ends(3).says('never.', 0, 4);
    stage.pass(1500).listens(true).session.close(lost);
    const words = file.cues.flatMap((cue) => cue.words.map(({ text }) => text.trim()));
    expect(words.slice(0, 3)).toEqual(['zero.', 'one', 'two']);
    expect(words).not.toContain('four.');
    expect(words.join(' ')).not.toMatch(/five|never/);
  });

  it('exclude turns without sound', () => {
    const file = new FileStage();
    file.stage.live().says('only text', 0).ends().pass(1000);
    expect(file.cues).toEqual([]);
  });
});

describe('without reconnects', () => {
  it('a lost connection ends the talk', () => {
    const { stage } = new FileStage();
    stage.live().session.close(lost);
    expect(stage.emittedOf('talk').at(-1)?.state).toMatchObject({
      phase: 'ended',
      ending: { error: { code: 'connectionLost' }, orderly: false },
    });
    expect(stage.pass(20_000).sessions).toHaveLength(1);
  });

  it('a busy server at the first attempt ends the talk', () => {
    const { stage } = new FileStage();
    stage.session.close({ ...lost, error: sessionError('worker_busy'), by: 'server' });
    expect(stage.phases.at(-1)).toBe('ended');
    expect(stage.pass(20_000).sessions).toHaveLength(1);
  });
});

function isEnd(event: Stage['emitted'][number]): boolean {
  return event.event === 'talk' && event.state.phase === 'ended';
}
