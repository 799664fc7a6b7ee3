import { expect, test } from 'vitest';
import { bestCard, hasRoomForTwo, judgeCard } from '../../../../electron/model/hardware-verdict.ts';

const mebibyte = 1024 ** 2;

function card(
  kind: 'nvidia' | 'amd' | 'intel' | 'apple',
  name: string,
  megabytes: number | undefined,
  computeCapability?: number,
) {
  const memoryBytes = megabytes === undefined ? undefined : megabytes * mebibyte;
  return { kind, name, memoryBytes, freeBytes: undefined, computeCapability };
}

test.each([
  ['fit', card('nvidia', 'NVIDIA GeForce RTX 3060', 12_288, 8.6)],
  ['fit', card('nvidia', 'NVIDIA GeForce RTX 4070', 12_282, 8.9)],
  ['uncertain', card('nvidia', 'NVIDIA GeForce RTX 3080', 10_240, 8.6)],
  ['uncertain', card('nvidia', 'Tesla P40', 24_576, 6.1)],
  ['tooSmall', card('nvidia', 'NVIDIA GeForce RTX 4060', 8188, 8.9)],
  ['uncertain', card('amd', 'AMD Radeon RX 7900 XT', 20_464)],
  ['tooSmall', card('amd', 'AMD', 512)],
  ['noCard', card('intel', 'Intel', undefined)],
  ['fit', card('apple', 'Apple M4 Max', 36_864)],
  ['tooSmall', card('apple', 'Apple M4', 32_768)],
  ['noCard', undefined],
] as const)('the verdict is %s for %o', (verdict, found) => {
  expect(judgeCard(found)).toBe(verdict);
});

test('a recent card is better than an older one with more memory', () => {
  const recent = card('nvidia', 'NVIDIA GeForce RTX 3060', 12_288, 8.6);
  expect(bestCard([card('nvidia', 'Tesla P40', 24_576, 6.1), recent])).toBe(recent);
});

test.each([
  [true, 24_564, 23_000],
  [true, 20_464, 19_000],
  [false, 16_376, 16_000],
  [false, 24_564, undefined],
])('room for two models is %s on a card of %s MB', (fits, megabytes, free) => {
  const { freeBytes: _unknown, ...rest } = card('nvidia', 'NVIDIA', megabytes, 8.9);
  const freeBytes = free === undefined ? undefined : free * mebibyte;
  expect(hasRoomForTwo({ ...rest, freeBytes })).toBe(fits);
});
