import { isJsonObject, isSimpleJson, type JsonObject } from '../../shared/protocol/json.ts';

/** A part of an answer: text to show, or a call. The text of a call is never shown. */
export type AnswerPiece =
  | { readonly kind: 'text'; readonly text: string }
  | ({ readonly kind: 'call' } & ParsedCall)
  | ({ readonly kind: 'refused' } & RefusedCall);

const openTag = '<tool_call>';
const closeTag = '</tool_call>';
const responseTag = '<tool_response>';

/** In characters, far more than a model writes. */
const maxCallLength = 65_536;

/**
 * Splits a streamed answer into text and calls. Holds text back only while it may be the start of a tag. A tag in
 * Markdown code is text, because the model only quotes it there.
 */
export class CallSplitter {
  readonly #code = new CodeTracker();
  /** Text that is held back, because it may be the start of a tag. */
  #pending = '';
  #call: CallText | undefined;
  #pieces: AnswerPiece[] = [];
  #text = '';
  #hasCall = false;
  /** Whether only white space, which is not shown, came since the last call. */
  #isAfterCall = false;
  /** Whether the model is inventing a tool's response; then the rest of the answer is dropped. */
  #isInventing = false;

  push(delta: string): readonly AnswerPiece[] {
    for (const character of delta) this.#next(character);
    return this.#takePieces();
  }

  /** Ends the stream. A call without its closing tag counts if its JSON is complete. */
  end(): readonly AnswerPiece[] {
    if (this.#call === undefined) this.#show(this.#pending);
    else this.#endCall(false);
    this.#pending = '';
    return this.#takePieces();
  }

  #next(character: string): void {
    if (this.#isInventing) return;
    if (this.#call !== undefined) this.#nextOfCall(this.#call, character);
    else if (this.#pending === '' && this.#code.isCodeAt(character)) this.#show(character);
    else this.#nextOfText(character);
  }

  #nextOfText(character: string): void {
    const pending = this.#pending + character;
    if (pending === openTag) {
      this.#pending = '';
      this.#call = new CallText();
      this.#hasCall = true;
      this.#flushText();
    } else if (this.#hasCall && pending === responseTag) {
      this.#pending = '';
      this.#isInventing = true;
    } else if (openTag.startsWith(pending) || (this.#hasCall && responseTag.startsWith(pending))) {
      this.#pending = pending;
    } else {
      const rest = this.#pending === '' ? '' : character;
      this.#show(rest === '' ? character : this.#pending);
      this.#pending = '';
      // The character that does not continue one tag may begin another.
      if (rest !== '') this.#next(rest);
    }
  }

  #nextOfCall(call: CallText, character: string): void {
    const end = call.add(character);
    if (end === undefined) return;
    this.#endCall(end === 'closed');
    // The model forgot the closing tag and began the next call.
    if (end === 'nested') this.#call = new CallText();
  }

  #endCall(isClosed: boolean): void {
    const call = this.#call;
    this.#call = undefined;
    if (call === undefined) return;
    this.#pieces.push(
      call.isTooLong ? { kind: 'refused', why: 'long' } : parsePiece(call, isClosed),
    );
    this.#isAfterCall = true;
  }

  #show(text: string): void {
    for (const character of text) this.#code.push(character);
    const shown = this.#isAfterCall ? text.trimStart() : text;
    if (shown === '') return;
    this.#isAfterCall = false;
    this.#text += shown;
  }

  #flushText(): void {
    if (this.#text !== '') this.#pieces.push({ kind: 'text', text: this.#text });
    this.#text = '';
  }

  #takePieces(): readonly AnswerPiece[] {
    this.#flushText();
    const pieces = this.#pieces;
    this.#pieces = [];
    return pieces;
  }
}

function parsePiece({ text }: CallText, isClosed: boolean): AnswerPiece {
  const call = parseCall(text, isClosed);
  return 'why' in call ? { kind: 'refused', ...call } : { kind: 'call', ...call };
}

/** Collects the text of a call, up to a tag outside of its JSON strings. */
class CallText {
  text = '';
  isTooLong = false;
  #inString = false;
  #isEscaped = false;
  #tag = '';

  /** Returns how the call ended, if it did. */
  add(character: string): 'closed' | 'nested' | undefined {
    if (!this.#inString && (character === '<' || this.#tag !== '')) {
      const tag = character === '<' ? '<' : this.#tag + character;
      if (tag === closeTag) return 'closed';
      if (tag === openTag) return 'nested';
      if (character === '<') this.#append(this.#tag);
      if (closeTag.startsWith(tag) || openTag.startsWith(tag)) {
        this.#tag = tag;
        return undefined;
      }
      this.#tag = '';
      this.#append(tag);
      return undefined;
    }
    this.#append(character);
    return undefined;
  }

  #append(text: string): void {
    for (const character of text) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (character === '\\') this.#isEscaped = this.#inString;
      else if (character === '"') this.#inString = !this.#inString;
    }
    if (this.text.length + text.length <= maxCallLength) this.text += text;
    else this.isTooLong = true;
  }
}

/** Tracks whether the text is in Markdown code: a fenced block, or backticks in one line. */
class CodeTracker {
  #line = '';
  #fence: string | undefined;
  /** The number of backticks that opened code in this line. */
  #inlineTicks = 0;
  #tickRun = 0;

  /** Whether this character, which comes next, is in code. */
  isCodeAt(character: string): boolean {
    if (character !== '`') this.#endRun();
    return this.#fence !== undefined || this.#inlineTicks > 0;
  }

  push(character: string): void {
    if (character === '\n') this.#endLine();
    else {
      // A fence is at the beginning, so the rest of a long line is not needed.
      if (this.#line.length < 200) this.#line += character;
      if (character === '`') this.#tickRun += 1;
      else this.#endRun();
    }
  }

  /** A row of backticks opens code, or closes it if it is as long as the opening one. */
  #endRun(): void {
    if (this.#tickRun === 0) return;
    if (this.#inlineTicks === 0) this.#inlineTicks = this.#tickRun;
    else if (this.#inlineTicks === this.#tickRun) this.#inlineTicks = 0;
    this.#tickRun = 0;
  }

  #endLine(): void {
    const mark = /^[\s>]*(?<mark>`{3,}|~{3,})(?<rest>.*)$/u.exec(this.#line)?.groups;
    const { mark: fence = '', rest = '' } = mark ?? {};
    if (this.#fence === undefined) {
      if (fence !== '' && !(fence.startsWith('`') && rest.includes('`'))) this.#fence = fence;
    } else if (fence.startsWith(this.#fence) && rest.trim() === '') this.#fence = undefined;
    this.#line = '';
    this.#inlineTicks = 0;
    this.#tickRun = 0;
  }
}

/** A call as the model wrote it; the name may not exist. */
export interface ParsedCall {
  readonly name: string;
  readonly args: JsonObject;
}

/** `long`: the splitter found too many characters. `unfinished`: the answer ended first. `broken`: it is not a call. */
export interface RefusedCall {
  readonly why: 'long' | 'unfinished' | 'broken';
}

const maxNameLength = 128;

/**
 * Parses the text between the tags of a call. One fault is repaired: a missing closing tag or a missing closing
 * bracket. If both are missing, the answer was cut off and may lack arguments, so the call is refused.
 */
function parseCall(text: string, isClosed: boolean): ParsedCall | RefusedCall {
  const body = withoutFence(text.trim());
  if (!isSimpleJson(body)) return { why: 'broken' };
  const value = parseJson(body) ?? (isClosed ? parseJson(withClosingBracket(body)) : undefined);
  if (value === undefined) return { why: isClosed ? 'broken' : 'unfinished' };
  const { name, arguments: args } = value;
  if (typeof name !== 'string' || name === '' || name.length > maxNameLength)
    return { why: 'broken' };
  if (args === undefined) return { name, args: {} };
  return isJsonObject(args) ? { name, args } : { why: 'broken' };
}

/** Models sometimes write the JSON as a code block between the tags. */
function withoutFence(text: string): string {
  return /^(`{3,})[a-z_]*\s*\n?([\s\S]*?)\n?\s*\1$/u.exec(text)?.[2]?.trim() ?? text;
}

function parseJson(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Adds the closing bracket if exactly one is missing outside of strings. */
function withClosingBracket(text: string): string {
  const open: string[] = [];
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (inString && character === '\\') at += 1;
    else if (character === '"') inString = !inString;
    else if (!inString && character === '{') open.push('}');
    else if (!inString && character === '[') open.push(']');
    else if (!inString && (character === '}' || character === ']')) open.pop();
  }
  return open.length === 1 && !inString ? text + String(open[0]) : text;
}
