/* oxlint-disable typescript/no-unsafe-assignment, typescript/no-unsafe-call, typescript/no-unsafe-member-access, typescript/no-unsafe-argument, typescript/no-unsafe-return -- messages of any form are its point */
// A server of the Model Context Protocol. Each tool answers with a message of another shape, just under 512 KiB except
// for `small`.
import { createInterface } from 'node:readline';

const maxChars = 512 * 1024 - 2000;

const contents = {
  small: () => [{ type: 'text', text: 'x' }],
  text: () => [{ type: 'text', text: 'x'.repeat(maxChars) }],
  chinese: () => [{ type: 'text', text: '灯塔'.repeat(maxChars / 6) }],
  parts: () => repeated({ type: 'text', text: 'x' }),
  nested: () => [{ type: 'text', text: 'x', _meta: { list: repeated({ a: [1, { b: [2] }] }) } }],
};

function repeated(part) {
  return Array.from(
    { length: Math.floor(maxChars / (JSON.stringify(part).length + 1)) },
    () => part,
  );
}

const lines = new Map(
  Object.entries(contents).map(([name, make]) => [name, JSON.stringify({ content: make() })]),
);

const send = (id, result) =>
  process.stdout.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}\n`);

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') {
    const serverInfo = { name: 'large', version: '1' };
    const capabilities = { tools: {} };
    send(id, JSON.stringify({ protocolVersion: '2025-06-18', capabilities, serverInfo }));
  } else if (method === 'tools/call') send(id, lines.get(params.name));
});
