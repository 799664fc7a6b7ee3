import { type CoreMessages, fillMessage } from '../../shared/i18n/messages.ts';
import type { MemorySentence } from '../../shared/memory/memory-view.ts';
import { estimateTokens, foldText, toOneLine } from '../../shared/text.ts';
import { readSentence } from '../../shared/memory/memory-file.ts';
import { isJsonObject, parseJsonObject } from '../../shared/protocol/json.ts';
import { characterPairs, splitQuery } from '../recordings/history/history-index.ts';
import { hasSentence } from './memory-store.ts';

/** The text of a stored talk or chat, which the model reads for suggestions. */
export interface SaidText {
  readonly title: string;
  /** Oldest first. */
  readonly turns: readonly { readonly by: 'person' | 'parley'; readonly text: string }[];
}

export interface SuggestionQuestion {
  readonly system: string;
  readonly request: string;
}

/** Limit on the part of the conversation that the model reads. Older turns are left out. */
const maxConversationTokens = 3000;
const maxTurnLength = 2000;

/** Asks for new and changed sentences about the user. */
export function suggestionQuestion(
  { suggestSystem, suggest, knownNone, user, assistant }: CoreMessages['memory'],
  known: readonly MemorySentence[],
  turns: SaidText['turns'],
): SuggestionQuestion {
  const list = known.map(({ text }, index) => `${index + 1}. ${text}`);
  const lines: string[] = [];
  let tokens = 0;
  for (const { by, text } of turns.toReversed()) {
    const line = `${by === 'person' ? user : assistant}${toOneLine(text.slice(0, maxTurnLength))}`;
    tokens += estimateTokens(line) + 1;
    if (tokens > maxConversationTokens) break;
    lines.unshift(line);
  }
  return {
    system: suggestSystem,
    request: fillMessage(suggest, {
      known: list.length === 0 ? knownNone : list.join('\n'),
      conversation: lines.join('\n'),
    }),
  };
}

export interface ProposedSentence {
  readonly text: string;
  /** The id of the sentence that it replaces. */
  readonly replaces?: string | undefined;
}

const maxSuggestions = 3;
/** Limit in characters, the model's thoughts included. Parley ignores a longer answer, because it asked for three sentences. */
const maxAnswerLength = 4000;
/** `- 3: text` or `- text`, also with a star or bullet. */
const listLine = /^[-*•]\s+(?:#?(?<number>\d{1,2})\s*[:：]\s*)?(?<text>.+)$/u;

/**
 * Reads at most three sentences from the model's answer: list items that begin with a dash, star or bullet, or JSON lines.
 * A number names the sentence of `known`, counted from 1, that the new one replaces.
 * Drops sentences that the rules refuse, that are known, or that share no word with `said`, the user's words.
 */
export function readSuggestions(
  answer: string,
  known: readonly MemorySentence[],
  said: readonly string[],
): readonly ProposedSentence[] {
  if (answer.length > maxAnswerLength) return [];
  const visible = answer.replace(/^\s*<think>.*?(?:<\/think>|$)/su, '');
  const words = new Set(said.flatMap(contentWords));
  const read: ProposedSentence[] = [];
  for (const line of visible.split('\n')) {
    const proposed = readLine(line.trim(), known);
    if (proposed === undefined || read.length === maxSuggestions) continue;
    const isNew =
      !hasSentence(known, proposed.text) && !read.some(({ text }) => text === proposed.text);
    if (isNew && contentWords(proposed.text).some((word) => words.has(word))) read.push(proposed);
  }
  return read;
}

function readLine(line: string, known: readonly MemorySentence[]): ProposedSentence | undefined {
  const fields = line.startsWith('{') ? parseJsonObject(line) : listLine.exec(line)?.groups;
  if (!isJsonObject(fields) || typeof fields['text'] !== 'string') return undefined;
  const text = readSentence(fields['text']);
  // The rules check the line before it is cleaned, because the model may quote an instruction that it read.
  if (!text.ok || refusalOf(fields['text']) !== undefined) return undefined;
  const { number } = fields;
  if (number === undefined) return { text: text.value };
  const replaced = known[Number(number) - 1];
  return replaced && { text: text.value, replaces: replaced.id };
}

/** Words that any sentence about a person may have. */
const commonWords = new Set(
  'i am my me have has had was were is are be been the a an and or but of in on at to for with from not no do does did like likes live lives want wants user 我的 我是 我有 我在 喜欢 用户'.split(
    ' ',
  ),
);

/** Returns the folded words of a text without the common ones. Chinese has no spaces, so it is cut into pairs of characters. */
function contentWords(text: string): readonly string[] {
  return splitQuery(foldText(text))
    .flatMap((word) => (/^\p{sc=Han}{2,}$/u.test(word) ? characterPairs(word) : [word]))
    .filter((word) => !commonWords.has(word));
}

/**
 * Rules for sentences that a model proposes. They refuse some harmless sentences too, which the user can still write by
 * hand.
 */
export type Refusal = 'secret' | 'instruction';

/** Why a proposed sentence must not be offered; undefined if it may. */
export function refusalOf(sentence: string): Refusal | undefined {
  // Full-width digits and letters are matched, too.
  const text = sentence.normalize('NFKC');
  if (isSecret(text)) return 'secret';
  return isInstruction(text) ? 'instruction' : undefined;
}

const secretWord =
  /\b(?:pass(?:words?|codes?|phrases?|wd)|pwd|pins?|pin[- ]?codes?|cvv2?|cvc|otp|secrets?|tokens?|credentials?|api[- ]?keys?|access[- ]?keys?|private[- ]?keys?|seed phrase|ssn|social security)\b|密码|口令|验证码|令牌|密钥|私钥|助记词|身份证号|卡号/iu;
/** A card or account number: 12 to 19 digits, in groups or not. */
const digitRun = /\d(?:[ .\-/]?\d){11,18}/gu;
const ibanForm = /\b[A-Z]{2}\d{2}(?: ?[A-Z\d]){11,30}\b/giu;
const addressForm = /\S@\S|:\/\//u;
const keyPrefix =
  /\b(?:sk|pk|rk|ghp|gho|ghs|glpat|xox[abpr]|AKIA|ASIA|AIza|ya29|eyJ|hf|npm)[-_]?[\w\-.]{8,}/u;
const longHex = /\b(?:0x)?[\da-f]{16,}\b/iu;
/** Letters and digits mixed, as in base64, tokens and serial numbers. */
const mixedRun = /(?=[\w+/=\-.]*\d)(?=[\w+/=\-.]*[a-z])[\w+/=\-.]{16,}/iu;
/** Four kinds of characters without a space, as passwords have. */
const passwordForm = /(?=\S*[a-z])(?=\S*[A-Z])(?=\S*\d)(?=\S*[^\w\s.,;:'"’()/-])\S{7,}/u;

function isSecret(text: string): boolean {
  if (
    [secretWord, addressForm, keyPrefix, longHex, mixedRun, passwordForm].some((rule) =>
      rule.test(text),
    )
  )
    return true;
  if ((text.match(digitRun) ?? []).some(isCardNumber)) return true;
  return (text.match(ibanForm) ?? []).some(hasIban);
}

/** Luhn's sum, in any part of 12 to 19 digits. */
function isCardNumber(run: string): boolean {
  const digits = Array.from(run.replaceAll(/\D/gu, ''), Number);
  for (let from = 0; from + 12 <= digits.length; from += 1) {
    for (let length = 12; from + length <= digits.length; length += 1) {
      if (luhnSum(digits.slice(from, from + length)) % 10 === 0) return true;
    }
  }
  return false;
}

function luhnSum(digits: readonly number[]): number {
  return digits.toReversed().reduce((sum, digit, index) => {
    const doubled = index % 2 === 0 ? digit : digit * 2;
    return sum + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
}

/** Tries each length, because words may follow the number without a separator. */
function hasIban(run: string): boolean {
  const letters = run.replaceAll(' ', '').toUpperCase();
  for (let length = Math.min(34, letters.length); length >= 15; length -= 1) {
    if (ibanRemainder(letters.slice(0, length)) === 1) return true;
  }
  return false;
}

function ibanRemainder(iban: string): number {
  const moved = iban.slice(4) + iban.slice(0, 4);
  let remainder = 0;
  for (const letter of moved)
    for (const digit of Number.parseInt(letter, 36).toString())
      remainder = (remainder * 10 + Number(digit)) % 97;
  return remainder;
}

/** A fact about the user is in the third person. A sentence with "you" may be an instruction to the model. */
const addressesModel = /\b(?:you|your|yours|yourself|u)\b|你|您/iu;
const commandForm =
  /^(?:(?:please|kindly|ok|okay|now|and|then|also|important|note|remember|rule|system|assistant|user)\b[\s:,.!-]*)*(?:ignore|disregard|forget|override|always|never|answer|respond|reply|say|tell|send|email|mail|post|upload|delete|pretend|act|behave|do|don['’]?t|must|make sure|be sure|ensure|execute|run|open|click|visit|use|call|write|translate|speak|repeat|print|show|reveal|read|fetch|follow|obey|stop|start|treat|include|end|begin|add|refer)\b/iu;
const instructionWords =
  /\b(?:ignore|disregard|override)\b.{0,40}\b(?:previous|prior|above|earlier|other|all|any|rules?|instructions?|prompts?)\b|\b(?:from now on|system prompt|jailbreak|developer mode|instructions?)\b|\b(?:always|never|must|should|shall)\s+(?:be\s+)?(?:answer|repl(?:y|ied)|respond|say|said|end|begin|mention|call(?:ed)?|obey|follow|trust)/iu;
const aboutModel =
  /\b(?:the |this |an? )?(?:assistant|ai|model|chatbot|llm|parley)\b.{0,30}\b(?:must|should|shall|has to|needs? to|will|can|may|is to|always|never|answers?|replies)\b/iu;
const chineseCommand =
  /忽略|无视|忘掉|忘记(?:之前|以上|所有)|必须|务必|从现在(?:起|开始)|从今以后|指令|提示词|系统提示|助手(?:要|应|必|只|总)|^(?:请|总是|永远|始终|不要|别|回答|回复|假装|扮演)|(?:总是|始终|永远|一律)(?:用|以|回答|回复|说)/u;
const markupForm = /[<>{}`\\|]|\[\/?[a-z_]+\]/iu;

function isInstruction(text: string): boolean {
  return [
    addressesModel,
    commandForm,
    instructionWords,
    aboutModel,
    chineseCommand,
    markupForm,
  ].some((rule) => rule.test(text));
}
