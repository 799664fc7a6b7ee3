import { initialChatUiState } from '../../../renderer/chat/chat-ui-state.ts';
import { appError } from '../../../shared/errors/app-error.ts';
import type { LocalModelState, ModelFilesState } from '../../../shared/model/local-model.ts';
import type { GalleryState } from '../gallery-state.ts';
import { answer, conversationOf, sampleChat } from '../sample-chat.ts';
import { sampleSettings, section } from '../sample-settings.ts';

const totalBytes = 8_872_296_568;
const card = {
  name: 'NVIDIA GeForce RTX 4070',
  kind: 'nvidia',
  memoryBytes: 12_878_610_432,
  freeBytes: 11_800_000_000,
} as const;
const hardware = {
  card,
  memoryBytes: 34_359_738_368,
  freeDiskBytes: 120_000_000_000,
  verdict: 'fit',
  hasRoomForTwo: false,
} as const;
const largeHardware = {
  ...hardware,
  card: { ...card, name: 'NVIDIA GeForce RTX 4090', memoryBytes: 25_757_220_864 },
  hasRoomForTwo: true,
} as const;
const initial: LocalModelState = {
  hardware,
  program: '/usr/local/bin/llama-omni-server',
  files: { kind: 'missing', bytes: 0, totalBytes },
  server: { kind: 'stopped' },
};
const ready: ModelFilesState = {
  kind: 'ready',
  folder: '/home/you/.local/state/parley/models/34dee27e37a0',
  totalBytes,
  isForeign: false,
};
const foreignFolder =
  '/mnt/a-disk-with-a-long-name/models/openbmb/MiniCPM-o-gguf/snapshots/34dee27e';
const longProgram = '/home/you/source/llama.cpp-omni/build-with-cuda/bin/llama-omni-server';
const downloading: ModelFilesState = {
  kind: 'downloading',
  file: 1,
  files: 10,
  bytes: 3_100_000_000,
  totalBytes,
  bytesPerSecond: 21_000_000,
  secondsLeft: 275,
  mirror: 'huggingface.co',
};
const chosen = { endpoints: { ...sampleSettings.endpoints, chosen: 'computer' } };
const withPaths = {
  ...chosen,
  model: { ...sampleSettings.model, program: longProgram, folder: foreignFolder },
};

const state = (part: Partial<LocalModelState>, settings: object = chosen): GalleryState => ({
  size: { width: 380, height: 1250 },
  view: (language) => ({
    ...section('endpoints', {}, settings).view(language),
    localModel: { ...initial, ...part },
  }),
});

const inBrowser = (gallery: GalleryState): GalleryState => ({
  ...gallery,
  view: (language) => ({
    ...gallery.view(language),
    about: { name: 'Parley', version: '0.1.0', host: 'browser', runtime: [] },
  }),
});

const first = (part: Partial<LocalModelState>): GalleryState => ({
  view: () => ({
    settings: { ...sampleSettings, firstRun: { done: false } },
    localModel: { ...initial, ...part },
  }),
  clicks: [
    '.first-run [type="submit"]',
    '.first-run-buttons .button:last-child',
    '.choice:nth-of-type(2) input',
  ],
});

/** A question that waits for the model on this computer. */
const waiting = (part: Partial<LocalModelState>): GalleryState => ({
  view: (language) => ({
    screen: 'chat',
    settings: { ...sampleSettings, ...chosen },
    localModel: { ...initial, files: ready, ...part },
    chat: {
      ...initialChatUiState,
      conversation: conversationOf([
        ...sampleChat(language).turns.slice(0, 1),
        { ...answer('t1', ''), state: { kind: 'streaming' } },
      ]),
      connection: { phase: 'queued' },
    },
  }),
});

/** The panel of the model on this computer, and a chat that waits for it. */
export const computerStates: Readonly<Record<string, GalleryState>> = {
  'computer-looking': state({ hardware: undefined, files: { kind: 'unknown' } }),
  'computer-missing': state({}),
  'computer-no-room': state({ hardware: { ...hardware, freeDiskBytes: 4_200_000_000 } }),
  'computer-no-program': state({
    program: undefined,
    hardware: { ...hardware, card: undefined, verdict: 'noCard' },
  }),
  'computer-browser': inBrowser(state({ program: undefined })),
  'computer-too-small': state({
    hardware: {
      ...hardware,
      card: { ...card, name: 'NVIDIA GeForce GTX 1650', memoryBytes: 4_294_967_296 },
      verdict: 'tooSmall',
    },
  }),
  'computer-taken': state({
    hardware: { ...hardware, card: { ...card, freeBytes: 5_000_000_000 } },
  }),
  'computer-downloading': state({ files: downloading }),
  'computer-stalled': state({
    files: {
      ...downloading,
      bytesPerSecond: 0,
      secondsLeft: undefined,
      trouble: appError('modelMirrorAway', { host: 'huggingface.co' }),
    },
  }),
  'computer-paused': state({ files: { ...downloading, kind: 'paused' } }),
  'computer-verifying': state({
    files: { kind: 'verifying', bytes: 5_100_000_000, totalBytes },
  }),
  'computer-failed': state({
    files: {
      kind: 'failed',
      error: appError('modelMirrorAway', { host: 'huggingface.co' }),
      bytes: 3_100_000_000,
    },
  }),
  'computer-foreign': state(
    {
      program: longProgram,
      files: { kind: 'ready', folder: foreignFolder, totalBytes, isForeign: true },
    },
    withPaths,
  ),
  'computer-loading': state({
    files: ready,
    server: { kind: 'loading', progress: 0.4, secondsLeft: 24 },
  }),
  'computer-ready': state({
    files: ready,
    server: { kind: 'ready', pace: { medianMs: 540, p90Ms: 780, verdict: 'fewPictures' } },
  }),
  'computer-two-copies': state({
    files: ready,
    hardware: largeHardware,
    server: { kind: 'ready', pace: { medianMs: 410, p90Ms: 520, verdict: 'voice' } },
    chat: { kind: 'own', server: { kind: 'ready', pace: undefined } },
  }),
  'computer-one-copy': state({
    files: ready,
    hardware: largeHardware,
    server: { kind: 'ready', pace: { medianMs: 410, p90Ms: 520, verdict: 'voice' } },
    chat: { kind: 'turns', error: appError('modelCardMemory') },
  }),
  'computer-restarting': state({
    files: ready,
    server: {
      kind: 'restarting',
      attempt: 2,
      seconds: 4,
      error: appError('modelSilent', { seconds: 10 }),
    },
  }),
  'computer-elsewhere': state({
    files: ready,
    server: { kind: 'failed', error: appError('modelElsewhere') },
  }),
  'computer-chat-switching': waiting({
    server: { kind: 'loading', progress: 0.4, secondsLeft: 24, switchesTo: 'chat' },
  }),
  'computer-chat-after-talk': waiting({
    server: { kind: 'ready', pace: undefined },
    user: 'talk',
  }),
  'first-computer': first({}),
  'first-computer-downloading': first({
    files: downloading,
    hardware: { ...hardware, card: { ...card, freeBytes: 5_000_000_000 } },
  }),
};
