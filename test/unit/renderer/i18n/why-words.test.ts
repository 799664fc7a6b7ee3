import { describe, expect, it } from 'vitest';
import { sayWhy } from '../../../../renderer/parts/say-reason.ts';
import { chineseReasons } from '../../../../renderer/i18n/chinese/reasons.ts';
import { englishReasons } from '../../../../renderer/i18n/english/reasons.ts';
import { createI18n } from '../../../../renderer/i18n/create-i18n.ts';
import { isWhy, whys } from '../../../../shared/why.ts';

const languages = [
  ['English', englishReasons.why],
  ['Chinese', chineseReasons.why],
] as const;

const factsIn = (text: string | undefined): readonly string[] =>
  [...(text ?? '').matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name).toSorted();

describe.each(languages)('the words of the codes in %s', (language, texts) => {
  const words = new Map<string, string>(Object.entries(texts));

  it('are there for every code, and for none that there is not', () => {
    expect([...words.keys()].toSorted()).toEqual(Object.keys(whys).toSorted());
  });

  it.each(Object.entries(whys))('say all the facts of %s and no others', (code, facts) => {
    expect(factsIn(words.get(code))).toEqual(facts.toSorted());
    const han = /\p{Script=Han}/u.test(words.get(code) ?? '');
    expect(han).toBe(language === 'Chinese');
  });
});

it('a reason with facts is said with them, and several one after the other', async () => {
  const path = '/home/ann/settings.json';
  const why = [{ is: 'diskFull', path }, 'untilEnd'] as const;
  expect(isWhy(why)).toBe(true);
  expect(sayWhy((await createI18n('en')).t, why, '')).toBe(
    `${path} cannot be written: the disk is full. What you change stays until Parley ends.`,
  );
  expect(sayWhy((await createI18n('zh')).t, why, '')).toBe(
    `无法写入 ${path}：磁盘已满。你的更改只保留到 Parley 结束。`,
  );
});

it('a fact is said as it is, whatever stands in it', async () => {
  const name = '{{path}} $t(reasons.said) <b>';
  expect(sayWhy((await createI18n('en')).t, { is: 'tokenGone', name }, '')).toBe(
    `The access token of ${name} is gone: give it again.`,
  );
});
