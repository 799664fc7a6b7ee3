import { type AnswerPiece, CallSplitter } from '../../../../electron/tools/call-splitter.ts';
import { seeded } from '../../../fakes/seeded.ts';

export interface SplitAnswer {
  readonly text: string;
  /** Calls as JSON, and refusals by their reason. */
  readonly calls: readonly string[];
}

export function collectPieces(pieces: readonly AnswerPiece[]): SplitAnswer {
  return {
    text: pieces.map((piece) => (piece.kind === 'text' ? piece.text : '')).join(''),
    calls: pieces.flatMap((piece) => {
      if (piece.kind === 'text') return [];
      return piece.kind === 'call' ? JSON.stringify([piece.name, piece.args]) : piece.why;
    }),
  };
}

const callOf = (json: string): string => `<tool_call>\n${json}\n</tool_call>`;

/** An answer of text, code and calls, with what is to be shown and called. */
function generateStream(random: () => number): SplitAnswer & { readonly stream: string } {
  const pick = <Item>(items: readonly Item[]): Item =>
    items[Math.floor(random() * items.length)] as Item;
  const words = [
    'Hello',
    '中文',
    '<b>',
    '<tool',
    '</tool_call',
    '"',
    '{',
    '}',
    '🙂',
    '<',
    '\\',
    '.',
  ];
  const texts = ['</tool_call>', '<tool_call>', '```', '"', '\\', '{[', ']}', '\n', '中', 'a b'];
  const sentence = () =>
    Array.from({ length: 1 + Math.floor(random() * 4) }, () => pick(words)).join(' ');
  const newCall = () => {
    const args = Object.fromEntries(
      Array.from({ length: Math.floor(random() * 3) }, (_, index) => [
        `k${index}`,
        pick([pick(texts) + pick(texts), 3, true, null, [1, pick(texts)], { x: pick(texts) }]),
      ]),
    );
    return { name: pick(['a', 'read_file', '时间']), arguments: args };
  };
  let [stream, text] = ['', ''];
  const calls: string[] = [];
  let afterCall = false;
  const show = (shown: string): void => {
    stream += shown;
    text += afterCall ? shown.trimStart() : shown;
    if (shown.trim() !== '') afterCall = false;
  };
  for (let part = 0; part < 1 + random() * 4; part += 1) {
    const made = newCall();
    const json = JSON.stringify(made, undefined, pick([0, 2]));
    const kind = pick(['text', 'text', 'fence', 'inline', 'call', 'call', 'bare', 'short', 'bad']);
    if (kind === 'text') show(`${sentence()}\n`);
    else if (kind === 'inline') show(`\`<tool_call>${pick(['x', '{"name":"a"}'])}</tool_call>\`\n`);
    else if (kind === 'fence') show(`\`\`\`\n<tool_call>\n${pick(words)}\n</tool_call>\n\`\`\`\n`);
    else {
      const short = json.slice(0, -1);
      const body = kind === 'short' ? short : kind === 'bad' ? `${json},` : json;
      stream +=
        kind === 'bare' ? `<tool_call>\`\`\`json\n${json}\n\`\`\`</tool_call>` : callOf(body);
      calls.push(kind === 'bad' ? 'broken' : JSON.stringify([made.name, made.arguments]));
      afterCall = true;
    }
  }
  return { stream, text, calls };
}

/** Splits answers one character at a time, which cuts each of them everywhere. Returns the number of calls. */
export function splitGeneratedAnswers(count: number): number {
  const random = seeded(42);
  let called = 0;
  for (let number = 0; number < count; number += 1) {
    const { stream, text, calls } = generateStream(random);
    const splitter = new CallSplitter();
    let shown = '';
    const found: string[] = [];
    const add = (pieces: readonly AnswerPiece[]): void => {
      if (pieces.length === 0) return;
      const part = collectPieces(pieces);
      shown += part.text;
      found.push(...part.calls);
      // Later text cannot take back what is on the screen.
      if (!text.startsWith(shown)) throw new Error(`shows ${shown} of ${stream}`);
    };
    for (const letter of stream) add(splitter.push(letter));
    add(splitter.end());
    if (shown !== text || found.join() !== calls.join())
      throw new Error(JSON.stringify({ stream, text, calls, shown, found }, undefined, 1));
    called += calls.length;
  }
  return called;
}
