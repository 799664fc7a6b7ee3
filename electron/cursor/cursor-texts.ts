import { stripControlCharacters, stripTerminalSequences } from '../../shared/text.ts';
import { type CursorAction, isBuiltInAction } from '../../shared/cursor/cursor-action.ts';
import { type CoreMessages, fillMessage } from '../../shared/i18n/messages.ts';

/** Limit in characters, more than fits into the context of a model. */
export const maxQuotedLength = 100_000;

export interface CopiedText {
  readonly text: string;
  readonly cut: boolean;
}

/** Removes terminal sequences and characters that reorder visible text, and limits the length. */
export function cleanCopiedText(copied: string): CopiedText {
  const limited = copied.slice(0, maxQuotedLength);
  return { text: withoutCommands(limited), cut: copied.length > limited.length };
}

function withoutCommands(text: string): string {
  return stripControlCharacters(stripTerminalSequences(text).replaceAll(/\r\n?/gu, '\n'));
}

/**
 * Quotes a text of another program as data for the model, between rows of backticks. The rows are longer than any in the
 * text, so that the text cannot end the quotation.
 */
export function quoteCopiedText(label: string, { text, cut }: CopiedText, cutNote: string): string {
  const maxRun = Math.max(0, ...(text.match(/`+/gu) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(Math.max(3, maxRun + 1));
  return [label, fence, text, fence, ...(cut ? [cutNote] : [])].join('\n');
}

/**
 * The answer as it is inserted into another program: without control characters and surrounding white space, and without
 * the code fence if the whole answer is one code block.
 */
export function insertableText(answer: string): string {
  const text = withoutCommands(answer).trim();
  const code = /^(`{3,})[^\n`]*\n([\s\S]*?)\n?\1$/u.exec(text);
  return code?.[2] ?? text;
}

/** The prompt of an action, with the user's two languages. */
export function actionPrompt(
  { id, prompt }: CursorAction,
  prompts: CoreMessages['cursor'],
  languages: { readonly firstLanguage: string; readonly secondLanguage: string },
): string {
  const { firstLanguage: first, secondLanguage: second } = languages;
  const text = prompt === '' && isBuiltInAction(id) ? prompts.actions[id] : prompt;
  return fillMessage(text, { first, second });
}

/** How a program takes pasted text. */
export interface PasteMethod {
  readonly chord: string;
  /** The key pastes the X11 selection, so the text must become the selection first. */
  readonly fromSelection: boolean;
  /** A line end in the text would run it as a command. */
  readonly isTerminal: boolean;
}

/** X11 classes of terminals that paste the selection. */
const selectionTerminals: ReadonlySet<string> = new Set(['xterm', 'uxterm', 'urxvt', 'rxvt', 'st']);

const terminals =
  /^(?:gnome-terminal(?:-server)?|org\.gnome\.(?:terminal|console|ptyxis)|konsole|org\.kde\.konsole|xfce4-terminal|mate-terminal|lxterminal|qterminal|tilix|terminator|terminology|alacritty|kitty|ghostty|com\.mitchellh\.ghostty|org\.wezfurlong\.wezterm|wezterm|deepin-terminal|guake|yakuake|tilda|cool-retro-term|hyper)$/u;

/** The key that pastes in a program, by its lower-case class. */
export function pasteMethodOf(program: string): PasteMethod {
  if (selectionTerminals.has(program))
    return { chord: 'Shift+Insert', fromSelection: true, isTerminal: true };
  if (terminals.test(program))
    return { chord: 'Control+Shift+KeyV', fromSelection: false, isTerminal: true };
  return { chord: 'Control+KeyV', fromSelection: false, isTerminal: false };
}

/** The text as one line for a terminal, where a line end would run it. */
export function terminalText(text: string): string {
  return text.trim().replaceAll(/\s*[\r\n]+\s*/gu, ' ');
}
