import type { CoreMessages } from '../../../shared/i18n/messages.ts';
import type { WrittenSession } from '../session/session.ts';

/** Limit of the answer's tokens; no phrase is that long. */
const maxNewTokens = 400;

/** Asks the server's chat to write down the phrase and nothing else. */
export function phraseQuestion(
  { system, request }: CoreMessages['phrasePrompt'],
  samples: Float32Array,
): Parameters<WrittenSession['ask']>[0] {
  return {
    messages: [
      { role: 'system', content: system },
      {
        role: 'user',
        content: [
          { type: 'text', text: request },
          { type: 'audio', audio: samples },
        ],
      },
    ],
    streaming: true,
    maxNewTokens,
    thinking: false,
    speech: { enabled: false },
  };
}

/** Markers that the prompt asks for where no words are understood. */
const unclearMarker = /\[unclear\]|\[听不清\]/giu;

/** Introductions that models write although the prompt forbids them. */
const introductions: readonly RegExp[] = [
  /^<think>.*?<\/think>\s*/su,
  /^(?:sure|okay|of course|certainly)[,.!:]\s+/iu,
  /^(?:here(?: is|’s|'s) )?(?:the |a |an )?(?:exact |bare |verbatim )?(?:transcript(?:ion)?|text|wording)(?: of (?:the|this) (?:audio|sound|recording|speech))?(?: is)?\s*:\s*/iu,
  /^(?:the |this )?(?:speaker|person|user|voice|audio|recording|man|woman) (?:says|said|is saying|asks|asked)\s*:\s*/iu,
  /^好的[，,。！!]\s*/u,
  /^(?:(?:这段|该)?(?:音频|录音|语音|声音)(?:的|中的|里的)?(?:内容|文字|原文|转写|转录)?(?:是|为|如下)?|(?:说话(?:人|者)|讲话者|用户|对方|这个人)(?:说|问)(?:道|的是)?|(?:转写|转录|听写)(?:结果|内容|文字)?(?:是|为|如下)?)\s*[：:]\s*/u,
];

const quotes: readonly (readonly [string, string])[] = [
  ['"', '"'],
  ['“', '”'],
  ['‘', '’'],
  ['«', '»'],
  ['「', '」'],
  ['『', '』'],
  ['`', '`'],
  ["'", "'"],
];

const noSpeechAnswer =
  /^[([（【]?\s*(?:unclear|inaudible|silence|silent|no (?:speech|words?|audio)|unintelligible|noise|music|听不清|无法听清|无法辨认|没有(?:语音|说话|声音)|无(?:语音|人声)|静音|噪音|音乐)[^\p{L}\p{N}]*$/iu;

/** A text with more than these two allow for its duration is an answer or a repetition, because nobody speaks faster. */
const maxCharactersPerSecond = 35;
const extraCharacters = 40;

/** Returns the spoken words of a model's answer; empty if there are none, or more than anybody speaks in that time. */
export function cleanTranscript(answer: string, seconds: number): string {
  if (/^\s*(?:\[unclear\]|\[听不清\])/iu.test(answer)) return '';
  let text = answer.replaceAll(unclearMarker, '…').trim();
  for (const lead of introductions) text = text.replace(lead, '').trim();
  text = withoutQuotes(text.replaceAll(/\s+/gu, ' '));
  if (noSpeechAnswer.test(text) || !/[\p{L}\p{N}]/u.test(text)) return '';
  return text.length > extraCharacters + maxCharactersPerSecond * seconds ? '' : text;
}

/** Removes quotes around the whole text only. */
function withoutQuotes(text: string): string {
  for (const [open, close] of quotes) {
    if (text.length < 2 || !text.startsWith(open) || !text.endsWith(close)) continue;
    const within = text.slice(1, -1);
    if (!within.includes(open) && !within.includes(close)) return within.trim();
  }
  return text;
}
