import { describe, expect, it } from 'vitest';
import { englishCore } from '../../../../shared/i18n/en/core-messages.ts';
import { englishPage } from '../../../../shared/i18n/en/page-messages.ts';
import { chineseCore } from '../../../../shared/i18n/zh/core-messages.ts';
import { chinesePage } from '../../../../shared/i18n/zh/page-messages.ts';
import { textsOf } from './texts-of.ts';

const english = { ...englishPage, core: englishCore };
const chinese = { ...chinesePage, core: chineseCore };

const keysMatching = (tree: object, wrong: RegExp): readonly string[] =>
  textsOf(tree)
    // Search words are never shown.
    .filter(([key, text]) => !key.endsWith('.also') && wrong.test(text))
    .map(([key]) => key);

describe('consistent terms', () => {
  it('“access token” opens a server, and “tokens” are the model’s units', () => {
    // Only the sentence that explains a token uses the singular.
    expect(keysMatching(english, /(?<!access )\btoken\b(?!s)|^tokens$/iu)).toEqual([
      'chat.options.lengthHelp',
    ]);
  });

  it('the Chinese terms are always 访问令牌 and 词元', () => {
    expect(keysMatching(chinese, /(?<!访问)令牌|(?<!\{)\btokens?\b(?!\})/iu)).toEqual([]);
  });

  it('Chinese text has full-width punctuation', () => {
    const mixed = /\p{Script=Han}[,;:?!]|[,;:?!]\p{Script=Han}/u;
    expect(keysMatching(chinese, mixed)).toEqual([]);
  });
});

it('chat options state the server defaults', () => {
  for (const { chat } of [englishPage, chinesePage]) {
    expect(chat.options.lengthHelp).toContain('256');
    expect(chat.options.penaltyHelp).toContain('1.1');
  }
});
