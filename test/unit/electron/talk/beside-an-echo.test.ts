import { describe, expect, it } from 'vitest';
import { plainMicrophone } from '../../../fakes/fake-devices.ts';
import { Stage } from './stage.ts';

const amplitude = (db: number): number => 10 ** (db / 20);

interface Sound {
  readonly likelihood?: number;
  /** Undefined without an echo to cancel. */
  readonly presence?: number | undefined;
}

/** A quiet room and a partly heard answer; then half a second of a sound. */
function hear(db: number, { likelihood = 0.95, presence }: Sound): Stage {
  let heard = { likelihood: 0.02, presence: presence === undefined ? undefined : 0.02 };
  const stage = new Stage(
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
  stage.live().pass(1000).says('one two three four five six', 10).pass(3000);
  heard = { likelihood, presence };
  return stage.pass(500, amplitude(db));
}

const isLowered = (db: number, sound: Sound): boolean => hear(db, sound).speaker.gains.length > 0;

describe('over an answer whose echo is cancelled', () => {
  it('a voice that the canceller takes for echo does not count', () => {
    expect(isLowered(-48, { presence: 0.02, likelihood: 0.15 })).toBe(false);
  });

  it('a person counts, even if soft', () => {
    expect(isLowered(-30, { presence: 0.95 })).toBe(true);
    expect(isLowered(-48, { presence: 0.95 })).toBe(true);
  });

  it('louder sound that is not a voice does not count', () => {
    expect(isLowered(-30, { presence: 0.5, likelihood: 0.02 })).toBe(false);
  });

  it('a soft voice counts as the user if there is no echo', () => {
    expect(isLowered(-48, {})).toBe(true);
  });

  it('a soft voice leaves the floor to the answer while that sounds', () => {
    const microphone = { ...plainMicrophone, voiceLikelihood: () => 0.95, hasEcho: () => true };
    const quiet = new Stage({}, { microphone }).live().pass(1000).pass(500, amplitude(-48));
    expect(quiet.floors.at(-1)).toBe('you');
    const over = hear(-48, { presence: 0.001, likelihood: 0.95 });
    expect(over.floors.at(-1)).toBe('parley');
  });
});
