import { expect, it } from 'vitest';
import {
  displayWidth,
  linesThatFit,
} from '../../../../../../electron/hosts/terminal/views/display-width.ts';
import { cpuTime } from '../../../../../fakes/cpu-time.ts';
import { seeded } from '../../../../../fakes/seeded.ts';

it.each([
  ['', 10, ['']],
  ['short', 10, ['short']],
  ['exactly so', 10, ['exactly so']],
  ['exactly soo', 10, ['exactly', 'soo']],
  ['one two', 3, ['one', 'two']],
  ['incomprehensibilities here', 10, ['incomprehe', 'nsibilitie', 's here']],
  ['你好世界', 5, ['你好', '世界']],
  ['你好，世界', 4, ['你', '好，', '世界']],
  ['see 你好', 7, ['see 你', '好']],
  ['👨‍👩‍👧‍👦👨‍👩‍👧‍👦', 2, ['👨‍👩‍👧‍👦', '👨‍👩‍👧‍👦']],
])('breaks %j into lines of %i columns', (text, columns, lines) => {
  expect(linesThatFit(text, columns)).toEqual(lines);
});

it('loses no character but spaces, and fits every line, for random texts', () => {
  const random = seeded(3);
  const characters = ['a', 'b', ' ', ',', '。', '你', '好', '世', 'é', '👍', ' '];
  for (let round = 0; round < 300; round += 1) {
    const length = Math.floor(random() * 60);
    const text = Array.from({ length }, () => characters[Math.floor(random() * characters.length)])
      .join('')
      .trim();
    const columns = 2 + Math.floor(random() * 20);
    const lines = linesThatFit(text, columns);
    expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
    for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(columns);
  }
});

it('breaks a text of four times the length in less than ten times the time', async () => {
  const timeToBreak = (times: number) =>
    cpuTime(() => linesThatFit('All work and no play. '.repeat(times), 80));
  expect((await timeToBreak(4000)) / (await timeToBreak(1000))).toBeLessThan(10);
});
