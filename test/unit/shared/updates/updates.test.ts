import { describe, expect, it } from 'vitest';
import {
  compareVersions,
  isVersion,
  judgeUpdate,
  readUpdateFeed,
  type UpdateFeed,
} from '../../../../shared/updates/update-feed.ts';
import { sampleFeed } from '../../../fakes/fake-updates.ts';

function feedWith(part: object = {}): UpdateFeed {
  const feed = readUpdateFeed(sampleFeed(part));
  if (typeof feed === 'string') throw new Error(feed);
  return feed;
}

const known = {
  runningVersion: '0.1.0',
  packageSuffix: '-linux-x64.tar.gz',
  now: '2026-02-01T00:00:00.000Z',
  lastIssuedAt: '',
  rolloutPosition: 0.5,
  rolledBackFrom: undefined,
  isManual: false,
};

describe('an update feed', () => {
  it.each([
    ['an empty text', ''],
    ['text that is not JSON', 'version: 0.2.0'],
    ['null', 'null'],
    ['a version that is a path', sampleFeed({ version: '../0.2.0' })],
    ['no date', sampleFeed({ releaseDate: 'soon' })],
    ['a date in another form', sampleFeed({ validUntil: '2026-07-01T00:00:00+02:00' })],
    ['no expiry date', sampleFeed({ validUntil: undefined })],
    ['no files', sampleFeed({ files: [] })],
    ['a file on another host', withFile({ url: 'https://elsewhere.example/x.tar.gz' })],
    ['a file in a parent folder', withFile({ url: '../x.tar.gz' })],
    ['a hidden file', withFile({ url: '.x.tar.gz' })],
    ['a negative size', withFile({ size: -1 })],
    ['a size of a terabyte', withFile({ size: 1e12 })],
    ['a malformed digest', withFile({ sha512: 'abcd' })],
    ['a rollout above 100 percent', sampleFeed({ stagingPercentage: 101 })],
    ['overlong release notes', sampleFeed({ releaseNotes: { en: 'x'.repeat(5000) } })],
  ])('is rejected with %s', (_what, text) => {
    expect(readUpdateFeed(text)).toBeTypeOf('string');
  });

  it('has its notes without control characters', () => {
    expect(feedWith({ releaseNotes: { en: 'a\u202Eb\u0007\nc' } }).notes).toEqual({ en: 'ab\nc' });
  });

  function withFile(part: object): string {
    const { files } = JSON.parse(sampleFeed()) as { files: readonly object[] };
    return sampleFeed({ files: [{ ...files[0], ...part }] });
  }
});

describe('judgeUpdate', () => {
  it('offers the file for this kind of package', () => {
    const verdict = judgeUpdate(feedWith(), known);
    expect(verdict).toMatchObject({
      kind: 'offer',
      offer: { version: '0.2.0', file: { name: 'Parley-0.2.0-linux-x64.tar.gz', size: 1000 } },
    });
    const other = judgeUpdate(feedWith(), { ...known, packageSuffix: '-linux-x86_64.AppImage' });
    expect(other).toMatchObject({ offer: { file: { size: 2000 } } });
  });

  it.each(['0.2.0', '0.2.1', '1.0.0'])('offers nothing to %s', (runningVersion) => {
    expect(judgeUpdate(feedWith(), { ...known, runningVersion })).toEqual({ kind: 'newest' });
  });

  it('refuses an expired feed, and a feed older than the last one seen', () => {
    expect(judgeUpdate(feedWith(), { ...known, now: '2026-07-01T00:00:00.001Z' })).toMatchObject({
      error: { code: 'updateFeedExpired', facts: { date: '2026-07-01' } },
    });
    const lastIssuedAt = '2026-01-01T00:00:00.001Z';
    expect(judgeUpdate(feedWith(), { ...known, lastIssuedAt })).toMatchObject({
      error: { code: 'updateFeedOlder', facts: { date: '2026-01-01' } },
    });
    const same = { ...known, lastIssuedAt: '2026-01-01T00:00:00.000Z' };
    expect(judgeUpdate(feedWith(), same)).toMatchObject({ kind: 'offer' });
  });

  it('refuses a feed without a file for this machine', () => {
    expect(
      judgeUpdate(feedWith(), { ...known, packageSuffix: '-linux-riscv.tar.gz' }),
    ).toMatchObject({
      error: { code: 'updateFileMissing' },
    });
  });

  it.each([
    [0, 0, 'later'],
    [0.2, 20, 'later'],
    [0.1999, 20, 'offer'],
    [0.9999, 100, 'offer'],
  ])(
    'decides for the position %d in a rollout of %d percent: %s',
    (rolloutPosition, part, kind) => {
      const verdict = judgeUpdate(feedWith({ stagingPercentage: part }), {
        ...known,
        rolloutPosition,
      });
      expect(verdict).toMatchObject({ kind });
    },
  );

  it('does not offer a rolled-back version, except on a manual check', () => {
    const back = { ...known, rolledBackFrom: '0.2.0' };
    expect(judgeUpdate(feedWith(), back)).toEqual({ kind: 'newest' });
    expect(judgeUpdate(feedWith(), { ...back, isManual: true })).toMatchObject({ kind: 'offer' });
    const newer = feedWith({ version: '0.3.0' });
    expect(judgeUpdate(newer, back)).toMatchObject({ kind: 'offer' });
  });
});

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
