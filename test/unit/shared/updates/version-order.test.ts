import { describe, expect, it } from 'vitest';
import { compareVersions, isVersion } from '../../../../shared/updates/update-feed.ts';

const ordered = [
  '0.1.0-alpha',
  '0.1.0-alpha.1',
  '0.1.0-alpha.2',
  '0.1.0-alpha.10',
  '0.1.0-beta',
  '0.1.0',
  '0.1.1',
  '0.2.0',
  '0.10.0',
  '1.0.0-1',
  '1.0.0',
  '10.0.0',
];

describe('versions', () => {
  it('have a total order', () => {
    for (const [at, one] of ordered.entries())
      for (const [place, other] of ordered.entries())
        expect(Math.sign(compareVersions(one, other)), `${one} and ${other}`).toBe(
          Math.sign(at - place),
        );
  });

  it('have three numbers and an optional pre-release, and are no paths', () => {
    expect(ordered.every(isVersion)).toBe(true);
    const others = [
      '1',
      '1.2',
      'v1.2.3',
      '1.2.3 ',
      '1.2.3/..',
      '../1.2.3',
      '1.2.3-',
      '1.2.3+x',
      '',
    ];
    expect(others.filter(isVersion)).toEqual([]);
    expect(isVersion(`1.2.3-${'x'.repeat(50)}`)).toBe(false);
  });
});
