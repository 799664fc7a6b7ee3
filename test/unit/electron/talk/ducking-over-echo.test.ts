import { describe, expect, it } from 'vitest';
import { plainMicrophone } from '../../../fakes/fake-devices.ts';
import { Stage } from './stage.ts';

const amplitude = (db: number): number => 10 ** (db / 20);

interface Sound {
  readonly likelihood?: number;
  /** Undefined without an echo to cancel. */
  readonly presence?: number | undefined;
}

/** A quiet room and a partly heard answer; then half a second of a sound at `db`. */
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

describe('while an answer’s echo is cancelled', () => {
  it('residual echo does not lower the answer', () => {
    expect(isLowered(-48, { presence: 0.02, likelihood: 0.15 })).toBe(false);
  });

  it('a person lowers the answer, even a quiet one', () => {
    expect(isLowered(-30, { presence: 0.95 })).toBe(true);
    expect(isLowered(-48, { presence: 0.95 })).toBe(true);
  });

  it('a loud sound that is not a voice leaves the answer alone', () => {
    expect(isLowered(-30, { presence: 0.5, likelihood: 0.02 })).toBe(false);
  });

  it('a quiet voice gets the floor only before the answer', () => {
    const microphone = { ...plainMicrophone, voiceLikelihood: () => 0.95, hasEcho: () => true };
    const before = new Stage({}, { microphone }).live().pass(1000).pass(500, amplitude(-48));
    expect(before.floors.at(-1)).toBe('you');
    const over = hear(-48, { presence: 0.001, likelihood: 0.95 });
    expect(over.floors.at(-1)).toBe('parley');
  });
});

it('a quiet voice lowers an answer that leaves no echo', () => {
  expect(isLowered(-48, {})).toBe(true);
});
