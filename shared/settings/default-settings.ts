import { defaultDesktopSettings } from './desktop-settings.ts';
import { embeddedId, embeddedProfile } from './endpoint-profile.ts';
import type { Settings } from './settings.ts';

/** What everything is before anybody has changed anything. */
export const defaultSettings: Settings = {
  endpoints: { chosen: embeddedId, list: [embeddedProfile] },
  assistant: {
    preset: 'everyday',
    instructions: '',
    // As deployed servers have them themselves.
    generation: {
      lengthPenalty: 1.1,
      temperature: 0.7,
      topK: 100,
      topP: 0.8,
      textRepetitionPenalty: 1.05,
      listenProbScale: 1,
      listenTopK: 'server',
      maxNewSpeakTokensPerChunk: 20,
      forceListenCount: 0,
      generateAudio: true,
      lsMode: 'explicit',
      decodeMode: 'sampling',
      ttsTemperature: 0.8,
      ttsRepetitionPenalty: 1.05,
      chunkMs: 1000,
    },
  },
  chat: {
    system: '',
    streaming: true,
    speech: false,
    voice: 'usual',
    maxNewTokens: 'server',
    lengthPenalty: 'server',
    thinking: false,
    maxSlices: 'server',
  },
  voices: { model: 'none', speech: 'none' },
  audio: {
    microphone: 'default',
    speaker: 'default',
    inputVolume: 1,
    playbackVolume: 1,
    chimes: true,
  },
  talking: {
    mode: 'open',
    key: 'Space',
    everywhere: false,
    globalKey: 'Control+Alt+Space',
    sounds: false,
    overlap: { enabled: true, shortMs: 700 },
    yielding: 'auto',
  },
  keys: {
    interrupt: 'default',
    mute: 'default',
    cough: 'none',
    pause: 'none',
    end: 'none',
    palette: 'default',
    inspector: 'default',
    shortcuts: 'default',
  },
  vision: { camera: '', slices: 1, rate: 1, fewerWhenStill: false, mirror: true, flip: false },
  captions: { size: 28, contrast: 'normal' },
  desktop: defaultDesktopSettings,
  told: { keptInTray: false, noTray: false },
  privacy: { keepChats: false, keepTapes: false, days: 30 },
  appearance: { theme: 'system', textSize: 100, language: 'system' },
  firstRun: { done: false },
};
