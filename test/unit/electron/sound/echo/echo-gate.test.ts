import { describe, expect, it } from 'vitest';
import { EchoGate } from '../../../../../electron/sound/echo/echo-gate.ts';

const echo = 1e-2;

/** What it does to blocks of which so much would go on, in a row. */
function shares(kept: readonly number[], left = 0, gate = new EchoGate()): readonly number[] {
  return kept.map((power) => gate.follow(power, echo, echo + power, left));
}

const softly = (blocks: number): readonly number[] =>
  Array.from({ length: blocks }, () => echo / 100);

describe('the gate behind the echo', () => {
  it('closes on what is as soft as what is left of an echo', () => {
    expect(shares(softly(10)).at(-1)).toBe(0.05);
  });

  it('opens at once for who speaks, and stays open for the soft ends of words', () => {
    const [before, ...words] = shares([...softly(10), echo / 10, ...softly(29)]).slice(9);
    expect(before).toBe(0.05);
    expect(words.every((share) => share === 1)).toBe(true);
  });

  it('closes again when nobody has spoken for a while', () => {
    expect(shares([echo / 10, ...softly(40)]).at(-1)).toBe(0.05);
  });

  it('asks for more where more of the echo is known to be left', () => {
    expect(
      shares(
        Array.from({ length: 10 }, () => echo / 10),
        0.3,
      ).at(-1),
    ).toBe(0.05);
  });

  it('still hides what is soft right after an echo, and nothing a second later', () => {
    const gate = new EchoGate();
    shares(softly(10), 0, gate);
    const after = Array.from({ length: 100 }, () => gate.follow(echo / 300, 0, echo / 300, 0));
    expect(after[5]).toBe(0.05);
    expect(after.at(-1)).toBe(1);
  });

  it('lets out nothing that is louder than what came in', () => {
    const gate = new EchoGate();
    // The echo that was expected did not come.
    const share = gate.follow(echo, echo, echo / 1000, 0);
    expect(share ** 2 * echo).toBeLessThan((2 * echo) / 1000);
  });
});
