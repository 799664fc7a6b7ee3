import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../lib/run.mjs';
import { Stop } from '../lib/stop.mjs';

/** The release that naudiodon's own libraries are built of, so that it is one PortAudio on every system. */
const sources = {
  version: '19.6.0',
  sha256: 'f5a21d7dcd6ee84397446fa1fa1a0675bb2e8a4a6dceb4305a8404698d8d1513',
  places: [
    'https://files.portaudio.com/archives/pa_stable_v190600_20161030.tgz',
    'https://deb.debian.org/debian/pool/main/p/portaudio19/portaudio19_19.6.0.orig.tar.gz',
    'http://deb.debian.org/debian/pool/main/p/portaudio19/portaudio19_19.6.0.orig.tar.gz',
  ],
};

/** @param {Uint8Array} bytes */
const isIt = (bytes) => createHash('sha256').update(bytes).digest('hex') === sources.sha256;

/** @returns {Promise<Uint8Array>} */
const fetched = async () => {
  const given = process.env['PARLEY_PORTAUDIO_SOURCES'] ?? '';
  if (given !== '') {
    const bytes = existsSync(given) ? readFileSync(given) : undefined;
    if (bytes !== undefined && isIt(bytes)) return bytes;
    throw new Stop(
      `PARLEY_PORTAUDIO_SOURCES=${given} is not the archive of PortAudio ${sources.version}: correct it or unset it.`,
    );
  }
  for (const place of sources.places) {
    try {
      const answer = await fetch(place, { signal: AbortSignal.timeout(60_000) });
      const bytes = new Uint8Array(await answer.arrayBuffer());
      if (isIt(bytes)) return bytes;
    } catch {
      // The next place may answer.
    }
  }
  throw new Stop(
    `The sources of PortAudio ${sources.version} could not be had: check the connection, or point PARLEY_PORTAUDIO_SOURCES at their archive.`,
  );
};

/**
 * PortAudio's sources, for kinds of processor that naudiodon brings no library for.
 * @param {string} work a folder of ours, in which they stay for the next time
 * @returns {Promise<string>} their folder
 */
export const portAudioSources = async (work) => {
  const folder = join(work, `portaudio-${sources.version}`);
  if (existsSync(folder)) return folder;
  const archive = join(work, 'portaudio.tar.gz');
  const half = `${folder}.half`;
  rmSync(half, { recursive: true, force: true });
  mkdirSync(half, { recursive: true });
  writeFileSync(archive, await fetched());
  const { code, output } = await run('tar', ['-xzf', archive, '-C', half, '--strip-components=1']);
  if (code !== 0) throw new Stop(`PortAudio's sources could not be unpacked: ${output.trim()}`);
  renameSync(half, folder);
  rmSync(archive);
  return folder;
};
