import type { AppContext } from '../../renderer/app/app-context.ts';
import type { Bridge } from '../../renderer/app/bridge/ordered-bridge.ts';
import type { CameraDevice } from '../../renderer/capture/video-devices.ts';
import type { ChatMedia } from '../../shared/chat/chat-thread.ts';
import { failure } from '../../shared/errors/app-error.ts';
import type { Notice, RequestName, RequestValue } from '../../shared/ipc/contract.ts';
import type { Reply } from '../../shared/ipc/bridge.ts';
import type { ReplayView } from '../../shared/recordings/replay-view.ts';
import type { ChatSettings } from '../../shared/settings/assistant-settings.ts';
import type { PageSettingsPatch, RedactedSettings } from '../../shared/settings/settings.ts';
import { successReply } from '../fakes/success-reply.ts';
import { painted } from './painted-picture.ts';

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
  let stoppedAt: number | undefined = 0;
  const bridge: Bridge = {
    // Most requests get no reply, so that the given state stays.
    request: (name, input) => {
      // Requests that components make on mount are not user actions.
      if (!requestsOnMount.has(name)) asked.push({ name, input });
      return new Promise((resolve) => {
        if (name === 'replay') resolve(successReply(replay()));
        if (name === 'replayPicture') void paintedPicture(resolve);
        if (name === 'talkPicture') void paintedTalkPicture(resolve);
        if (name === 'regionScreen') void paintedScreen(resolve);
        if (name === 'chatMedia') void paintedMedia(input as { media: string }, resolve);
        if (name === 'changeSettings') {
          const payload = mergeSettings(settings(), input as PageSettingsPatch);
          for (const listener of listeners) listener({ name: 'settingsChanged', payload }, 0);
          resolve(successReply(payload));
        }
        if (name === 'setChatOptions') {
          const payload = { kind: 'options', options: input as ChatSettings } as const;
          // Delayed like a busy core, so that a test can type on.
          setTimeout(() => {
            for (const listener of listeners) listener({ name: 'chatPatch', payload }, 0);
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
    emit: (notice: Notice) => {
      for (const listener of listeners) listener(notice, 0);
    },
    /** Emits the measurements of one minute, up to now, for the graphs. */
    emitMinute: () => {
      if (stoppedAt === undefined) return;
      const end = stoppedAt;
      const emitToAll = (notice: Notice): void => {
        for (const listener of listeners) listener(notice, 0);
      };
      for (let second = 60; second >= 0; second -= 1) {
        stoppedAt = end - second * 1000;
        const wave = Math.sin(second * 0.7) + Math.sin(second * 0.31);
        const rmsDb = speechLevelDb(second * 50);
        emitToAll({
          name: 'level',
          payload: { who: second % 9 < 4 ? 'you' : 'parley', rmsDb, peakDb: rmsDb },
        });
        emitToAll({
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
            memory: {
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
        emitToAll({
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

/** The same picture for every attachment; clips are silent. */
async function paintedMedia(
  { media }: { readonly media: string },
  resolve: (reply: Reply<ChatMedia>) => void,
): Promise<void> {
  if (media.startsWith('clip')) resolve(successReply({ type: 'audio', file: new Uint8Array(44) }));
  else resolve(successReply({ type: 'image', file: (await painted).jpeg }));
}

async function paintedPicture(
  resolve: (reply: Reply<RequestValue<'replayPicture'>>) => void,
): Promise<void> {
  resolve(successReply({ jpeg: (await painted).jpeg }));
}

async function paintedScreen(
  resolve: (reply: Reply<RequestValue<'regionScreen'>>) => void,
): Promise<void> {
  resolve(successReply((await painted).jpeg));
}

async function paintedTalkPicture(
  resolve: (reply: Reply<RequestValue<'talkPicture'>>) => void,
): Promise<void> {
  resolve(successReply({ jpeg: (await painted).jpeg }));
}

function mergeSettings(settings: RedactedSettings, patch: PageSettingsPatch): RedactedSettings {
  const groups = Object.keys(patch) as (keyof PageSettingsPatch)[];
  const merged = groups.map((group) => [group, { ...settings[group], ...patch[group] }] as const);
  return { ...settings, ...Object.fromEntries(merged) };
}
