import { expect, it } from 'vitest';
import { splitGeneratedAnswers } from '../../unit/electron/tools/generated-answers.ts';

it('10,000 generated answers never show a call as text or run text as a call, however they are split', () => {
  expect(splitGeneratedAnswers(10_000)).toBeGreaterThan(8000);
});
