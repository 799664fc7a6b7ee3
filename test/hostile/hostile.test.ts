import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { seeded } from '../fakes/seeded.ts';
import { feed, type EntryPoint } from './entry-point.ts';
import { soundEntryPoints } from './entry-points/sound-entry-points.ts';
import { mutateBytes } from './mutate-bytes.ts';
import { isDefaultTier } from '../set-up/test-tiers.ts';
import { reportMeasurement } from '../set-up/report-measurement.ts';
import { mutateFrame } from '../unit/shared/protocol/mutate-frame.ts';
import {
  backtrackingTexts,
  jsonTexts,
  breakingTexts,
  placedIn,
  shareOfTexts,
} from './hostile-texts.ts';
import { textEntryPoints } from './entry-points/text-entry-points.ts';
import { loadSpecs } from '../../electron/hosts/terminal/command-table.ts';
import { UsageError, readArguments } from '../../electron/hosts/terminal/terminal-command.ts';
import { crc32 } from 'node:zlib';
import { Attachments, MediaCache } from '../../electron/chat/attachments.ts';
import { PictureThread } from '../../electron/platform/pictures/picture-thread.ts';
import { createFrames, createPictures } from '../../electron/platform/pictures/pictures.ts';

const [width, height] = [40, 24];

function noisy(channels: 3 | 4) {
  const random = seeded(5);
  const pixels = Uint8Array.from({ length: width * height * channels }, () => random() * 256);
  return sharp(pixels, { raw: { width, height, channels } });
}

const jpegs: readonly Uint8Array[] = await Promise.all([
  noisy(3).jpeg().toBuffer(),
  noisy(3).jpeg({ progressive: true }).withMetadata({ orientation: 6 }).toBuffer(),
]);
const pngs: readonly Uint8Array[] = await Promise.all([
  noisy(4).png().toBuffer(),
  noisy(3).png({ palette: true, progressive: true }).toBuffer(),
  noisy(3).toColourspace('rgb16').png().toBuffer(),
]);
const webps: readonly Uint8Array[] = await Promise.all([
  noisy(4).webp().toBuffer(),
  noisy(3).webp({ lossless: true }).withMetadata({ orientation: 3 }).toBuffer(),
]);

const pictures = createPictures(new PictureThread());
const frames = createFrames(new PictureThread());

/** Reads a picture like a file dropped on the page, and like the gateway reads one it receives. */
async function openGiven(file: Uint8Array): Promise<unknown> {
  const attachments = new Attachments({ pictures, media: new MediaCache(), random: seeded(1) });
  return [await attachments.addFile('picture', file), await pictures.measure(file)];
}

/** Reads a picture like a camera's frame on its way to the model. */
const openFrame = (file: Uint8Array): Promise<unknown> =>
  frames.prepare(file, ({ width, height }) => ({
    crop: undefined,
    width: Math.min(width, 448),
    height: Math.min(height, 448),
  }));

/** Repairs the checksums of a PNG's chunks, without which decoders stop early. */
function withPngChecks(file: Uint8Array): Uint8Array {
  const png = Buffer.from(file);
  for (let at = 8; at + 12 <= png.length;) {
    const end = at + 8 + png.readUInt32BE(at);
    if (end + 4 > png.length) break;
    png.writeUInt32BE(crc32(png.subarray(at + 4, end)), end);
    at = end + 4;
  }
  return png;
}

const pictureEntryPoints: readonly EntryPoint<Uint8Array>[] = [
  { name: 'JPEGs', samples: jpegs, open: openGiven },
  { name: 'frames of a camera', samples: jpegs, open: openFrame },
  { name: 'PNGs', samples: pngs, open: openGiven },
  {
    name: 'PNGs with right checks',
    samples: pngs,
    open: (file) => openGiven(withPngChecks(file)),
  },
  { name: 'WebPs', samples: webps, open: openGiven },
];

/** Multiplies the number of inputs; `PARLEY_HOSTILE=20` takes minutes. */
const times = Number(process.env['PARLEY_HOSTILE'] ?? (isDefaultTier ? 0.1 : 1));
/** Random in every run; a failing test names it in its title. */
const seed = Math.floor(Math.random() * 1_000_000);
const timeout = 60_000 + times * 60_000;
/** Covers decoders' caches and uncollected garbage; a leak of one picture per decode would exceed it. */
const maxMegabytes = 400;

/** Pictures and voices take ten times as long as the other kinds of bytes, so they get fewer inputs. */
const entryPoints = [
  ...pictureEntryPoints.map((entryPoint) => ({ entryPoint, count: 200 })),
  ...soundEntryPoints.map((entryPoint) => ({
    entryPoint,
    count: entryPoint.name === 'voices' ? 100 : 500,
  })),
];

describe('corrupted bytes', () => {
  it.each(
    entryPoints.map(({ entryPoint, count }) => ({ name: entryPoint.name, entryPoint, count })),
  )(
    `are accepted or refused with a message: $name (seed ${seed})`,
    { timeout },
    async ({ entryPoint, count }) => {
      const random = seeded(seed);
      const any = (): Uint8Array =>
        entryPoint.samples[Math.floor(random() * entryPoint.samples.length)] ?? new Uint8Array();
      const verdicts = [];
      for (const sample of entryPoint.samples) verdicts.push(await feed(entryPoint, sample));
      // An entry point that refuses everything would prove nothing. Corrupted PNGs may all be unreadable.
      expect(verdicts).toContain('accepted');
      const before = process.memoryUsage().rss;
      const found = { accepted: 0, refused: 0 };
      for (let n = 0; n < count * times; n += 1) {
        const bytes = mutateBytes(any(), random, any());
        try {
          found[await feed(entryPoint, bytes)] += 1;
        } catch (error) {
          expect.fail(`${Buffer.from(bytes).toString('base64')}\n${String(error)}`);
        }
      }
      const megabytes = Math.round((process.memoryUsage().rss - before) / 1_000_000);
      reportMeasurement(
        `${entryPoint.name}: ${found.accepted} accepted, ${found.refused} refused, ${megabytes} MB more`,
      );
      expect(megabytes).toBeLessThan(maxMegabytes);
    },
  );
});

const mutations = 300;

function* hostileTo(entryPoint: EntryPoint, random: () => number): Generator<string> {
  const sample = (): string =>
    entryPoint.samples[Math.floor(random() * entryPoint.samples.length)] ?? '';
  yield* entryPoint.samples;
  for (const text of [...jsonTexts, ...breakingTexts, ...backtrackingTexts])
    if (random() < shareOfTexts) yield text;
  for (const text of breakingTexts) if (random() < shareOfTexts) yield JSON.stringify(text);
  for (let round = 0; round < times; round += 1) {
    for (const text of jsonTexts)
      if (random() < shareOfTexts) yield placedIn(sample(), text, random);
    for (const text of breakingTexts)
      if (random() < shareOfTexts) yield placedIn(sample(), JSON.stringify(text), random);
    for (let n = 0; n < mutations * shareOfTexts; n += 1) yield mutated(sample(), random);
  }
}

/** Mutates JSON objects by value and other texts by byte. */
function mutated(sample: string, random: () => number): string {
  if (sample.startsWith('{')) return mutateFrame(sample.trimEnd(), random);
  const at = Math.floor(random() * sample.length);
  return sample.slice(0, at) + String.fromCharCode(random() * 65_536) + sample.slice(at + 1);
}

describe('hostile text', () => {
  it.each(textEntryPoints)(
    `is accepted or refused with a message: $name (seed ${seed})`,
    { timeout },
    async (entryPoint) => {
      const random = seeded(seed);
      const found = { accepted: 0, refused: 0 };
      for (const text of hostileTo(entryPoint, random)) {
        try {
          found[await feed(entryPoint, text)] += 1;
        } catch (error) {
          expect.fail(`${JSON.stringify(text).slice(0, 2000)}\n${String(error)}`);
        }
      }
      reportMeasurement(`${entryPoint.name}: ${found.accepted} accepted, ${found.refused} refused`);
      expect(found.accepted + found.refused).toBeGreaterThan(2000 * shareOfTexts);
    },
  );

  it(
    `is accepted or refused with a message: the command line (seed ${seed})`,
    { timeout },
    async () => {
      const random = seeded(seed);
      const verdicts = new Set<string>();
      for (const text of breakingTexts.filter(() => random() < shareOfTexts))
        verdicts.add(await feed(commandEntryPoint, text));
      expect([...verdicts]).toContain('accepted');
    },
  );
});

const { own, remote } = await loadSpecs();
const specs = [...own, ...remote];

/** Parses each command's arguments with the text as an argument, as an option, and as each option's value. */
export const commandEntryPoint: EntryPoint = {
  name: 'the command line',
  samples: ['hello', '--url', '--json'],
  open: (text) => {
    const read: unknown[] = [];
    let refused: UsageError | undefined;
    for (const spec of specs) {
      const options = Object.keys(spec.options).map((name) => [`--${name}=${text}`]);
      for (const args of [[text], [`--${text}`], ['--', text], ...options]) {
        try {
          read.push(readArguments(spec, args));
        } catch (error) {
          if (!(error instanceof UsageError)) throw error;
          refused = error;
        }
      }
    }
    if (read.length === 0 && refused !== undefined) throw refused;
    return read.length;
  },
};
