import { type ParsedCall, type RefusedCall, parseCall } from './parse-call.ts';

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
  #held = '';
  #call: CallText | undefined;
  #pieces: AnswerPiece[] = [];
  #text = '';
  #hasCall = false;
  /** Since the last call there was only space, which is not shown. */
  #isAfterCall = false;
  /** The model invents a tool's response, so the rest of the answer is dropped. */
  #isInventing = false;

  /** Splits the next part of the stream. */
  push(delta: string): readonly AnswerPiece[] {
    for (const character of delta) this.#next(character);
    return this.#takePieces();
  }

  /** Ends the stream. A call without its closing tag counts if its JSON is complete. */
  end(): readonly AnswerPiece[] {
    if (this.#call === undefined) this.#show(this.#held);
    else this.#endCall(false);
    this.#held = '';
    return this.#takePieces();
  }

  #next(character: string): void {
    if (this.#isInventing) return;
    if (this.#call !== undefined) this.#nextOfCall(this.#call, character);
    else if (this.#held === '' && this.#code.isCodeAt(character)) this.#show(character);
    else this.#nextOfText(character);
  }

  #nextOfText(character: string): void {
    const held = this.#held + character;
    if (held === openTag) {
      this.#held = '';
      this.#call = new CallText();
      this.#hasCall = true;
      this.#flushText();
    } else if (this.#hasCall && held === responseTag) {
      this.#held = '';
      this.#isInventing = true;
    } else if (openTag.startsWith(held) || (this.#hasCall && responseTag.startsWith(held))) {
      this.#held = held;
    } else {
      const rest = this.#held === '' ? '' : character;
      this.#show(rest === '' ? character : this.#held);
      this.#held = '';
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
      this.#countBackticks(character);
    }
  }

  #countBackticks(character: string): void {
    if (character === '`') this.#tickRun += 1;
    else this.#endRun();
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
