import type { RoomTestUi } from '../../../renderer/settings/settings-ui-state.ts';
import type { RoomJudgement } from '../../../shared/audio/sound-tests.ts';
import { appError } from '../../../shared/errors/app-error.ts';
import { documentedContext } from '../../../shared/vision/context-facts.ts';
import { type GalleryState, inLanguage } from '../gallery-state.ts';
import {
  sampleDevices,
  sampleSettings,
  sampleVoices,
  section,
  severalServers,
} from '../sample-settings.ts';
import { emptyEndpointForm } from '../../../renderer/settings/endpoints/endpoint-form.ts';

const servers = { endpoints: severalServers };
const form = { ...emptyEndpointForm, url: 'wss://talk.example:8006', name: 'Talk' };

const serverStates: Readonly<Record<string, GalleryState>> = {
  'settings-servers': section('endpoints', {}, servers),
  'settings-proxy': section(
    'endpoints',
    {
      secretStorage: 'keychain',
      fields: { 'endpoints.proxyAddress': { problem: appError('proxyAddressForm') } },
    },
    { proxy: { way: 'address', address: 'http://proxy.example:3128', hasLogin: true } },
  ),
  'settings-servers-tested': section(
    'endpoints',
    { verdict: { of: 'home', result: { ok: true, connectMs: 12, firstMessageMs: 31 } } },
    servers,
  ),
  'settings-server-wrong': section(
    'endpoints',
    {
      form: {
        ...form,
        id: 'hosted',
        url: 'talk.example',
        headers: [
          { key: 0, name: 'X-Team', value: null },
          { key: 1, name: 'Authorization', value: 'x' },
        ],
        fingerprint: 'AA:BB',
      },
      secretStorage: 'plain',
      fields: {
        'form.url': {
          problem: appError('noScheme', { address: 'talk.example' }),
        },
        'form.token': {
          problem: appError('tokenForm'),
        },
        'form.fingerprint': {
          problem: appError('fingerprintForm'),
        },
      },
    },
    servers,
  ),
  'settings-server-known': {
    size: { width: 380, height: 2300 },
    ...section(
      'endpoints',
      {
        form: {
          ...form,
          dialect: 'legacy',
          timeLimit: 120,
          voiceForm: 'float32',
          config: '{ "length_penalty": 1.1, ',
        },
        secretStorage: 'keychain',
        fields: { 'form.config': { problem: appError('configForm') } },
      },
      servers,
    ),
  },
  'settings-server-certificate': section(
    'endpoints',
    {
      form,
      secretStorage: 'none',
      verdict: {
        of: 'form',
        result: {
          ok: false,
          kind: 'certificate',
          error: appError('certificateOwn', { fingerprint: `${'AB:CD:'.repeat(15)}EF:01` }),
          fingerprint: 'AB:CD',
        },
      },
    },
    servers,
  ),
};

const tried = (roomTest: RoomTestUi) => section('audio', { devices: sampleDevices, roomTest });

const poor: RoomJudgement = {
  noiseDb: -40,
  echo: {
    delayMs: 312,
    echoAboveNoiseDb: 22,
    medianCancelledDb: 8,
    worstCancelledDb: 1.3,
    residualAboveNoiseDb: 14,
  },
  person: { attenuationDb: 8.4 },
  isClipped: true,
};

const roomStates: Readonly<Record<string, GalleryState>> = {
  'settings-sound-room-speaking': {
    ...tried({ step: 'over', ms: 7400, at: -5000 }),
    metered: { rmsDb: -20, peakDb: -9 },
  },
  'settings-sound-room-poor': tried({ step: 'judged', found: poor }),
  'settings-sound-room-kept': tried({
    step: 'kept',
    where: { kind: 'folder', path: '/home/someone/Documents/rooms' },
  }),
};

const level = { rmsDb: -20, peakDb: -9 };

export const settingsStates: Readonly<Record<string, GalleryState>> = {
  'settings-waiting': { view: () => ({ screen: 'settings' }) },
  ...serverStates,
  'settings-assistant': section('assistant'),
  'settings-assistant-own': section(
    'assistant',
    {},
    {
      assistant: {
        ...sampleSettings.assistant,
        preset: 'own',
        instructions: 'You are a patient teacher of bookbinding.',
        generation: {
          ...sampleSettings.assistant.generation,
          lengthPenalty: 1.4,
          listenTopK: 12,
          generateAudio: false,
        },
      },
    },
  ),
  'settings-assistant-long': section('assistant', (language) => ({
    fields: {
      'assistant.instructions': {
        typed: 'مرحبا <b>x</b> Donaudampfschifffahrtsgesellschaft '.repeat(1000),
        problem:
          language === 'en'
            ? 'This is 30000 characters too long and was not saved; shorten it.'
            : '超出 30000 字，没有保存。',
      },
    },
  })),
  'settings-voices': section(
    'voices',
    (language) => ({ voices: sampleVoices(language), previewed: 'voice-1' }),
    { voices: { model: 'voice-1', speech: 'none' } },
  ),
  'settings-voices-recording': {
    ...section('voices', (language) => ({
      voices: sampleVoices(language),
      voiceRecording: { state: 'recording', seconds: 6 },
    })),
    metered: level,
  },
  'settings-voices-hour': section('voices', (language) => ({
    voices: sampleVoices(language),
    fields: {
      take: {
        problem:
          language === 'en'
            ? 'This file lasts 60 minutes; a voice may last two. Cut out 3 to 15 seconds of speech.'
            : '这个文件长 60 分钟，超过了两分钟的上限。请截取 3 到 15 秒的说话声。',
      },
    },
  })),
  'settings-sound': section('audio', { devices: sampleDevices }),
  'settings-sound-metered': {
    ...section(
      'audio',
      {
        devices: sampleDevices,
        meter: { device: 'Built-in Audio' },
        soundTest: { heard: true, latencyMs: 184, levelDb: -20, noiseDb: -50 },
        ownSound: 'clipped',
      },
      { audio: { ...sampleSettings.audio, microphone: { name: 'Desk microphone' } } },
    ),
    metered: level,
  },
  'settings-sound-talking': {
    view: (language) => ({
      ...section('audio', { devices: sampleDevices }).view?.(language),
      talkState: { value: { phase: 'live' }, at: 0 },
      echo: 'heard',
    }),
  },
  'settings-sound-none': section('audio', {
    devices: [],
    meter: {},
    soundTest: {
      heard: false,
      error: appError('testNothing'),
    },
    fields: {
      devices: {
        problem: appError('soundHangs'),
      },
      meter: {
        problem: appError('noMicrophone'),
      },
    },
  }),
  ...roomStates,
  'settings-seeing': section(
    'vision',
    {},
    { vision: { ...sampleSettings.vision, slices: 4, rate: 1, fewerWhenStill: true } },
  ),
  'settings-seeing-long': section(
    'vision',
    {},
    { vision: { ...sampleSettings.vision, budget: 1 } },
  ),
  'settings-seeing-every-append': section(
    'vision',
    { serverContext: { ...documentedContext, everyAppend: true } },
    { endpoints: severalServers },
  ),
  'settings-talking': section('talking'),
  'settings-talking-key': section(
    'talking',
    (language) => ({
      fields: {
        'talking.key': {
          problem: inLanguage(
            {
              en: 'Enter presses buttons. Choose another key.',
              zh: '“Enter”用于触发按钮。请换一个键。',
            },
            language,
          ),
        },
      },
    }),
    { talking: { ...sampleSettings.talking, mode: 'holdOrTap', key: 'Control+Shift+KeyT' } },
  ),
  'settings-cursor': section(
    'cursor',
    {},
    { cursor: { ...sampleSettings.cursor, enabled: true, actions: sampleSettings.cursor.actions } },
  ),
  'settings-captions': section('captions'),
  'settings-appearance': section('appearance'),
  'settings-desktop': section('desktop'),
  'settings-desktop-browser': {
    view: (language) => ({
      ...section('desktop').view(language),
      about: { name: 'Parley', version: '0.1.0', host: 'browser', runtime: [] },
    }),
  },
  'settings-privacy': section('privacy', {
    storedData: [
      { kind: 'chats', place: '/home/someone/.config/parley/chats', count: 12, bytes: 4_200_000 },
      { kind: 'tapes', place: '/home/someone/.config/parley/tapes', count: 0, bytes: 0 },
      { kind: 'voices', place: '/home/someone/.config/parley/voices', count: 2, bytes: 611_000 },
      { kind: 'tokens', place: '/home/someone/.config/parley/tokens.json', count: 1, bytes: 412 },
    ],
  }),
  'settings-privacy-asked': {
    ...section('privacy', {
      storedData: [{ kind: 'chats', place: '/home/someone/chats', count: 12, bytes: 4_200_000 }],
    }),
    click: '.stored-data-row .button',
  },
  'settings-search': section('endpoints', (language) => ({
    searchText: language === 'en' ? 'volume' : '音量',
  })),
  'settings-damaged': {
    view: () => ({
      ...section('appearance').view('en'),
      problem: appError(
        'putAside',
        { path: 'settings.damaged-1.json' },
        { cause: appError('settingsPartly', { places: 'audio.inputVolume' }) },
      ),
    }),
  },
  'settings-about': {
    view: () => ({
      ...section('about').view('en'),
      about: {
        name: 'Parley',
        version: '0.1.0',
        host: 'desktop',
        runtime: [
          { name: 'Electron', version: '33.4.11' },
          { name: 'Node', version: '20.18.3' },
        ],
      },
      libraries: {
        portaudio: {
          library: 'portaudio',
          milliseconds: 4,
          state: 'loads',
          detail: 'naudiodon 2.3.6',
        },
        libvips: {
          library: 'libvips',
          milliseconds: 4,
          state: 'fails',
          reason: 'The library is damaged; delete node_modules and start again.',
        },
      },
    }),
  },
};
