import { generateKeyPairSync } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { main } from './lib/main.mjs';
import { inRoot } from './lib/root.mjs';
import { say } from './lib/say.mjs';
import { Stop, WRONG_USAGE } from './lib/stop.mjs';
import { readManifest } from './package/load-product.mjs';
import { feedKinds, makeFeed, signFeed } from './package/update-feed.mjs';

const usage = [
  'node scripts/sign-feed.mjs key FILE',
  '  makes a key: the secret half into FILE, the public half is said; it is PARLEY_UPDATE_KEY of a build.',
  'node scripts/sign-feed.mjs FOLDER [--share 20] [--days 180] [--notes zh=FILE]…',
  '  writes the feeds of the packages in FOLDER, signed with PARLEY_UPDATE_SIGNING_KEY (what is in that file).',
].join('\n');

const wrongUsage = () => new Stop(usage, WRONG_USAGE);

/** @param {string} file */
const makeKey = (file) => {
  if (existsSync(file)) throw new Stop(`${file} is there already, and a key is not overwritten.`);
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const secret = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
  writeFileSync(file, `${secret}\n`, { mode: 0o600, flag: 'wx' });
  process.stdout.write(`${publicKey.export({ format: 'der', type: 'spki' }).toString('base64')}\n`);
};

/** @param {string} text @param {number} least @param {number} most */
const numberIn = (text, least, most) => {
  const number = Number(text);
  if (text.trim() === '' || !(number >= least && number <= most)) throw wrongUsage();
  return number;
};

/** The feed takes so many letters of each language. */
const maxLetters = 4000;

/** @param {readonly string[]} given @param {string} version */
const readNotes = (given, version) => {
  const files = given.map((each) => /^([a-z]{2,3})=(.+)$/.exec(each));
  const notes = files.map((match) => {
    if (match === null) throw wrongUsage();
    const [, language = '', file = ''] = match;
    if (!existsSync(file)) throw new Stop(`There are no notes at ${file}.`);
    return [language, readFileSync(file, 'utf8').trim().slice(0, maxLetters)];
  });
  /** @type {Readonly<Record<string, string>>} */
  const translated = Object.fromEntries(notes);
  return { en: changesOf(version).slice(0, maxLetters), ...translated };
};

/** @param {string} version what the changelog says of it, or of what is not released yet */
const changesOf = (version) => {
  const parts = readFileSync(inRoot('CHANGELOG.md'), 'utf8').split(/^## /m).slice(1);
  const own = parts.find((part) => part.startsWith(version)) ?? parts[0] ?? '';
  // The window shows it as it is, without the marks of Markdown.
  return own
    .slice(own.indexOf('\n'))
    .replaceAll(/^### |\*\*/gm, '')
    .trim();
};

await main(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      share: { type: 'string', default: '100' },
      days: { type: 'string', default: '180' },
      notes: { type: 'string', multiple: true, default: [] },
    },
  });
  const [first, second, ...more] = positionals;
  if (first === undefined || more.length > 0) throw wrongUsage();
  if (first === 'key' && second !== undefined) return makeKey(second);
  if (second !== undefined) throw wrongUsage();
  const key = process.env['PARLEY_UPDATE_SIGNING_KEY'] ?? '';
  if (key === '')
    throw new Stop('PARLEY_UPDATE_SIGNING_KEY is not set: there is nothing to sign with.');
  if (!existsSync(first)) throw new Stop(`There is no folder ${first}.`);
  const { version } = readManifest();
  const notes = readNotes(values.notes, version);
  const share = numberIn(values.share, 0, 100);
  const days = numberIn(values.days, 1, 3650);
  const written = [];
  for (const { feed, files } of feedKinds) {
    const issued = new Date();
    const text = await makeFeed({ folder: first, version, files, notes, share, issued, days });
    if (text === undefined) continue;
    writeFileSync(join(first, feed), text);
    writeFileSync(join(first, `${feed}.sig`), signFeed(text, key));
    written.push(feed);
  }
  if (written.length === 0) throw new Stop(`There is no package of Parley ${version} in ${first}.`);
  say(`Signed: ${written.join(', ')}`);
});
