/** A stub of npm: installs a tiny node_modules. STUB_NPM: `fail`, `offline`, `hang` half-way, or `no-binding`. */
export const npmStub = `
const { appendFileSync, cpSync, mkdirSync, rmSync, writeFileSync } = require('node:fs');
const { dirname } = require('node:path');
const put = (file, text) => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
};
appendFileSync('npm-calls', process.argv.slice(2).join(' ') + ' nodedir=' + process.env.npm_config_nodedir + '\\n');
const how = process.env.STUB_NPM;
if (how === 'fail') {
  console.error('npm error code EWEIRD\\nnpm error The moon is in the way.\\n    at moon (npm.js:1:1)');
  process.exit(7);
}
if (how === 'offline') {
  console.error('npm error code ENOTFOUND\\nnpm error network request to somewhere failed');
  process.exit(1);
}
rmSync('node_modules', { recursive: true, force: true });
const { packages } = JSON.parse(require('node:fs').readFileSync('package-lock.json', 'utf8'));
for (const folder of Object.keys(packages)) put(folder + '/package.json', '{}');
if (how === 'hang') {
  console.error('half-way');
  writeFileSync('npm-pid', String(process.pid));
  setInterval(() => {}, 1000);
} else {
  if (how !== 'no-binding') put('node_modules/naudiodon/build/Release/naudiodon.node', 'binding');
  put('node_modules/parley-sound/build/Release/parley_sound.node', 'sound');
  put('node_modules/electron-vite/package.json', '{"type":"commonjs"}');
  put('node_modules/electron-builder/package.json', '{"type":"commonjs"}');
  mkdirSync('node_modules/electron-vite/bin');
  cpSync('npm/electron-vite.js', 'node_modules/electron-vite/bin/electron-vite.js');
  cpSync('npm/cli.js', 'node_modules/electron-builder/cli.js');
  put('node_modules/electron/install.js', 'console.error("TypeError: fetch failed"); process.exit(1);');
  put('node_modules/.package-lock.json', JSON.stringify({ packages }));
}
`;

/** A stub of electron-vite: writes all outputs. STUB_BUILD: `fail` with a syntax error, or `short` without cli.js. */
export const electronViteStub = `
const { appendFileSync, mkdirSync, writeFileSync } = require('node:fs');
appendFileSync('builds', 'x');
if (process.env.STUB_BUILD === 'fail') {
  console.error('error during build:\\nError: electron/main.ts:1:7 Unexpected token\\n    at parse (parser.js:1:1)');
  process.exit(1);
}
const host = (name) => 'console.log("' + name + ' " + process.argv.slice(2).join(" "));';
for (const folder of ['main', 'preload', 'renderer']) mkdirSync('out/' + folder, { recursive: true });
writeFileSync('out/main/main.js', '');
writeFileSync('out/main/picture-worker.js', '');
writeFileSync('out/main/key-helper.js', '');
writeFileSync('out/main/probe-sound.js', '');
writeFileSync('out/main/browser.js', host('BROWSER') + 'if (process.env.STUB_HOST === "stay") setInterval(() => {}, 1000); else process.exitCode = Number(process.env.STUB_HOST ?? 0);');
if (process.env.STUB_BUILD !== 'short') writeFileSync('out/main/cli.js', host('CLI'));
writeFileSync('out/preload/preload.cjs', '');
writeFileSync('out/renderer/index.html', '');
`;

/** A stub of electron-builder. STUB_BUILDER: `fail`. */
export const builderStub = `
if (process.env.STUB_BUILDER === 'fail') {
  console.error('  ⨯ cannot find the icon.  failedTask=build stackTrace=Error: no\\n    at pack (p.js:1:1)');
  process.exit(1);
}
console.log(process.argv.slice(2).join(' '));
require('node:fs').writeFileSync('builder-args', process.argv.slice(2).join(' '));
console.log('  • packaging       platform=linux arch=x64 electron=1.0.0 appOutDir=release/linux-unpacked');
`;
