#!/usr/bin/env node
await import('./require-node.cjs');

// Everything else is loaded after it, so that an unsupported Node gets as far as its sentence.
const { main } = await import('./lib/main.mjs');

await main(async () => {
  const { pathToFileURL } = await import('node:url');
  const { inRoot } = await import('./lib/root.mjs');
  const { prepare } = await import('./lib/prepare.mjs');
  // When nothing has changed this only looks, which takes less time than starting Node did.
  await prepare();
  await import(pathToFileURL(inRoot('out', 'main', 'cli.js')).href);
});
