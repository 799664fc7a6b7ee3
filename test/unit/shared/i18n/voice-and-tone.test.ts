import { describe, expect, it } from 'vitest';
import { englishCore } from '../../../../shared/i18n/en/core-messages.ts';
import { englishPage } from '../../../../shared/i18n/en/page-messages.ts';
import { type Language, languages } from '../../../../shared/i18n/languages.ts';
import { chineseCore } from '../../../../shared/i18n/zh/core-messages.ts';
import { chinesePage } from '../../../../shared/i18n/zh/page-messages.ts';
import { textsOf } from './message-texts.ts';

const maxLetters = 90;

/** Texts for the model, and search words. */
const notShown = /^presets|also\b/u;

/** The terminal shows these too; it may name files and protocols. */
const isTerminalText = /errors\.codes\./u;

/** The name of a kind of file. Elsewhere the word for what the user hears is 声音. */
const fileKind = 'export.groups.sound';

/** Words that were replaced by others. */
const retired: Readonly<Record<'en' | 'zh', readonly RegExp[]>> = {
  en: [
    /\bCough\b/u,
    /\bPaper\b|\bInk\b/u,
    /\bLeave the line\b|\bin line\b/u,
    /\bBegin afresh\b|\bas at first\b|\bAs it was at first\b/u,
    /\bused up\b/u,
    /\bSkip all of this\b/u,
    /\bThe server decides$|\bAs the server likes\b/u,
    /\bReset these\b/u,
    /\bNothing is called that\b|\bstand nowhere\b/u,
    /\bAs the system\b/u,
    /\btapes?\b/iu,
    /\bwritten conversations?\b/iu,
    /\bNobody answers\b|\bdoes not let you in\b/u,
    /\bLoudness\b/u,
    /\bManner\b/u,
    /\bfor good\b/u,
  ],
  zh: [
    /对话/u,
    /录带|磁带|通话录音|留下最近/u,
    /咳嗽/u,
    /^纸$|^墨$/u,
    /处理单元|不接待/u,
    /离开队列/u,
    /文字聊天/u,
    /^音频$|声音的名称/u,
    /指示条|横条/u,
    /由服务器决定|由系统决定/u,
    /连不上|重连/u,
    /一直开着|全局按键/u,
    /别的程序|另一个程序/u,
    /故障|模型的容量|分贝|回车/u,
    /运营者|该服务器|该代理/u,
    /改动/u,
    /口述|读出|影片|变小声|大声些/u,
    /另选|钥匙串|查询字段|指示/u,
    /请告诉|请询问|队列|线路/u,
    /[份段]录制/u,
    /重新开始/u,
    /再试一次/u,
  ],
};

async function listShownTexts(language: Language) {
  const [page, { desktop }] = await Promise.all([
    languages[language].page(),
    languages[language].core(),
  ]);
  return textsOf({ ...page, desktop }).filter(([path]) => !notShown.test(path));
}

describe.each(['en', 'zh'] as const)('the texts in %s', (language) => {
  it('have no sentence over 90 characters', async () => {
    const long = (await listShownTexts(language)).filter(([, text]) =>
      text.split(/(?<=[.!?…。！？])\s*/u).some((sentence) => sentence.length > maxLetters),
    );
    expect(long).toEqual([]);
  });

  it('have none of the retired words', async () => {
    const shown = (await listShownTexts(language)).filter(([path]) =>
      language === 'zh' ? path !== fileKind : !isTerminalText.test(path),
    );
    const old = shown.filter(([, text]) => retired[language].some((word) => word.test(text)));
    expect(old).toEqual([]);
  });
});

const english = { ...englishPage, core: englishCore };
const chinese = { ...chinesePage, core: chineseCore };

const keysMatching = (tree: object, wrong: RegExp): readonly string[] =>
  textsOf(tree)
    // Search words are never shown.
    .filter(([key, text]) => !key.endsWith('.also') && wrong.test(text))
    .map(([key]) => key);

describe('the texts', () => {
  it('call a server’s secret “access token” and a model’s units “tokens”', () => {
    // Only the sentence that explains a token uses the singular.
    expect(keysMatching(english, /(?<!access )\btoken\b(?!s)|^tokens$/iu)).toEqual([
      'chat.options.lengthHelp',
    ]);
  });

  it('always use 访问令牌 and 词元 in Chinese', () => {
    expect(keysMatching(chinese, /(?<!访问)令牌|(?<!\{)\btokens?\b(?!\})/iu)).toEqual([]);
  });

  it('have a full stop after a program’s output, because another sentence follows', () => {
    for (const texts of [english, chinese])
      expect(keysMatching(texts, /\{\{line\}\}$/u)).toEqual([]);
  });

  it('have full-width punctuation in Chinese', () => {
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
