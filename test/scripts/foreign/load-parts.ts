/** For a Node of another kind of processor: loads every native part of the tree it is given, and says what came of it. */
export const loadParts = `
const { createRequire } = require('node:module');
const load = createRequire(process.argv[1] + '/package.json');
async function parts() {
  const naudiodon = load('naudiodon');
  const sound = load('parley-sound');
  const vips = await load('wasm-vips')({ dynamicLibraries: [] });
  const copies = [];
  for (let copy = 0; copy < sound.copies; copy += 1) {
    copies.push((await sound.initialize(copy)).length);
    await sound.terminate(copy);
  }
  const picture = vips.Image.black(32, 24).jpegsaveBuffer();
  return {
    architecture: process.arch,
    hosts: naudiodon.getHostAPIs().HostAPIs.map(({ name }) => name),
    copies,
    picture: [picture[0], picture[1]],
    keys: typeof load('uiohook-napi').uIOhook.start,
  };
}
// What the addon does in threads of its own keeps no process alive.
const alive = setInterval(() => {}, 1000);
parts()
  .then((said) => process.stdout.write('parts ' + JSON.stringify(said) + '\\n'))
  .finally(() => clearInterval(alive));
`;
