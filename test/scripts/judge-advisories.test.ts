import { describe, expect, it } from 'vitest';
import { judgeAdvisories } from '../../scripts/package/judge-advisories.mjs';

const shipped = new Set(['electron', 'ws', 'sharp']);
const cause = { title: 'Use after free', url: 'https://advisories.invalid/1' };
const fault = (
  name: string,
  severity: string,
  via: readonly (string | typeof cause)[] = [cause],
) => ({
  [name]: { name, severity, via: [...via] },
});

describe('a known fault', () => {
  it.each(['high', 'critical'])(
    'of what is shipped stops a release, where it is %s',
    (severity) => {
      expect(judgeAdvisories({ vulnerabilities: fault('electron', severity) }, shipped)).toEqual({
        stops: [`electron, ${severity}: Use after free (https://advisories.invalid/1)`],
        told: [],
      });
    },
  );

  it.each([
    ['what only builds it', 'vite', 'critical'],
    ['what is shipped, and small', 'ws', 'moderate'],
  ])('of %s is told', (_what, name, severity) => {
    expect(judgeAdvisories({ vulnerabilities: fault(name, severity) }, shipped)).toEqual({
      stops: [],
      told: [expect.stringContaining(`${name}, ${severity}`)],
    });
  });

  it('is told once, and not again of each that needs the faulty one', () => {
    const vulnerabilities = { ...fault('ws', 'high'), ...fault('sharp', 'high', ['ws']) };
    expect(judgeAdvisories({ vulnerabilities }, shipped)).toMatchObject({
      stops: [expect.stringMatching(/^ws, /)],
      told: [],
    });
  });
});

it('a registry that does not answer is no clean bill', () => {
  const message = '405 Method Not Allowed - POST https://registry.invalid/advisories';
  expect(judgeAdvisories({ message }, shipped)).toEqual({ reason: message });
  expect(judgeAdvisories({}, shipped)).toEqual({ reason: 'it gave no answer' });
});
