import { describe, expect, it } from 'vitest';
import { englishCore } from '../../../../shared/i18n/en/core-messages.ts';
import { englishPage } from '../../../../shared/i18n/en/page-messages.ts';
import { chineseCore } from '../../../../shared/i18n/zh/core-messages.ts';
import { chinesePage } from '../../../../shared/i18n/zh/page-messages.ts';
import { textsOf } from './texts-of.ts';

const english = { ...englishPage, core: englishCore };
const chinese = { ...chinesePage, core: chineseCore };

const waysWith = (tree: object, wrong: RegExp): readonly string[] =>
  textsOf(tree)
    // What only the search of the settings reads is nobody's text.
    .filter(([way, text]) => !way.endsWith('.also') && wrong.test(text))
    .map(([way]) => way);

describe('one word for one thing', () => {
  it('what opens a server is an access token; tokens alone are what a model counts in', () => {
    // Of one alone only the sentence speaks that explains what it is.
    expect(waysWith(english, /(?<!access )\btoken\b(?!s)|^tokens$/iu)).toEqual([
      'chat.options.lengthHelp',
    ]);
  });

  it('in Chinese they are 访问令牌 and 词元, and nothing else', () => {
    expect(waysWith(chinese, /(?<!访问)令牌|(?<!\{)\btokens?\b(?!\})/iu)).toEqual([]);
  });

  it('Chinese has the marks of Chinese', () => {
    const mixed = /\p{Script=Han}[,;:?!]|[,;:?!]\p{Script=Han}/u;
    expect(waysWith(chinese, mixed)).toEqual([]);
  });
});

it('options say with which figures servers begin', () => {
  for (const { chat } of [englishPage, chinesePage]) {
    expect(chat.options.lengthHelp).toContain('256');
    expect(chat.options.penaltyHelp).toContain('1.1');
  }
});
