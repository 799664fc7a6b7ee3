/** Source text for a Node of another architecture: loads every native part of a tree and prints the results as JSON. */
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
// The addon's threads do not keep the process alive.
const alive = setInterval(() => {}, 1000);
parts()
  .then((results) => process.stdout.write('parts ' + JSON.stringify(results) + '\\n'))
  .finally(() => clearInterval(alive));
`;
