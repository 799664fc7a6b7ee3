import { compileParts } from './native/compile-parts.mjs';
import { isArchitecture, nativeTarget } from './native/native-target.mjs';
import { foreignTree } from './native/foreign-tree.mjs';
import { main } from './lib/main.mjs';
import { prepare } from './lib/prepare.mjs';
import { inRoot } from './lib/root.mjs';
import { say } from './lib/say.mjs';
import { Stop, WRONG_USAGE } from './lib/stop.mjs';

// `npm run native` compiles what is native for this machine, after `npm ci --ignore-scripts`: naudiodon's own script fails
// where it brings no PortAudio for. `npm run native -- arm64` does it for that processor, in a folder beside.
await main(async () => {
  const [wanted = process.arch] = process.argv.slice(2);
  if (!isArchitecture(wanted)) {
    throw new Stop(`Parley is made for x64 and arm64, not for ${wanted}.`, WRONG_USAGE);
  }
  const target = nativeTarget(wanted);
  if ('reason' in target)
    throw new Stop(`${wanted} cannot be compiled for here: ${target.reason}.`);
  say(`Compiling native parts for ${target.platform} on ${wanted}…`);
  if (target.foreign) {
    await prepare();
    return say(`Compiled in ${await foreignTree(target)}`);
  }
  const work = inRoot('node_modules', '.cache', 'parley-native');
  await compileParts({ modules: inRoot('node_modules'), target, work });
});
