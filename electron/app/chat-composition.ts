import { isSameDevice } from '../../shared/settings/audio-settings.ts';
import { defaultChunkMs, outputRate } from '../../shared/protocol/realtime-api.ts';
import {
  endpointAddress,
  chosenEndpoint,
  isSameEndpoint,
} from '../../shared/settings/connection-settings.ts';
import { JitterBuffer } from '../audio/playback/jitter-buffer.ts';
import type { Speaker } from '../audio/playback/speaker.ts';
import type { FormatChatMemory } from '../chat/chat-context.ts';
import { openChatController, createChatHandlers } from '../chat/chat-controller.ts';
import { ChatOpener, ChatPace, ChatSessions } from '../chat/chat-opener.ts';
import { AnswerPlayer } from '../chat/answer-player.ts';
import { createChatIndex } from '../recordings/history/chat-history-source.ts';
import { indexChatChanges } from '../recordings/history/index-sync.ts';
import type { VoiceLibrary } from '../settings/voices/voice-library.ts';
import type { AudioComposition } from './audio-composition.ts';
import type { Machine } from './machine.ts';
import type { MemoryComposition } from './memory-composition.ts';
import type { RecordingsComposition } from './recordings-composition.ts';
import type { ServersComposition } from './servers-composition.ts';
import type { ToolsComposition } from './tools-composition.ts';

/** The speaker stays open this long after an answer, because another may follow at once. */
const closeAfterMs = 4000;

interface Parts {
  readonly machine: Machine;
  readonly servers: ServersComposition;
  readonly audio: AudioComposition;
  readonly voices: Pick<VoiceLibrary, 'sound'>;
  readonly recordings: RecordingsComposition;
  readonly memory: Pick<MemoryComposition, 'sender' | 'suggester' | 'past' | 'formatPast'>;
  readonly tools: Pick<ToolsComposition, 'forChats'>;
}

/** Written chats. The stored ones are read at the first request. */
export class ChatComposition {
  readonly opener: ChatOpener;
  readonly #parts: Parts;
  readonly #speaker: Speaker;
  readonly #player: AnswerPlayer;
  readonly #sessions: ChatSessions;
  /** The id of the server that the newest session was opened with. */
  #lastServer: string | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    const { machine, servers, audio, recordings } = parts;
    this.#speaker = this.#createSpeaker();
    const playback = new JitterBuffer({
      rate: outputRate,
      onHeard: () => undefined,
      clock: machine.clock,
      speaker: this.#speaker,
      stepMs: defaultChunkMs,
      answerStart: () => servers.settings.get().talking.answers,
    });
    const { clock } = machine;
    this.#player = new AnswerPlayer({ clock, playback, canPlay: () => audio.lock.isFree });
    this.#sessions = this.#openSessions(new ChatPace(servers.paces, playback));
    this.opener = this.#createOpener();
    audio.lock.onTaken(() => this.silence());
    recordings.sync.onScanned(this.opener.foldersScanned);
    machine.lifetime.add(
      recordings.sync.onChange(({ does, ref }) => {
        if (does === 'deleted') this.opener.forgetDeleted(ref);
      }),
      'history listener: chats',
    );
    machine.lifetime.add(() => this.#speaker.end(), 'chat speaker');
    machine.lifetime.add(this.#followSettings(), 'settings listener: chats');
    const yieldToTalk = servers.model.arbiter.onTalkWaits(() =>
      this.#sessions.release(this.opener.isBusy),
    );
    machine.lifetime.add(yieldToTalk, 'listener of the model: chats');
  }

  silence(): void {
    this.#player.silence();
    void this.#speaker.close();
  }

  /** Ends the open sessions, at once or after the running answer. The next question opens new ones. */
  releaseSessions(): void {
    this.#sessions.release(this.opener.isBusy);
  }

  /** The parts of Chat that the quick ask shares: its sessions, speaker, voices, memory and tools. */
  get shared() {
    const { voice, readyVoice } = this.opener;
    const { openShared: openSession } = this.#sessions;
    const memory = () => this.#readMemory();
    const tools = this.#parts.tools.forChats;
    const contextTokens = () => this.#contextTokens();
    return { openSession, player: this.#player, voice, readyVoice, memory, tools, contextTokens };
  }

  handlers() {
    const { machine, servers, audio, memory } = this.#parts;
    const { controller: openController, readyVoice } = this.opener;
    return createChatHandlers({
      openController,
      readyVoice,
      findPast: memory.past.find,
      devices: audio.devices,
      settings: servers.soundSettings,
      lock: audio.lock,
      post: machine.notices.post,
      stamp: (view) => machine.notices.stamp(view),
    });
  }

  #createSpeaker(): Speaker {
    const { machine, servers, audio } = this.#parts;
    const { speaker: device, playbackVolume } = servers.soundSettings.get().audio;
    const speaker = audio.devices.createSpeaker({
      device,
      closeAfterMs,
      emit: (event) => {
        if (event.kind === 'lost') machine.notices.post('chatProblem', event.error);
      },
    });
    speaker.setVolume(playbackVolume);
    return speaker;
  }

  #openSessions(pace: ChatPace): ChatSessions {
    const { servers } = this.#parts;
    return new ChatSessions((emit) => {
      this.#parts.memory.suggester.cancelRequest();
      const profile = chosenEndpoint(servers.settings.get().endpoints);
      this.#lastServer = profile.id;
      const release = pace.useServer({ id: profile.id, address: endpointAddress(profile) });
      return servers.openWrittenSession(profile.id, (event) => {
        if (event.event === 'closed') release();
        emit(event);
      });
    });
  }

  #createOpener(): ChatOpener {
    const { machine, servers, voices, recordings, memory: known, tools } = this.#parts;
    const { clock, wallClock, random, pictures, notices, lifetime } = machine;
    const { library, sync, retention } = recordings;
    const store = indexChatChanges(machine.chatStore, sync);
    const index = createChatIndex(library);
    return new ChatOpener({
      settings: servers.settings,
      voiceSound: (id) => voices.sound(id),
      presetMessages: servers.texts.presetMessages,
      carryOverMessages: servers.texts.carryOverMessages,
      sessions: this.#sessions,
      notices,
      retention,
      trash: recordings.openTrash('chats'),
      folder: machine.dataFolder('chats'),
      chatStore: store,
      lifetime,
      memory: () => this.#readMemory(),
      formatPast: known.formatPast,
      onAnswered: (id) => {
        // Only a server that has read the conversation may be asked for suggestions. A server chosen during the answer has not.
        const { chosen } = servers.settings.get().endpoints;
        if (chosen === this.#lastServer)
          this.#parts.memory.suggester.noteServer({ kind: 'chat', id }, chosen);
      },
      open: (how, { voice, defaultSystemPrompt, memory, formatPast, continuePrompt, emit }) =>
        openChatController(how, {
          clock,
          wallClock,
          random,
          pictures,
          store,
          index,
          player: this.#player,
          tools: tools.forChats,
          contextTokens: () => this.#contextTokens(),
          openSession: this.#sessions.openSession,
          voice,
          defaultSystemPrompt,
          memory,
          formatPast,
          continuePrompt,
          emit,
        }),
    });
  }

  /** A chat with its own system prompt ignores the role that the settings choose. */
  async #readMemory(): Promise<FormatChatMemory> {
    const { servers, memory } = this.#parts;
    const format = await memory.sender.prepare();
    return (instructions, hasOwnPrompt) => {
      const { preset } = servers.settings.get().assistant;
      const contextTokens = this.#contextTokens();
      return format({ role: hasOwnPrompt ? undefined : preset, instructions, contextTokens });
    };
  }

  #contextTokens(): number | undefined {
    const { servers } = this.#parts;
    return servers.contextTokens(chosenEndpoint(servers.settings.get().endpoints).id);
  }

  #followSettings(): () => void {
    return this.#parts.servers.settings.listen((event) => {
      if (event.kind !== 'changed') return;
      const { settings: now, before } = event;
      this.#speaker.setVolume(now.audio.playbackVolume);
      if (!isSameDevice(now.audio.speaker, before.audio.speaker))
        void this.#speaker.choose(now.audio.speaker);
      this.opener.settingsChanged(now);
      const [server, serverBefore] = [
        chosenEndpoint(now.endpoints),
        chosenEndpoint(before.endpoints),
      ];
      if (!isSameEndpoint(server, serverBefore)) this.#sessions.release(this.opener.isBusy);
    });
  }
}
