import { generateKeyPairSync } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { main } from './lib/main.mjs';
import { parseOptions } from './lib/options.mjs';
import { inRoot } from './lib/root.mjs';
import { say } from './lib/say.mjs';
import { Stop, wrongUsage } from './lib/stop.mjs';
import { readManifest } from './package/load-product.mjs';
import { releaseNotes } from './package/release-notes.mjs';
import { feedKinds, makeFeed, signFeed } from './package/update-feed.mjs';

const usage = [
  'node scripts/sign-feed.mjs key FILE',
  '  makes a key pair: writes the private key to FILE and prints the public key, the PARLEY_UPDATE_KEY of a build.',
  'node scripts/sign-feed.mjs FOLDER [--share 20] [--days 180] [--notes zh=FILE]…',
  '  writes the feeds of the packages in FOLDER and signs them with PARLEY_UPDATE_SIGNING_KEY (the contents of that FILE).',
].join('\n');

const usageError = () => new Stop(usage, wrongUsage);

/** @param {string} file */
const makeKey = (file) => {
  if (existsSync(file))
    throw new Stop(`${file} exists. Choose another file, because a key must not be overwritten.`);
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const secret = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
  writeFileSync(file, `${secret}\n`, { mode: 0o600, flag: 'wx' });
  process.stdout.write(`${publicKey.export({ format: 'der', type: 'spki' }).toString('base64')}\n`);
};

/** @param {string} text @param {number} min @param {number} max */
const parseNumber = (text, min, max) => {
  const number = Number(text);
  if (text.trim() === '' || !(number >= min && number <= max)) throw usageError();
  return number;
};

/** Maximum length of the notes in each language. */
const maxNotesCharacters = 4000;

/** @param {readonly string[]} options such as `zh=FILE` @param {string} version */
const readNotes = (options, version) => {
  const files = options.map((option) => /^([a-z]{2,3})=(.+)$/.exec(option));
  const notes = files.map((match) => {
    if (match === null) throw usageError();
    const [, language = '', file = ''] = match;
    if (!existsSync(file)) throw new Stop(`The notes ${file} do not exist.`);
    return [language, readFileSync(file, 'utf8').trim().slice(0, maxNotesCharacters)];
  });
  /** @type {Readonly<Record<string, string>>} */
  const translated = Object.fromEntries(notes);
  return { en: readChanges(version).slice(0, maxNotesCharacters), ...translated };
};

/** @param {string} version whose changelog section, or else the unreleased one, becomes the notes */
const readChanges = (version) =>
  (releaseNotes(readFileSync(inRoot('CHANGELOG.md'), 'utf8'), version) ?? '')
    // The window shows plain text, so Markdown's marks are removed.
    .replaceAll(/^### |\*\*/gm, '')
    .trim();

await main(async () => {
  const { values, positionals } = parseOptions(usage, {
    allowPositionals: true,
    options: {
      share: { type: 'string', default: '100' },
      days: { type: 'string', default: '180' },
      notes: { type: 'string', multiple: true, default: [] },
    },
  });
  const [first, second, ...more] = positionals;
  if (first === undefined || more.length > 0) throw usageError();
  if (first === 'key' && second !== undefined) return makeKey(second);
  if (second !== undefined) throw usageError();
  const key = process.env['PARLEY_UPDATE_SIGNING_KEY'] ?? '';
  if (key === '')
    throw new Stop(
      'PARLEY_UPDATE_SIGNING_KEY is not set. Set it to the private key that signs the feeds.',
    );
  if (!existsSync(first)) throw new Stop(`The folder ${first} does not exist.`);
  const { version } = readManifest();
  const notes = readNotes(values.notes, version);
  const share = parseNumber(values.share, 0, 100);
  const days = parseNumber(values.days, 1, 3650);
  const written = [];
  for (const { feed, files } of feedKinds) {
    const issued = new Date();
    const text = await makeFeed({ folder: first, version, files, notes, share, issued, days });
    if (text === undefined) continue;
    writeFileSync(join(first, feed), text);
    writeFileSync(join(first, `${feed}.sig`), signFeed(text, key));
    written.push(feed);
  }
  if (written.length === 0)
    throw new Stop(
      `${first} contains no package of Parley ${version}. Pack it first with npm run dist.`,
    );
  say(`Signed: ${written.join(', ')}`);
});
