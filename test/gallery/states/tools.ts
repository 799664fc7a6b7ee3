import type { UiState } from '../../../renderer/app/ui-state.ts';
import { initialChatUiState } from '../../../renderer/chat/chat-ui-state.ts';
import type { ToolCall } from '../../../shared/chat/chat-thread.ts';
import { appError } from '../../../shared/errors/app-error.ts';
import type { Language } from '../../../shared/i18n/languages.ts';
import type { FoundServerFile, ToolsView } from '../../../shared/tools/tools-view.ts';
import type { ToolTask } from '../../../shared/talk/talk-view.ts';
import { type GalleryState, inLanguage } from '../gallery-state.ts';
import { answer, conversationOf, question, sampleChat, sampleList } from '../sample-talk.ts';
import { sampleSettings, section } from '../sample-settings.ts';
import { live } from './talk.ts';
import type { LocalModelState, ModelFilesState } from '../../../shared/model/local-model-state.ts';

const texts = {
  en: ['Remind me in ten minutes to call home', 'call home', 'I will remind you.'],
  zh: ['十分钟后提醒我给家里打电话', '给家里打电话', '我会提醒你。'],
} as const;

const textsIn = (language: Language) =>
  inLanguage<readonly [string, string, string]>(texts, language);

const reminderCall = (language: Language, part: Partial<ToolCall> = {}): ToolCall => ({
  id: 'c1',
  at: 0,
  callName: 'set_reminder',
  tool: 'set_reminder',
  server: '',
  args: JSON.stringify({ text: textsIn(language)[1], in_minutes: 10 }),
  state: 'asking',
  isRisky: false,
  response: '',
  ...part,
});

const chatWith = (
  calls: (language: Language) => readonly ToolCall[],
  hasAnswer: boolean,
): GalleryState => ({
  view: (language): Partial<UiState> => {
    const [asked, , answered] = textsIn(language);
    const turn = answer('t2', hasAnswer ? answered : '');
    const state = hasAnswer ? turn.state : ({ kind: 'streaming' } as const);
    const conversation = conversationOf([
      question('t1', asked),
      { ...turn, state, calls: calls(language) },
    ]);
    const chat = { ...initialChatUiState, isRead: true, list: sampleList(language), conversation };
    return { screen: 'chat', settings: sampleSettings, chat };
  },
});

type Requested = Pick<ToolTask, 'state' | 'voice' | 'error'>;

const allOn = { clock: true, reminders: true, files: true, history: true, talks: true };

/** A talk with a request of the user. */
const requested =
  (part: Requested, calls: (language: Language) => readonly ToolCall[], hasAnswer: boolean) =>
  (language: Language): Partial<UiState> => {
    const [asked, , answered] = textsIn(language);
    const turn = answer('t2', hasAnswer ? answered : '');
    const request = { id: 'r1', after: 9, words: asked, ...part };
    return {
      ...live(language),
      settings: sampleSettings,
      floor: 'nobody',
      toolTasks: [{ ...request, answer: { ...turn, calls: calls(language) } }],
    };
  };
const asking = requested(
  { state: 'answering', voice: 'no' },
  (language) => [reminderCall(language)],
  false,
);

const toolsView = (language: Language): ToolsView => ({
  reminders: [{ id: 1, at: Date.UTC(2026, 10, 28, 18, 30), text: textsIn(language)[1] }],
  due: [],
  sharedPaths: ['/home/ada/Documents/lighthouse'],
  always: [{ server: '', tool: 'calculate' }],
  servers: [
    {
      id: 's1',
      name: 'notes',
      place: 'npx notes-mcp --all',
      state: 'running',
      tools: [
        { name: 'search_notes', description: 'Finds notes.', isRisky: false, isOn: true },
        { name: 'delete_note', description: 'Deletes a note.', isRisky: true, isOn: false },
      ],
    },
    {
      id: 's2',
      name: 'weather',
      place: 'https://weather.example.invalid/mcp',
      state: 'idle',
      error: appError('toolServerEnded', { name: 'weather' }),
      tools: [],
    },
  ],
});

const toolsSection = section('tools', {}, { tools: allOn });

const foundServers: readonly FoundServerFile[] = [
  {
    program: 'Claude Desktop',
    path: '/home/ada/.config/Claude/claude_desktop_config.json',
    servers: [
      { id: 'f1', name: 'files', place: 'npx files-mcp /home/ada', variables: [], isKnown: true },
      { id: 'f2', name: 'calendar', place: 'uvx calendar-mcp', variables: ['CALENDAR_TOKEN'] },
    ],
  },
  {
    program: 'VS Code',
    path: '/home/ada/.config/Code/User/mcp.json',
    servers: [
      {
        id: 'f3',
        name: 'tickets',
        place: '',
        variables: [],
        problem: appError('toolServerPlaceholder', { name: 'tickets' }),
      },
    ],
  },
  {
    program: 'Zed',
    path: '/home/ada/.config/zed/settings.json',
    servers: [],
    problem: appError('toolFileLink', { path: '/home/ada/.config/zed/settings.json' }),
  },
];

export const toolStates: Readonly<Record<string, GalleryState>> = {
  'chat-tool-question': chatWith((language) => [reminderCall(language)], false),
  'chat-tool-risky': chatWith(
    () => [
      {
        ...reminderCall('en'),
        tool: 'delete_note',
        server: 'notes',
        args: JSON.stringify({ title: 'a '.repeat(600), tags: ['b', 'c'] }),
        isRisky: true,
      },
    ],
    false,
  ),
  'chat-tool-done': chatWith(
    (language) => [
      reminderCall(language, { id: 'c0', state: 'denied' }),
      reminderCall(language, { state: 'done', response: '1: 18:30' }),
    ],
    true,
  ),
  'tool-task-asking': { view: asking },
  'tool-task-done': {
    view: requested(
      { state: 'done', voice: 'later' },
      (language) => [reminderCall(language, { state: 'done', response: '1: 18:30' })],
      true,
    ),
  },
  'tool-task-refused': {
    view: requested(
      { state: 'failed', voice: 'no', error: appError('requestOnComputer') },
      () => [],
      false,
    ),
  },
  'tool-task-written': {
    view: (language) => ({
      ...live(language),
      problem: appError('requestNoWords'),
      writesTask: true,
    }),
  },
  'mini-request-asking': {
    size: { width: 420, height: 216 },
    view: (language) => ({
      ...asking(language),
      settings: { ...sampleSettings, tools: allOn },
      windows: { main: true, mini: true },
      window: 'mini',
    }),
  },
  'settings-tools': {
    ...toolsSection,
    view: (language: Language) => ({
      ...toolsSection.view(language),
      toolsView: toolsView(language),
    }),
  },
  'settings-tools-due': {
    ...toolsSection,
    view: (language: Language) => ({
      ...toolsSection.view(language),
      toolsView: {
        ...toolsView(language),
        due: [{ id: 2, at: 0, text: `https://lighthouse.example/${'stairs'.repeat(60)}` }],
      },
    }),
  },
  'settings-tools-found': {
    ...toolsSection,
    view: (language: Language) => ({ ...toolsSection.view(language), foundServers }),
  },
};

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
      isRead: true,
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
  'computer-downloading': state({ files: downloading }),
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
  'first-computer': first({}),
};
