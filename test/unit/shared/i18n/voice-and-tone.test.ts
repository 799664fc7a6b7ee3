import { describe, expect, it } from 'vitest';
import { languages } from '../../../../shared/i18n/languages.ts';
import type { Language } from '../../../../shared/i18n/languages.ts';

const maxLetters = 90;

/** Texts for the model, and search words. */
const notShown = /^presets|also\b/u;

/** The terminal shows these too; it may name files and protocols. */
const isTerminalText = /errors\.codes\./u;

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
    /故障|上下文|分贝|回车/u,
    /运营者|该服务器|该代理/u,
    /改动/u,
    /口述|读出|影片|变小声|大声些/u,
    /另选|钥匙串(?!）)|查询字段|指示/u,
    /请告诉|请询问|队列|线路/u,
    /[份段]录制/u,
  ],
};

type ShownText = readonly [path: string, text: string];

function textsOf(value: unknown, path = ''): readonly ShownText[] {
  if (typeof value === 'string') return notShown.test(path) ? [] : [[path, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) =>
    textsOf(each, path === '' ? key : `${path}.${key}`),
  );
}

async function listTexts(language: Language): Promise<readonly ShownText[]> {
  const [page, { desktop }] = await Promise.all([
    languages[language].page(),
    languages[language].core(),
  ]);
  return [...textsOf(page), ...textsOf(desktop, 'desktop')];
}

describe.each(['en', 'zh'] as const)('the texts in %s', (language) => {
  it('have no sentence over 90 characters', async () => {
    const long = (await listTexts(language)).filter(([, text]) =>
      text.split(/(?<=[.!?…。！？])\s*/u).some((sentence) => sentence.length > maxLetters),
    );
    expect(long).toEqual([]);
  });

  it('have none of the retired words', async () => {
    const shown = (await listTexts(language)).filter(
      ([path]) => language === 'zh' || !isTerminalText.test(path),
    );
    const old = shown.filter(([, text]) => retired[language].some((word) => word.test(text)));
    expect(old).toEqual([]);
  });
});
