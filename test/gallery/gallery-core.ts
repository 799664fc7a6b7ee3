import type { AppContext } from '../../renderer/app/app-context.ts';
import type { Bridge } from '../../renderer/app/bridge/ordered-bridge.ts';
import type { CameraDevice } from '../../renderer/capture/video-devices.ts';
import { failure } from '../../shared/errors/app-error.ts';
import type { Notice, RequestName, RequestValue } from '../../shared/ipc/contract.ts';
import type { ReplayView } from '../../shared/recordings/replay-view.ts';
import type { ChatSettings } from '../../shared/settings/assistant-settings.ts';
import { defaultSettings } from '../../shared/settings/settings.ts';
import type { PageSettingsPatch, RedactedSettings } from '../../shared/settings/settings.ts';
import { successReply } from '../fakes/fake-bridge.ts';
import type { CaptureView } from '../../renderer/capture/capture-controller.ts';
import type { GalleryState } from './gallery-state.ts';
import type { VisionFrame } from '../../shared/vision/vision-frame.ts';

interface Props {
  readonly cameras: readonly CameraDevice[];
  readonly settings: () => RedactedSettings;
  readonly replay: () => ReplayView;
  /** Undefined if they cannot be listed. */
  readonly devices: () => RequestValue<'soundDevices'> | undefined;
}

const requestsOnMount: ReadonlySet<RequestName> = new Set([
  'windows',
  'openedLink',
  'replay',
  'updates',
  'tools',
  'memory',
  'talkPassages',
  'localModel',
  'lookForModel',
  'regionScreen',
  'showRegion',
]);

/** A fake core that applies settings and records the requests of users' actions. Its clock is stopped at first. */
export function createGalleryCore({ cameras, settings, replay, devices }: Props) {
  const asked: { name: RequestName; input: unknown }[] = [];
  const listeners: ((notice: Notice, revision: number) => void)[] = [];
  const emit = (notice: Notice): void => {
    for (const listener of listeners) listener(notice, 0);
  };
  let stoppedAt: number | undefined = 0;
  const bridge: Bridge = {
    // Most requests get no reply, so that the given state stays.
    request: (name, input) => {
      // Requests that components make on mount are not user actions.
      if (!requestsOnMount.has(name)) asked.push({ name, input });
      return new Promise((resolve) => {
        if (name === 'replay') resolve(successReply(replay()));
        void paintedReply(name, input).then((value) => {
          if (value !== undefined) resolve(successReply(value as never));
          return undefined;
        });
        if (name === 'changeSettings') {
          const payload = mergeSettings(settings(), input as PageSettingsPatch);
          emit({ name: 'settingsChanged', payload });
          resolve(successReply(payload));
        }
        if (name === 'resetSettings') {
          const { keys } = defaultSettings;
          emit({ name: 'settingsChanged', payload: { ...settings(), keys } });
          resolve(successReply(settings() as never));
        }
        if (name === 'changeSentence') resolve(failure('memoryKnown'));
        if (name === 'correctUserPhrase') resolve(failure('ownWordsGone'));
        // The list stays as it is, although the page reads it again.
        if (name === 'memory' && asked.some((each) => each.name === 'changeSentence'))
          resolve(failure('memoryUnread'));
        if (name === 'removeSentence') resolve(successReply(undefined as never));
        // Delayed like a busy core, so that a test can type on.
        if (name === 'addSentence')
          setTimeout(() => resolve(successReply(undefined as never)), 200);
        if (name === 'setChatOptions') {
          const payload = { kind: 'options', options: input as ChatSettings } as const;
          // Delayed like a busy core, so that a test can type on.
          setTimeout(() => {
            emit({ name: 'chatPatch', payload });
            resolve(successReply(undefined as never));
          }, 50);
        }
        // The page queues device notices until this is answered.
        if (name === 'soundDevices') {
          const listed = devices();
          resolve(listed?.length ? successReply(listed) : failure('soundHangs'));
        }
        if (name === 'endTalk') resolve(failure('noTalk'));
      });
    },
    onNotice: (listener) => {
      listeners.push(listener);
    },
    onConnection: () => undefined,
  };
  return {
    asked,
    bridge,
    capture: {
      view: () => ({ state: 'off' }) as const,
      subscribe: () => () => undefined,
      open: () => Promise.resolve(),
      close: () => Promise.resolve(),
      change: () => Promise.resolve(),
      follow: () => Promise.resolve(),
      setChunk: () => undefined,
      setActive: () => undefined,
      cameras: () => Promise.resolve(cameras),
      setPaused: () => undefined,
      setFrozen: () => undefined,
    },
    now: () => stoppedAt ?? performance.now(),
    startClock: () => {
      stoppedAt = undefined;
    },
    emit,
    /** Emits the measurements of one minute, up to now, for the graphs. */
    emitMinute: () => {
      if (stoppedAt === undefined) return;
      const end = stoppedAt;
      for (let second = 60; second >= 0; second -= 1) {
        stoppedAt = end - second * 1000;
        const wave = Math.sin(second * 0.7) + Math.sin(second * 0.31);
        const rmsDb = speechLevelDb(second * 50);
        emit({
          name: 'level',
          payload: { who: second % 9 < 4 ? 'you' : 'parley', rmsDb, peakDb: rmsDb },
        });
        emit({
          name: 'talkStep',
          payload: {
            buffer: { bufferMs: 520 + 160 * wave, targetMs: 260 + second },
            latest: {
              roundTrip: 214 + 30 * wave,
              serverStep: 168 + 24 * wave,
              wireToSound: 87 + 9 * wave,
              micToWire: 21,
            },
            unanswered: { spokenSeconds: (60 - second) / 10, steps: 60 - second },
            context: {
              spent: {
                pictures: 1856 - second * 12,
                sound: 1010 - second * 10,
                words: 486 - second * 2,
              },
              estimated: ['pictures', 'sound'],
            },
          },
        });
        const tokens = 6120 + second * 24;
        emit({
          name: 'talkLimits',
          payload: { seconds: 424, tokens, tokenSeconds: 480, pruning: false },
        });
      }
      stoppedAt = end;
    },
    /** Emits two seconds of speech levels, up to now. */
    speak: (levels: AppContext['levels'], who: 'you' | 'parley' | 'both' | undefined) => {
      if (who === undefined || stoppedAt === undefined) return;
      const end = stoppedAt;
      for (let step = 40; step >= 0; step -= 1) {
        stoppedAt = end - step * 50;
        for (const voice of who === 'both' ? (['you', 'parley'] as const) : [who]) {
          // The user has a usual microphone level; answers are louder.
          const at = step * 50 + (voice === 'you' ? 0 : 350);
          const louder = voice === 'you' ? 0 : 8;
          const halvesDb = [
            speechLevelDb(at + 37) + louder,
            speechLevelDb(at + 12) + louder,
          ] as const;
          const rmsDb = speechLevelDb(at + 25) + louder;
          levels.emit({ who: voice, rmsDb, halvesDb, peakDb: rmsDb + 9 });
        }
      }
      stoppedAt = end;
    },
  };
}

export type GalleryCore = ReturnType<typeof createGalleryCore>;

/** Levels of five syllables a second in phrases of 1.5 s, peaking at −23 dBFS. */
function speechLevelDb(ms: number): number {
  const syllables = 0.5 + 0.5 * Math.sin((2 * Math.PI * ms) / 200);
  const phrase = 0.5 + 0.5 * Math.sin((2 * Math.PI * ms) / 1500 + 1);
  return -54 + 14 * syllables + 17 * phrase;
}

/** Answers every request for a picture with the same one, and every request for a clip with silence. */
async function paintedReply(name: RequestName, input: unknown): Promise<unknown> {
  const { jpeg } = await painted;
  if (name === 'replayPicture' || name === 'talkPicture') return { jpeg };
  if (name === 'regionScreen') return jpeg;
  if (name !== 'chatMedia') return undefined;
  const isClip = (input as { readonly media: string }).media.startsWith('clip');
  return isClip ? { type: 'audio', file: new Uint8Array(44) } : { type: 'image', file: jpeg };
}

function mergeSettings(settings: RedactedSettings, patch: PageSettingsPatch): RedactedSettings {
  const groups = Object.keys(patch) as (keyof PageSettingsPatch)[];
  const merged = groups.map((group) => [group, { ...settings[group], ...patch[group] }] as const);
  return { ...settings, ...Object.fromEntries(merged) };
}

/** Paints a picture, so that no camera is needed. */
function paint(): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = 640;
  canvas.height = 480;
  const pen = canvas.getContext('2d');
  if (pen === null) throw new Error('The canvas has no 2D context.');
  const boxes = [
    ['#d9d3c5', 0, 0, 640, 480],
    ['#b8ad98', 0, 330, 640, 150],
    ['#7d5a45', 120, 210, 130, 150],
    ['#3f5b57', 300, 150, 90, 210],
    ['#c98a4b', 430, 260, 120, 100],
  ] as const;
  for (const [ink, x, y, width, height] of boxes) {
    pen.fillStyle = ink;
    pen.fillRect(x, y, width, height);
  }
  return canvas;
}

export function paintedCapture(state: GalleryState['capture']): CaptureView {
  if (state === undefined) return { state: 'off' };
  if (state === 'opening') return { state };
  if (state === 'denied') return { state: 'lost', reason: 'denied' };
  if (state === 'ended') return { state: 'lost', reason: 'ended' };
  return { state, stream: paint().captureStream(1), label: 'Built-in camera', unreadable: false };
}

async function paintedFrame(): Promise<VisionFrame> {
  const blob = await new Promise<Blob | null>((resolve) => {
    paint().toBlob(resolve, 'image/jpeg', 0.8);
  });
  const jpeg = new Uint8Array((await blob?.arrayBuffer()) ?? new ArrayBuffer(0));
  const facts = { at: 0, bytes: jpeg.length, width: 517, height: 387, slices: 1, tokens: 64 };
  return { facts, jpeg };
}

/** Painted once and shared. */
export const painted = paintedFrame();
