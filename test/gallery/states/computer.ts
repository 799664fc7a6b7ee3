import { appError } from '../../../shared/errors/app-error.ts';
import type { LocalModelState } from '../../../shared/model/local-model.ts';
import type { GalleryState } from '../gallery-state.ts';
import { sampleSettings } from '../sample-settings.ts';
import { section } from '../settings-section.ts';

const totalBytes = 8_872_296_568;
const hardware: LocalModelState['hardware'] = {
  card: {
    name: 'NVIDIA GeForce RTX 4070',
    kind: 'nvidia',
    memoryBytes: 12_878_610_432,
    freeBytes: 11_800_000_000,
  },
  memoryBytes: 34_359_738_368,
  freeDiskBytes: 200_000_000_000,
  verdict: 'fit',
};
const initial: LocalModelState = {
  hardware,
  program: '/usr/local/bin/llama-omni-server',
  files: { kind: 'missing', bytes: 0, totalBytes },
  server: { kind: 'stopped' },
};
const ready: LocalModelState['files'] = {
  kind: 'ready',
  folder: '/home/you/.local/state/parley/models',
  totalBytes,
  isForeign: false,
};
const chosen = { endpoints: { ...sampleSettings.endpoints, chosen: 'computer' } };

const state = (part: Partial<LocalModelState>): GalleryState => ({
  size: { width: 380, height: 1250 },
  view: (language) => ({
    ...section('endpoints', {}, chosen).view(language),
    localModel: { ...initial, ...part },
  }),
});

export const computerStates: Readonly<Record<string, GalleryState>> = {
  'computer-missing': state({}),
  'computer-no-program': state({
    program: undefined,
    hardware: { ...hardware, card: undefined, verdict: 'noCard' },
  }),
  'computer-taken': state({
    hardware: {
      ...hardware,
      card: {
        name: 'NVIDIA GeForce RTX 4070',
        kind: 'nvidia',
        memoryBytes: 12_878_610_432,
        freeBytes: 5_000_000_000,
      },
    },
  }),
  'computer-downloading': state({
    files: {
      kind: 'downloading',
      file: 1,
      files: 10,
      bytes: 3_100_000_000,
      totalBytes,
      bytesPerSecond: 21_000_000,
      secondsLeft: 275,
      mirror: 'huggingface.co',
    },
  }),
  'computer-failed': state({
    files: {
      kind: 'failed',
      error: appError('modelMirrorAway', { host: 'huggingface.co' }),
      bytes: 0,
    },
  }),
  'computer-loading': state({
    files: ready,
    server: { kind: 'loading', progress: 0.4, secondsLeft: 24 },
  }),
  'computer-ready': state({
    files: ready,
    server: { kind: 'ready', pace: { medianMs: 540, p90Ms: 780, verdict: 'fewPictures' } },
  }),
  'first-computer': {
    view: () => ({
      settings: { ...sampleSettings, firstRun: { done: false } },
      localModel: initial,
    }),
    clicks: [
      '.first-run [type="submit"]',
      '.first-run-buttons .button:last-child',
      '.choice:nth-of-type(2) input',
    ],
  },
};
