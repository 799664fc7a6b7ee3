import type { AppContext } from '../../renderer/app/app-context.ts';
import type { Bridge } from '../../renderer/app/bridge/ordered-bridge.ts';
import type { CameraDevice } from '../../renderer/capture/video-devices.ts';
import type { ChatMedia } from '../../shared/chat/chat-patch.ts';
import { failure } from '../../shared/errors/app-error.ts';
import type { Notice, RequestName, RequestValue } from '../../shared/ipc/contract.ts';
import type { Reply } from '../../shared/ipc/reply.ts';
import type { ReplayView } from '../../shared/recordings/replay-view.ts';
import type { ChatSettings } from '../../shared/settings/chat-settings.ts';
import type {
  PageSettingsPatch,
  RedactedSettings,
} from '../../shared/settings/redacted-settings.ts';
import { successReply } from '../fakes/success-reply.ts';
import { painted } from './painted-picture.ts';

interface Props {
  readonly cameras: readonly CameraDevice[];
  /** As the page has them now. */
  readonly settings: () => RedactedSettings;
  /** None where they cannot be had. */
  readonly replay: () => ReplayView;
  readonly devices: () => RequestValue<'soundDevices'> | undefined;
}

const readByParts: ReadonlySet<RequestName> = new Set([
  'windows',
  'openedLink',
  'replay',
  'updates',
]);

/** A core that keeps settings and else only remembers, a camera of nobody, and a clock that stands. */
export function createGalleryCore({ cameras, settings, replay, devices }: Props) {
  const asked: { name: RequestName; input: unknown }[] = [];
  const listeners: ((notice: Notice, revision: number) => void)[] = [];
  let standing: number | undefined = 0;
  const bridge: Bridge = {
    // Hardly ever answered: what is shown is what was given.
    request: (name, input) => {
      // What a part reads when it appears is nobody's doing.
      if (!readByParts.has(name)) asked.push({ name, input });
      return new Promise((resolve) => {
        if (name === 'replay') resolve(successReply(replay()));
        if (name === 'replayPicture') void paintedPicture(resolve);
        if (name === 'talkPicture') void paintedTalkPicture(resolve);
        if (name === 'chatMedia') void paintedMedia(input as { media: string }, resolve);
        if (name === 'changeSettings') {
          const payload = changed(settings(), input as PageSettingsPatch);
          for (const hear of listeners) hear({ name: 'settingsChanged', payload }, 0);
          resolve(successReply(payload));
        }
        if (name === 'setChatOptions') {
          const payload = { kind: 'options', options: input as ChatSettings } as const;
          // As late as a core that is busy, so that there is time to type on.
          setTimeout(() => {
            for (const hear of listeners) hear({ name: 'chatPatch', payload }, 0);
            resolve(successReply(undefined as never));
          }, 50);
        }
        // Until it is answered, what is told of its changes waits.
        if (name === 'soundDevices') {
          const listed = devices();
          resolve(listed?.length ? successReply(listed) : failure('soundHangs'));
        }
        if (name === 'endTalk') resolve(failure('noTalk'));
      });
    },
    onNotice: (hear) => {
      listeners.push(hear);
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
    now: () => standing ?? performance.now(),
    startClock: () => {
      standing = undefined;
    },
    emit: (notice: Notice) => {
      for (const hear of listeners) hear(notice, 0);
    },
    /** A minute of a talk, up to now, for whoever draws how it went. */
    goThroughMinute: () => {
      if (standing === undefined) return;
      const end = standing;
      const say = (notice: Notice): void => {
        for (const hear of listeners) hear(notice, 0);
      };
      for (let second = 60; second >= 0; second -= 1) {
        standing = end - second * 1000;
        const wave = Math.sin(second * 0.7) + Math.sin(second * 0.31);
        const rmsDb = swing(second * 50);
        say({
          name: 'level',
          payload: { who: second % 9 < 4 ? 'you' : 'parley', rmsDb, peakDb: rmsDb },
        });
        say({
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
        say({
          name: 'talkLimits',
          payload: { seconds: 424, tokens, tokenSeconds: 480, pruning: false },
        });
      }
      standing = end;
    },
    /** Two seconds of a voice that rises and falls like speech, up to now. */
    speak: (levels: AppContext['levels'], who: 'you' | 'parley' | 'both' | undefined) => {
      if (who === undefined || standing === undefined) return;
      const end = standing;
      for (let step = 40; step >= 0; step -= 1) {
        standing = end - step * 50;
        for (const one of who === 'both' ? (['you', 'parley'] as const) : [who]) {
          // A person is as loud as microphones hear one; an answer is louder.
          const at = step * 50 + (one === 'you' ? 0 : 350);
          const louder = one === 'you' ? 0 : 8;
          const halvesDb = [swing(at + 37) + louder, swing(at + 12) + louder] as const;
          const rmsDb = swing(at + 25) + louder;
          levels.emit({ who: one, rmsDb, halvesDb, peakDb: rmsDb + 9 });
        }
      }
      standing = end;
    },
  };
}

export type GalleryCore = ReturnType<typeof createGalleryCore>;

/** Five syllables a second, in phrases of a second and a half: about −26 dBFS where it is loud. */
function swing(ms: number): number {
  const syllables = 0.5 + 0.5 * Math.sin((2 * Math.PI * ms) / 200);
  const phrase = 0.5 + 0.5 * Math.sin((2 * Math.PI * ms) / 1500 + 1);
  return -54 + 14 * syllables + 17 * phrase;
}

/** A still life for every picture; a clip is silent. */
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

async function paintedTalkPicture(
  resolve: (reply: Reply<RequestValue<'talkPicture'>>) => void,
): Promise<void> {
  resolve(successReply({ jpeg: (await painted).jpeg }));
}

/** Each group that is named with what is new of it. */
function changed(settings: RedactedSettings, patch: PageSettingsPatch): RedactedSettings {
  const groups = Object.keys(patch) as (keyof PageSettingsPatch)[];
  const event = groups.map((group) => [group, { ...settings[group], ...patch[group] }] as const);
  return { ...settings, ...Object.fromEntries(event) };
}
