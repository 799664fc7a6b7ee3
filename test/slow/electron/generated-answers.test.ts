import { expect, it } from 'vitest';
import { splitGeneratedAnswers } from '../../unit/electron/tools/generated-answers.ts';

it('10,000 generated answers show no call and call no text, wherever they are cut', () => {
  expect(splitGeneratedAnswers(10_000)).toBeGreaterThan(8000);
});
