import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createModelDownload } from '../../electron/platform/model/model-storage.ts';
import { Lifetime } from '../../shared/lifetime.ts';
import { median } from '../../shared/statistics.ts';
import { option } from './bench-helpers.ts';

const rounds = 3;
/** The mirror's limits in MB/s: 2.5 Gbit/s, which is a fast home connection, and none. */
const ratesMb = [312, Infinity] as const;
/** Share of curl's speed that a download must reach. */
const minRatio = 0.9;

interface DownloadRates {
  readonly curl: number;
  readonly parley: number;
  /** How much the resident memory grew during the download, in MB. */
  readonly grownMb: number;
}

/**
 * Downloads a file of zeros from a mirror on loopback, with curl and with Parley in turns. Parley also hashes the file
 * and syncs it to disk. `--mb` is the size of the file, by default 1000. `--folder` is where it is written, by default the
 * system's temporary folder.
 */
export async function bench(): Promise<void> {
  const size = Number(option('--mb') ?? 1000) * 1_000_000;
  const sha256 = hashZeros(size);
  for (const rateMb of ratesMb) {
    const lifetime = new Lifetime('a mirror of zeros');
    try {
      const folder = await mkdtemp(join(option('--folder') ?? tmpdir(), 'parley-download-'));
      lifetime.add(() => rm(folder, { recursive: true, force: true }), 'folder');
      const base = await startMirror(size, rateMb * 1e6, lifetime);
      print(await compare(folder, base, size, sha256), size, rateMb);
    } finally {
      await lifetime.end();
    }
  }
}

async function compare(
  folder: string,
  base: string,
  size: number,
  sha256: string,
): Promise<readonly DownloadRates[]> {
  const rates: DownloadRates[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const curl = runCurl(`${base}zeros`, join(folder, 'curl'), size);
    await rm(join(folder, 'curl'));
    const own = await runParley(folder, base, size, sha256);
    await rm(join(folder, 'zeros'));
    // The first round warms the disk and the compiler.
    if (round > 0) rates.push({ curl, ...own });
  }
  return rates;
}

async function startMirror(size: number, rate: number, lifetime: Lifetime): Promise<string> {
  const script = join(import.meta.dirname, 'zero-mirror.mjs');
  const child = spawn(process.execPath, [script, String(size), String(rate)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  lifetime.add(async () => {
    child.kill();
    await exit;
  }, 'mirror');
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return `http://127.0.0.1:${line.toString().trim()}/`;
}

function hashZeros(size: number): string {
  const hash = createHash('sha256');
  const block = Buffer.alloc(1_000_000);
  for (let bytes = 0; bytes < size; bytes += block.length) hash.update(block);
  return hash.digest('hex');
}

/** MB/s by curl's own clock. */
function runCurl(url: string, path: string, size: number): number {
  const args = ['--silent', '--show-error', '--fail', '--noproxy', '*', '--output', path, url];
  const seconds = execFileSync('curl', ['--write-out', '%{time_total}', ...args], {
    encoding: 'utf8',
  });
  return size / 1e6 / Number(seconds);
}

async function runParley(
  folder: string,
  base: string,
  size: number,
  sha256: string,
): Promise<Omit<DownloadRates, 'curl'>> {
  const fetch = createModelDownload(undefined);
  const before = process.memoryUsage.rss();
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 20);
  const began = performance.now();
  const outcome = await fetch({
    folder,
    file: { path: 'zeros', bytes: size, sha256 },
    mirror: { id: 'zeros', host: 'loopback', base },
    onBytes: () => undefined,
  }).result;
  const seconds = (performance.now() - began) / 1000;
  clearInterval(watch);
  if (outcome?.ok !== true) throw new Error(`the download failed: ${JSON.stringify(outcome)}`);
  return { parley: size / 1e6 / seconds, grownMb: (most - before) / 1e6 };
}

function print(rates: readonly DownloadRates[], size: number, rateMb: number): void {
  const lines = rates.map(
    ({ curl, parley, grownMb }) =>
      `  curl ${curl.toFixed(0)} MB/s, Parley ${parley.toFixed(0)} MB/s (${percent(parley / curl)}), memory +${grownMb.toFixed(0)} MB`,
  );
  const ratio = median(rates.map(({ curl, parley }) => parley / curl));
  const limit = Number.isFinite(rateMb) ? `limited to ${rateMb} MB/s` : 'without a limit';
  // There is no verdict without a limit, because the processor is then the bottleneck and only Parley hashes.
  const verdict = Number.isFinite(rateMb)
    ? ` (at least ${percent(minRatio)}: ${ratio >= minRatio ? 'yes' : 'no'})`
    : '';
  process.stdout.write(
    `${size / 1e6} MB from a mirror on loopback ${limit}\n${lines.join('\n')}\n` +
      `  median ratio ${percent(ratio)}${verdict}\n`,
  );
}

function percent(ratio: number): string {
  return `${(ratio * 100).toFixed(0)} %`;
}
