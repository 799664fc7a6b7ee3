import { describe, expect, it } from 'vitest';
import { judgeAdvisories } from '../../scripts/package/judge-advisories.mjs';

const shipped = new Set(['electron', 'ws', 'sharp']);
const cause = { title: 'Use after free', url: 'https://advisories.invalid/1' };
const vulnerability = (
  name: string,
  severity: string,
  via: readonly (string | typeof cause)[] = [cause],
) => ({
  [name]: { name, severity, via: [...via] },
});

describe('a known vulnerability', () => {
  it.each(['high', 'critical'])(
    'blocks a release if a shipped part has it and it is %s',
    (severity) => {
      expect(
        judgeAdvisories({ vulnerabilities: vulnerability('electron', severity) }, shipped),
      ).toEqual({
        blocking: [`electron, ${severity}: Use after free (https://advisories.invalid/1)`],
        reported: [],
      });
    },
  );

  it.each([
    ['critical in a build tool', 'vite', 'critical'],
    ['moderate in a shipped part', 'ws', 'moderate'],
  ])('is only reported if it is %s', (_what, name, severity) => {
    expect(judgeAdvisories({ vulnerabilities: vulnerability(name, severity) }, shipped)).toEqual({
      blocking: [],
      reported: [expect.stringContaining(`${name}, ${severity}`)],
    });
  });

  it('is listed once despite several dependent packages', () => {
    const vulnerabilities = {
      ...vulnerability('ws', 'high'),
      ...vulnerability('sharp', 'high', ['ws']),
    };
    expect(judgeAdvisories({ vulnerabilities }, shipped)).toMatchObject({
      blocking: [expect.stringMatching(/^ws, /)],
      reported: [],
    });
  });
});

it('a registry that does not answer gives a reason instead of a verdict', () => {
  const message = '405 Method Not Allowed - POST https://registry.invalid/advisories';
  expect(judgeAdvisories({ message }, shipped)).toEqual({ reason: message });
  expect(judgeAdvisories({}, shipped)).toEqual({ reason: 'it gave no answer' });
});
