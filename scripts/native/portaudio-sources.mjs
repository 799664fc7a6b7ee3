import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../lib/run.mjs';
import { Stop } from '../lib/stop.mjs';

/** The release that naudiodon's own libraries are built from, so that every system has the same PortAudio. */
const sources = {
  version: '19.6.0',
  sha256: 'f5a21d7dcd6ee84397446fa1fa1a0675bb2e8a4a6dceb4305a8404698d8d1513',
  urls: [
    'https://files.portaudio.com/archives/pa_stable_v190600_20161030.tgz',
    'https://deb.debian.org/debian/pool/main/p/portaudio19/portaudio19_19.6.0.orig.tar.gz',
    'http://deb.debian.org/debian/pool/main/p/portaudio19/portaudio19_19.6.0.orig.tar.gz',
  ],
};

/** @param {Uint8Array} bytes */
const isExpectedArchive = (bytes) =>
  createHash('sha256').update(bytes).digest('hex') === sources.sha256;

/** @returns {Promise<Uint8Array>} */
const fetchArchive = async () => {
  const file = process.env['PARLEY_PORTAUDIO_SOURCES'] ?? '';
  if (file !== '') {
    const bytes = existsSync(file) ? readFileSync(file) : undefined;
    if (bytes !== undefined && isExpectedArchive(bytes)) return bytes;
    throw new Stop(
      `PARLEY_PORTAUDIO_SOURCES=${file} is not the archive of PortAudio ${sources.version}: correct it or unset it.`,
    );
  }
  for (const url of sources.urls) {
    try {
      const answer = await fetch(url, { signal: AbortSignal.timeout(60_000) });
      const bytes = new Uint8Array(await answer.arrayBuffer());
      if (isExpectedArchive(bytes)) return bytes;
    } catch {
      // Try the next URL.
    }
  }
  throw new Stop(
    `The sources of PortAudio ${sources.version} could not be downloaded: check the connection, or point PARLEY_PORTAUDIO_SOURCES at their archive.`,
  );
};

/**
 * Downloads PortAudio's sources, for processors that naudiodon ships no library for.
 * @param {string} work a cache folder
 * @returns {Promise<string>} their folder
 */
export const ensurePortAudioSources = async (work) => {
  const folder = join(work, `portaudio-${sources.version}`);
  if (existsSync(folder)) return folder;
  const archive = join(work, 'portaudio.tar.gz');
  const partial = `${folder}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true });
  writeFileSync(archive, await fetchArchive());
  const { code, output } = await run('tar', [
    '-xzf',
    archive,
    '-C',
    partial,
    '--strip-components=1',
  ]);
  if (code !== 0) throw new Stop(`PortAudio's sources could not be unpacked: ${output.trim()}`);
  renameSync(partial, folder);
  rmSync(archive);
  return folder;
};
