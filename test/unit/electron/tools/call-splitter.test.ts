import { describe, expect, it } from 'vitest';
import { CallSplitter } from '../../../../electron/tools/call-splitter.ts';
import { collectPieces, type SplitAnswer, splitGeneratedAnswers } from './generated-answers.ts';

function split(...deltas: readonly string[]): SplitAnswer {
  const splitter = new CallSplitter();
  return collectPieces([...deltas.flatMap((delta) => splitter.push(delta)), ...splitter.end()]);
}

const add = '{"name":"add","arguments":{"a":1}}';
const added = JSON.stringify(['add', { a: 1 }]);
const callOf = (json: string): string => `<tool_call>\n${json}\n</tool_call>`;

describe('the call splitter', () => {
  it('separates text from calls', () => {
    expect(split(`I add.\n${callOf(add)}\n${callOf(add)}\nDone.`)).toEqual({
      text: 'I add.\nDone.',
      calls: [added, added],
    });
  });

  it('shows the start of a tag as soon as it turns out to be text', () => {
    const splitter = new CallSplitter();
    expect(splitter.push('a <tool_ca')).toEqual([{ kind: 'text', text: 'a ' }]);
    expect(splitter.push('ke> <')).toEqual([{ kind: 'text', text: '<tool_cake> ' }]);
    expect(splitter.push('<tool_call>')).toEqual([{ kind: 'text', text: '<' }]);
  });

  it.each([
    ['a fence', `\`\`\`xml\n${callOf(add)}\n\`\`\`\nend`],
    ['a longer fence', `\`\`\`\`\n\`\`\`\n${callOf(add)}\n\`\`\`\`\nend`],
    ['tildes', `~~~\n${callOf(add)}\n~~~\nend`],
    ['a quoted fence', `> \`\`\`\n> ${add} <tool_call>\n> \`\`\`\nend`],
    ['backticks', `Write \`<tool_call>${add}</tool_call>\` to call.`],
    ['two backticks', `Write \`\`a \` <tool_call>${add}</tool_call>\`\` to call.`],
  ])('leaves a call in %s as text', (_name, text) => {
    expect(split(text)).toEqual({ text, calls: [] });
  });

  it('finds a call after a code block and after code in a line', () => {
    expect(split(`\`\`\`\n1\n\`\`\`\n${callOf(add)}`).calls).toEqual([added]);
    expect(split(`Use \`a\`<tool_call>${add}</tool_call>`).calls).toEqual([added]);
    expect(split(`It's 5 o\`clock\n${callOf(add)}`).calls).toEqual([added]);
  });

  it.each([
    ['a code block between the tags', callOf(`\`\`\`json\n${add}\n\`\`\``), added],
    ['a missing bracket', callOf(add.slice(0, -1)), added],
    ['a missing tag at the end', `<tool_call>${add}`, added],
    ['a missing tag before another call', `<tool_call>${add}${callOf(add)}`, `${added},${added}`],
    ['no arguments', callOf('{"name":"now"}'), JSON.stringify(['now', {}])],
    [
      'tags in a string',
      callOf('{"name":"say","arguments":{"text":"</tool_call>\\" <tool_call>"}}'),
      JSON.stringify(['say', { text: '</tool_call>" <tool_call>' }]),
    ],
  ])('accepts %s', (_name, text, calls) => {
    const answer = split(text);
    expect([answer.text, answer.calls.join(',')]).toEqual(['', calls]);
  });

  it.each([
    ['two missing brackets', callOf(add.slice(0, -2)), 'broken'],
    ['a missing bracket and a missing tag', `<tool_call>${add.slice(0, -1)}`, 'unfinished'],
    ['an open string', '<tool_call>{"name":"a","arguments":{"b":"c', 'unfinished'],
    ['no JSON', callOf('add(1, 2)'), 'broken'],
    ['a list', callOf(`[${add}]`), 'broken'],
    ['no name', callOf('{"arguments":{}}'), 'broken'],
    ['arguments as a text', callOf('{"name":"a","arguments":"{}"}'), 'broken'],
    ['a call of a megabyte', callOf(`{"name":"${'a'.repeat(1_000_000)}"}`), 'long'],
  ])('refuses %s and shows none of it', (_name, text, why) => {
    expect(split(text)).toEqual({ text: '', calls: [why] });
  });

  it('ignores a response that the model invents after its call', () => {
    const invented = '\n<tool_response>\n{"sum": 3}\n</tool_response>\nIt is 3.';
    expect(split(callOf(add) + invented)).toEqual({ text: '', calls: [added] });
    expect(split(`The tag ${invented}`).text).toBe(`The tag ${invented}`);
  });
});

describe('generated answers', () => {
  it('show no call and call no text, wherever they are cut', () => {
    expect(splitGeneratedAnswers(300)).toBeGreaterThan(250);
  });
});
