import type { Lifetime } from '../../shared/lifetime.ts';
import { openOnce } from '../../shared/open-once.ts';
import type { ChatOptions } from '../../shared/chat/chat-options.ts';
import type { ChatPatch } from '../../shared/chat/chat-patch.ts';
import { outputRate } from '../../shared/protocol/protocol-limits.ts';
import { chatOptionsOf } from '../../shared/settings/chat-settings.ts';
import type { Settings } from '../../shared/settings/settings.ts';
import { endpointOf } from '../../shared/settings/endpoint-profile.ts';
import type { EndpointProfile } from '../../shared/settings/endpoint-profile.ts';
import { createChatStore } from '../adapters/files/chat-store.ts';
import { JitterBuffer } from '../sound/playback/jitter-buffer.ts';
import { openChatController } from '../chat/chat-controller.ts';
import type { ChatController } from '../chat/chat-controller.ts';
import { isSameDevice } from '../sound/devices/same-device.ts';
import type { SessionServices } from './compose-sessions.ts';
import type { SettingsServices } from './compose-settings.ts';
import type { SoundServices } from './compose-sound.ts';
import type { VoiceServices } from './compose-voices.ts';
import { createChatHandlers } from '../controllers/chat-handlers.ts';
import { ChatSessions } from '../controllers/chat-sessions.ts';
import type { ChatHandlers } from '../controllers/controller-handlers.ts';
import { lazySockets } from '../controllers/lazy-sockets.ts';
import { ChatPace } from '../controllers/chat-pace.ts';
import type { ServerPaces } from '../controllers/server-paces.ts';
import type { DeviceLock } from '../controllers/device-lock.ts';
import { retentionCutoff } from '../controllers/privacy-handlers.ts';
import { YieldingPlayer } from '../controllers/yielding-player.ts';
import type { NoticeBoard } from '../ipc/notice-board.ts';
import type { Clock, Random } from '../ports/clock.ts';
import type { Outcome } from '../ports/outcome.ts';
import type { Pictures } from '../ports/pictures.ts';

/** Written conversations; nothing of them is read or opened before they are asked for. */
export interface ChatServices {
  readonly chats: () => Promise<ChatController>;
  /** Silences an answer that is being spoken, and lets the speaker go. */
  readonly silenceChats: () => void;
}

interface Deps
  extends
    Pick<SessionServices, 'openSession'>,
    Pick<SettingsServices, 'settings' | 'endpoints'>,
    Pick<SoundServices, 'createSpeaker' | 'openMicrophone'>,
    Pick<VoiceServices, 'voiceSound'> {
  readonly folder: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly pictures: Pictures;
  readonly notices: NoticeBoard;
  readonly lock: DeviceLock;
  readonly paces: ServerPaces;
  readonly lifetime: Lifetime;
}

/** What servers take for granted. */
const stepMs = 1000;
/** The next answer may follow at once. */
const closeAfterMs = 4000;

export function composeChat(deps: Deps): ChatServices & { readonly handlers: ChatHandlers } {
  const { settings, endpoints, clock, notices, lock, paces, lifetime } = deps;
  const { speaker: device, playbackVolume } = settings.get().audio;
  const speaker = deps.createSpeaker({
    device,
    closeAfterMs,
    emit: (event) => {
      if (event.kind !== 'lost') return;
      notices.post('chatProblem', event.error);
    },
  });
  speaker.setVolume(playbackVolume);
  const playback = new JitterBuffer({
    rate: outputRate,
    heard: nobodyListens,
    clock,
    speaker,
    stepMs,
  });
  const player = new YieldingPlayer({ clock, playback }, () => lock.free);

  const pace = new ChatPace(paces, playback);
  const sessions = new ChatSessions((emit) => {
    const profile = chosen(settings.get().endpoints);
    const endpoint = profile.kind === 'embedded' ? undefined : endpointOf(profile);
    const address = endpoint?.ok === true ? endpoint.value.url : undefined;
    const over = pace.answersFrom(address);
    return deps.openSession(
      { mode: 'chat', settings: {}, dialect: profile.dialect, chunkMs: stepMs },
      {
        emit: (event) => {
          if (event.event === 'closed') over();
          emit(event);
        },
        server: address,
        sockets: lazySockets(async () => {
          const connected = await endpoints.connect(profile.id);
          return connected.ok ? { ok: true, value: connected.value.sockets } : connected;
        }),
      },
    );
  });

  const known = new Map<string, Float32Array>();
  const readyVoice = async (id: string | undefined): Promise<Outcome<undefined>> => {
    if (id === undefined) return done;
    const sound = await deps.voiceSound(id);
    if (!sound.ok) return sound;
    known.set(id, sound.value);
    return done;
  };

  const open = async (): Promise<ChatController> => {
    const { privacy } = settings.get();
    const persisted = wantedOptions(settings.get());
    const ready = await readyVoice(persisted.voice);
    const options: ChatOptions = ready.ok ? persisted : { ...persisted, voice: undefined };
    const controller = await openChatController(
      { keep: privacy.keepChats, options },
      {
        ...deps,
        wallClock: () => Date.now(),
        store: createChatStore(deps.folder),
        player,
        openSession: sessions.openSession,
        voice: (id) => known.get(id),
        emit: (event) => {
          if (event.kind === 'problem') notices.post('chatProblem', event.error);
          else if (event.kind !== 'list') postPatch(event);
          // While the controller is being opened nobody has a list yet.
          else if (opened !== undefined) notices.post('chatList', opened.list());
        },
      },
    );
    opened = controller;
    lifetime.add(controller.close);
    // What was stored took its time to be read, and nobody was there to take a change.
    const { keepChats } = settings.get().privacy;
    if (keepChats !== privacy.keepChats) controller.setKeep(keepChats);
    await applyOptions();
    const oldest = retentionCutoff(privacy, Date.now());
    const old = controller
      .list()
      .filter(({ pinned, updatedAt }) => !pinned && updatedAt < (oldest ?? 0));
    for (const { id } of old) {
      const removed = await controller.remove(id);
      if (removed.ok) continue;
      notices.post('chatProblem', removed.error);
    }
    return controller;
  };

  const postPatch = (patch: ChatPatch): void => {
    notices.post('chatPatch', patch);
    if (patch.kind === 'answer' && patch.state.kind !== 'streaming') sessions.answered();
  };

  let opened: ChatController | undefined;
  const openController = openOnce(open);

  /** Changed elsewhere: in the settings, or by another Parley. */
  const applyOptions = async (): Promise<void> => {
    const options = wantedOptions(settings.get());
    if (opened === undefined || isSame(options, opened.chat.options)) return;
    const ready = await readyVoice(options.voice);
    // A voice takes its time to be read: what was set since then has been applied by itself.
    if (ready.ok && isSame(options, wantedOptions(settings.get()))) opened.chat.setOptions(options);
  };

  const stopListening = settings.listen((event) => {
    if (event.kind !== 'changed') return;
    const { settings: now, before } = event;
    speaker.setVolume(now.audio.playbackVolume);
    if (!isSameDevice(now.audio.speaker, before.audio.speaker))
      void speaker.choose(now.audio.speaker);
    opened?.setKeep(now.privacy.keepChats);
    void applyOptions();
    if (isSame(chosen(now.endpoints), chosen(before.endpoints))) return;
    sessions.serverChanged(opened?.chat.busy ?? false);
  });
  lifetime.add(() => speaker.end());
  lifetime.add(stopListening);

  return {
    chats: openController,
    silenceChats: () => {
      player.silence();
      void speaker.close();
    },
    handlers: createChatHandlers({
      ...deps,
      openController,
      readyVoice,
      post: (name, payload) => {
        notices.post(name, payload);
      },
      stamp: (view) => notices.stamp(view),
    }),
  };
}

const done = { ok: true, value: undefined } as const;

const nobodyListens = (): void => undefined;

const wantedOptions = ({ chat, voices }: Settings): ChatOptions =>
  chatOptionsOf(chat, voices.speech);

function chosen(endpoints: {
  readonly chosen: string;
  readonly list: readonly EndpointProfile[];
}): EndpointProfile {
  const [demonstration] = endpoints.list;
  const found = endpoints.list.find(({ id }) => id === endpoints.chosen) ?? demonstration;
  if (found === undefined) throw new Error('the demonstration is always there');
  return found;
}

function isSame<Value>(one: Value, other: Value): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
