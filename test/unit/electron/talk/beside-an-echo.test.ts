import { describe, expect, it } from 'vitest';
import { plainMicrophone } from '../../../fakes/fake-devices.ts';
import { Stage } from './stage.ts';

const amplitude = (db: number): number => 10 ** (db / 20);

/** A quiet room and a partly heard answer. Only the rule for residual echo holds back a voice of −53 dBFS. */
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

/** Whether the answer is ducked for a sound of half a second. */
function isLowered(stage: Stage, db: number): boolean {
  const before = stage.speaker.gains.length;
  stage.pass(500, amplitude(db));
  return stage.speaker.gains.length > before;
}

describe('over an answer whose echo is cancelled', () => {
  it('sound below −46 dBFS counts as residual echo, even if it resembles a voice', () => {
    expect(isLowered(answering({ hasEcho: true }), -48)).toBe(false);
    expect(isLowered(answering({ hasEcho: true }), -47)).toBe(false);
  });

  it('louder sound counts as the user', () => {
    expect(isLowered(answering({ hasEcho: true }), -45)).toBe(true);
    expect(isLowered(answering({ hasEcho: true }), -30)).toBe(true);
  });

  it('a short word counts as the user if it is known not to be echo', () => {
    const isLoweredInATenth = (somebody: boolean): boolean => {
      const stage = answering({ hasEcho: true, somebody });
      const before = stage.speaker.gains.length;
      stage.pass(100, amplitude(-30));
      return stage.speaker.gains.length > before;
    };
    expect(isLoweredInATenth(false)).toBe(false);
    expect(isLoweredInATenth(true)).toBe(true);
  });

  it('louder sound that is not a voice does not count', () => {
    expect(isLowered(answering({ hasEcho: true, likelihood: 0.1 }), -30)).toBe(false);
  });

  it('a soft voice counts as the user if there is no echo', () => {
    expect(isLowered(answering({ hasEcho: false }), -48)).toBe(true);
  });

  it('a soft voice leaves the floor to the answer while that sounds', () => {
    const microphone = { ...plainMicrophone, voiceLikelihood: () => 0.95, hasEcho: () => true };
    const quiet = new Stage({}, { microphone }).live().pass(1000).pass(500, amplitude(-48));
    expect(quiet.floors.at(-1)).toBe('you');
    const over = answering({ hasEcho: true }).pass(500, amplitude(-48));
    expect(over.floors.at(-1)).toBe('parley');
  });
});
