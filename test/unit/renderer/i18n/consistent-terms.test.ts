import { describe, expect, it } from 'vitest';
import { chineseMessages } from '../../../../renderer/i18n/chinese-messages.ts';
import { englishMessages } from '../../../../renderer/i18n/english-messages.ts';
import { presetsFor } from '../../../../shared/presets/presets.ts';

/** Each text with its way through the tree; what only the search of the settings reads is nobody's text. */
function textsOf(tree: object, way = ''): readonly (readonly [string, string])[] {
  return Object.entries(tree).flatMap(([key, value]) => {
    if (key === 'also') return [];
    return typeof value === 'string'
      ? [[`${way}${key}`, value] as const]
      : textsOf(value as object, `${way}${key}.`);
  });
}

const waysWith = (tree: object, wrong: RegExp): readonly string[] =>
  textsOf(tree)
    .filter(([, text]) => wrong.test(text))
    .map(([way]) => way);

describe('one word for one thing', () => {
  it('what opens a server is an access token; tokens alone are what a model counts in', () => {
    // Of one alone only the sentence speaks that explains what it is.
    expect(waysWith(englishMessages, /(?<!access )\btoken\b(?!s)|^tokens$/iu)).toEqual([
      'chat.options.lengthHelp',
    ]);
  });

  it('in Chinese they are 访问令牌 and 词元, and nothing else', () => {
    expect(waysWith(chineseMessages, /(?<!访问)令牌|(?<!\{)\btokens?\b(?!\})/iu)).toEqual([]);
  });

  it('Chinese has the marks of Chinese', () => {
    const mixed = /\p{Script=Han}[,;:?!]|[,;:?!]\p{Script=Han}/u;
    expect(waysWith(chineseMessages, mixed)).toEqual([]);
    expect(waysWith([presetsFor('audio'), presetsFor('video')], mixed)).toEqual([]);
  });
});
