import { compileParts } from './native/compile-parts.mjs';
import { isArchitecture, nativeTarget } from './native/native-target.mjs';
import { foreignTree } from './native/foreign-tree.mjs';
import { main } from './lib/main.mjs';
import { prepare } from './lib/prepare.mjs';
import { inRoot } from './lib/root.mjs';
import { say } from './lib/say.mjs';
import { Stop, wrongUsage } from './lib/stop.mjs';

// `npm run native` compiles the native parts for this machine. It needs the installed
// dependencies. Install them with `npm ci --ignore-scripts`, because naudiodon's install script fails on systems for which
// naudiodon ships no PortAudio. `npm run native -- arm64` compiles the parts for
// that processor, in a separate folder.
await main(async () => {
  const [architecture = process.arch] = process.argv.slice(2);
  if (!isArchitecture(architecture)) {
    throw new Stop(`Parley supports x64 and arm64, not ${architecture}.`, wrongUsage);
  }
  const target = nativeTarget(architecture);
  if ('reason' in target)
    throw new Stop(`The native parts cannot be compiled for ${architecture}: ${target.reason}.`);
  say(`Compiling native parts for ${target.platform} on ${architecture}…`);
  if (target.foreign) {
    await prepare();
    return say(`Compiled in ${await foreignTree(target)}`);
  }
  const work = inRoot('node_modules', '.cache', 'parley-native');
  await compileParts({ modules: inRoot('node_modules'), target, work });
});
