import { describe, expect, it } from 'vitest';
import { plainMicrophone } from '../../../fakes/fake-devices.ts';
import { Stage } from './stage.ts';

const amplitude = (db: number): number => 10 ** (db / 20);

/**
 * A quiet room and an answer of ten seconds, some of which was heard: nothing else than the rule for what is left of an echo
 * holds back a voice of −53 dBFS.
 */
function answering(microphone: {
  readonly hasEcho: boolean;
  readonly likelihood?: number;
  readonly somebody?: boolean;
}): Stage {
  const { hasEcho, likelihood = 0.95, somebody = false } = microphone;
  const stage = new Stage(
    {},
    {
      microphone: {
        latencyMs: () => 0,
        voiceLikelihood: () => likelihood,
        hasEcho: () => hasEcho,
        hasNearEndSpeech: () => somebody,
      },
    },
  );
  return stage.live().pass(1000).says('one two three four five six', 10).pass(3000);
}

/** Whether the answer is lowered for a sound that lasts for half a second. */
function isLowered(stage: Stage, db: number): boolean {
  const before = stage.speaker.gains.length;
  stage.pass(500, amplitude(db));
  return stage.speaker.gains.length > before;
}

describe('beside an answer whose echo is taken out', () => {
  it('what is softer than −46 dBFS is what is left of it, however like a voice', () => {
    expect(isLowered(answering({ hasEcho: true }), -48)).toBe(false);
    expect(isLowered(answering({ hasEcho: true }), -47)).toBe(false);
  });

  it('what is louder is somebody', () => {
    expect(isLowered(answering({ hasEcho: true }), -45)).toBe(true);
    expect(isLowered(answering({ hasEcho: true }), -30)).toBe(true);
  });

  it('a short word is somebody where it is known to be no echo', () => {
    const isLoweredInATenth = (somebody: boolean): boolean => {
      const stage = answering({ hasEcho: true, somebody });
      const before = stage.speaker.gains.length;
      stage.pass(100, amplitude(-30));
      return stage.speaker.gains.length > before;
    };
    expect(isLoweredInATenth(false)).toBe(false);
    expect(isLoweredInATenth(true)).toBe(true);
  });

  it('what is louder and no voice is nobody', () => {
    expect(isLowered(answering({ hasEcho: true, likelihood: 0.1 }), -30)).toBe(false);
  });

  it('a soft voice is somebody where there is no echo', () => {
    expect(isLowered(answering({ hasEcho: false }), -48)).toBe(true);
  });

  it('softly spoken, the floor is left to the answer only while there is one', () => {
    const microphone = { ...plainMicrophone, voiceLikelihood: () => 0.95, hasEcho: () => true };
    const quiet = new Stage({}, { microphone }).live().pass(1000).pass(500, amplitude(-48));
    expect(quiet.floors.at(-1)).toBe('you');
    const over = answering({ hasEcho: true }).pass(500, amplitude(-48));
    expect(over.floors.at(-1)).toBe('parley');
  });
});
