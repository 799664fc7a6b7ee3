#!/usr/bin/env node
await import('./require-node.cjs');

// Everything else is loaded later, so that an unsupported Node can print its message.
const { main } = await import('./lib/main.mjs');

await main(async () => {
  const { pathToFileURL } = await import('node:url');
  const { inRoot } = await import('./lib/root.mjs');
  const { prepare } = await import('./lib/prepare.mjs');
  await prepare();
  await import(pathToFileURL(inRoot('out', 'main', 'cli.js')).href);
});
