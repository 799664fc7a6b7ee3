import { describe, expect, it } from 'vitest';
import { languages } from '../../../../shared/i18n/languages.ts';
import type { Language } from '../../../../shared/i18n/languages.ts';

const maxLetters = 90;

/** Read by the model, or by nobody. */
const unread = /^presets|also\b/u;

/** Of the terminal, which names files and protocols. */
const ofTerminal = /errors\.codes\./u;

/** What was said before by other words, which are gone. */
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
    /录带|录制|磁带/u,
    /咳嗽/u,
    /^纸$|^墨$/u,
    /处理单元|不接待/u,
    /离开队列/u,
    /文字聊天/u,
  ],
};

type Told = readonly [way: string, text: string];

function textsOf(value: unknown, way = ''): readonly Told[] {
  if (typeof value === 'string') return unread.test(way) ? [] : [[way, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) =>
    textsOf(each, way === '' ? key : `${way}.${key}`),
  );
}

async function toldIn(language: Language): Promise<readonly Told[]> {
  const [page, { desktop }] = await Promise.all([
    languages[language].page(),
    languages[language].core(),
  ]);
  return [...textsOf(page), ...textsOf(desktop, 'desktop')];
}

describe.each(['en', 'zh'] as const)('what Parley says, in %s', (language) => {
  it('has no sentence that one would read twice', async () => {
    const long = (await toldIn(language)).filter(([, text]) =>
      text.split(/(?<=[.!?…。！？])\s*/u).some((sentence) => sentence.length > maxLetters),
    );
    expect(long).toEqual([]);
  });

  it('has none of the words that were given up', async () => {
    const told = (await toldIn(language)).filter(
      ([way]) => language === 'zh' || !ofTerminal.test(way),
    );
    const old = told.filter(([, text]) => retired[language].some((word) => word.test(text)));
    expect(old).toEqual([]);
  });
});
