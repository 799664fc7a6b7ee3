import { expect, it } from 'vitest';
import { andThen, isWhy } from '../../../shared/why.ts';

it('what is kept is taken for a reason only where this version knows it whole', () => {
  const path = '/a';
  for (const known of [
    'noTalk',
    { is: 'diskFull', path },
    ['untilEnd', { is: 'putAside', path }],
  ]) {
    expect(isWhy(known), JSON.stringify(known)).toBe(true);
  }
  for (const unknown of [
    'toString',
    'ofTomorrow',
    'diskFull',
    { is: 'noTalk' },
    { is: 'diskFull' },
    { is: 'soundLong', seconds: 31 },
    { is: 'diskFull', path: {} },
    ['noTalk', 'ofTomorrow'],
    [['noTalk']],
    null,
    7,
  ]) {
    expect(isWhy(unknown), JSON.stringify(unknown)).toBe(false);
  }
});

it('one reason follows another, and none follows what has no words', () => {
  expect(andThen('noTalk', 'untilEnd')).toEqual(['noTalk', 'untilEnd']);
  expect(andThen(['noTalk', 'closing'], 'untilEnd')).toEqual(['noTalk', 'closing', 'untilEnd']);
  expect(andThen({ is: 'diskFull', path: '/a' }, 'untilEnd')).toHaveLength(2);
  expect(andThen(undefined, 'untilEnd')).toBeUndefined();
});
