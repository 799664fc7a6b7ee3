import { type ParsedCall, type RefusedCall, parseCall } from './parse-call.ts';

/** A part of an answer: text to show, or a call. The text of a call is never shown. */
export type AnswerPiece =
  | { readonly kind: 'text'; readonly text: string }
  | ({ readonly kind: 'call' } & ParsedCall)
  | ({ readonly kind: 'refused' } & RefusedCall);

const openTag = '<tool_call>';
const closeTag = '</tool_call>';
const responseTag = '<tool_response>';

/** Characters; a model writes far less. */
const maxCallLength = 65_536;

/**
 * Splits a streamed answer into text and calls. It holds text back only while that may be the start of a tag. A tag in
 * code, between backticks or in a fenced block, is text, because the model only quotes it there.
 */
export class CallSplitter {
  readonly #code = new CodeTracker();
  /** The start of a tag, held back. */
  #held = '';
  #call: CallText | undefined;
  #pieces: AnswerPiece[] = [];
  #text = '';
  #hasCall = false;
  /** Only space since the last call, which is not shown. */
  #isAfterCall = false;
  /** The model invents a tool's response. The rest of the answer is worthless. */
  #invents = false;

  /** Splits the next part of the stream. */
  push(delta: string): readonly AnswerPiece[] {
    for (const letter of delta) this.#next(letter);
    return this.#take();
  }

  /** Ends the stream. A call without its closing tag counts if its JSON is complete. */
  end(): readonly AnswerPiece[] {
    if (this.#call === undefined) this.#show(this.#held);
    else this.#endCall(false);
    this.#held = '';
    return this.#take();
  }

  #next(letter: string): void {
    if (this.#invents) return;
    if (this.#call !== undefined) this.#nextOfCall(this.#call, letter);
    else if (this.#held === '' && this.#code.isCodeAt(letter)) this.#show(letter);
    else this.#nextOfText(letter);
  }

  #nextOfText(letter: string): void {
    const held = this.#held + letter;
    if (held === openTag) {
      this.#held = '';
      this.#call = new CallText();
      this.#hasCall = true;
      this.#flushText();
    } else if (this.#hasCall && held === responseTag) {
      this.#held = '';
      this.#invents = true;
    } else if (openTag.startsWith(held) || (this.#hasCall && responseTag.startsWith(held))) {
      this.#held = held;
    } else {
      const rest = this.#held === '' ? '' : letter;
      this.#show(rest === '' ? letter : this.#held);
      this.#held = '';
      // The letter that does not continue one tag may begin another.
      if (rest !== '') this.#next(rest);
    }
  }

  #nextOfCall(call: CallText, letter: string): void {
    const end = call.add(letter);
    if (end === undefined) return;
    this.#endCall(end === 'closed');
    // A call inside a call: the model forgot the closing tag.
    if (end === 'nested') this.#call = new CallText();
  }

  #endCall(isClosed: boolean): void {
    const call = this.#call;
    this.#call = undefined;
    if (call === undefined) return;
    this.#pieces.push(call.isTooLong ? { kind: 'refused', why: 'long' } : parsed(call, isClosed));
    this.#isAfterCall = true;
  }

  #show(text: string): void {
    for (const letter of text) this.#code.push(letter);
    const shown = this.#isAfterCall ? text.trimStart() : text;
    if (shown === '') return;
    this.#isAfterCall = false;
    this.#text += shown;
  }

  #flushText(): void {
    if (this.#text !== '') this.#pieces.push({ kind: 'text', text: this.#text });
    this.#text = '';
  }

  #take(): readonly AnswerPiece[] {
    this.#flushText();
    const pieces = this.#pieces;
    this.#pieces = [];
    return pieces;
  }
}

function parsed({ text }: CallText, isClosed: boolean): AnswerPiece {
  const call = parseCall(text, isClosed);
  return 'why' in call ? { kind: 'refused', ...call } : { kind: 'call', ...call };
}

/** The text of a call, up to a tag outside of its strings. */
class CallText {
  text = '';
  isTooLong = false;
  #inString = false;
  #isEscaped = false;
  #tag = '';

  /** Returns how the call ended, if it did. */
  add(letter: string): 'closed' | 'nested' | undefined {
    if (!this.#inString && (letter === '<' || this.#tag !== '')) {
      const tag = letter === '<' ? '<' : this.#tag + letter;
      if (tag === closeTag) return 'closed';
      if (tag === openTag) return 'nested';
      if (letter === '<') this.#keep(this.#tag);
      if (closeTag.startsWith(tag) || openTag.startsWith(tag)) {
        this.#tag = tag;
        return undefined;
      }
      this.#tag = '';
      this.#keep(tag);
      return undefined;
    }
    this.#keep(letter);
    return undefined;
  }

  #keep(text: string): void {
    for (const letter of text) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (letter === '\\') this.#isEscaped = this.#inString;
      else if (letter === '"') this.#inString = !this.#inString;
    }
    if (this.text.length + text.length <= maxCallLength) this.text += text;
    else this.isTooLong = true;
  }
}

/** Follows Markdown's code: fenced blocks, and backticks in one line. */
class CodeTracker {
  #line = '';
  #fence: string | undefined;
  /** The backticks that opened code in this line. */
  #inline = 0;
  #run = 0;

  /** Whether this character, which comes next, is in code. */
  isCodeAt(letter: string): boolean {
    if (letter !== '`') this.#endRun();
    return this.#fence !== undefined || this.#inline > 0;
  }

  push(letter: string): void {
    if (letter === '\n') this.#endLine();
    else {
      // A fence is at the beginning, so the rest of a long line is not needed.
      if (this.#line.length < 200) this.#line += letter;
      this.#countBackticks(letter);
    }
  }

  #countBackticks(letter: string): void {
    if (letter === '`') this.#run += 1;
    else this.#endRun();
  }

  /** A row of backticks opens code, or closes it if it is as long as the opening one. */
  #endRun(): void {
    if (this.#run === 0) return;
    if (this.#inline === 0) this.#inline = this.#run;
    else if (this.#inline === this.#run) this.#inline = 0;
    this.#run = 0;
  }

  #endLine(): void {
    const mark = /^[\s>]*(?<mark>`{3,}|~{3,})(?<rest>.*)$/u.exec(this.#line)?.groups;
    const { mark: fence = '', rest = '' } = mark ?? {};
    if (this.#fence === undefined) {
      if (fence !== '' && !(fence.startsWith('`') && rest.includes('`'))) this.#fence = fence;
    } else if (fence.startsWith(this.#fence) && rest.trim() === '') this.#fence = undefined;
    this.#line = '';
    this.#inline = 0;
    this.#run = 0;
  }
}
