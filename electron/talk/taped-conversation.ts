import type { TapeBeginning, TapeEvent } from '../../shared/recordings/tape-event.ts';
import type { DeviceRole } from '../../shared/talk/talk-state.ts';
import type { DeviceEvent } from '../audio/devices/stream-supervisor.ts';
import type {
  Conversation,
  ConversationDeps,
  ConversationEvent,
  ConversationOptions,
  ConversationTape,
  RecordTalk,
} from './conversation.ts';
import { LiveConversation } from './live-conversation.ts';

type WriteTapeEvent = (event: TapeEvent) => void;

/** Opens a conversation of which everything is written down that its wire does not show. */
export function openTapedConversation(
  options: ConversationOptions,
  deps: ConversationDeps,
  { write, answered, sounded, devices }: RecordTalk,
  versions: TapeBeginning['versions'],
): Conversation {
  const { talking, yielding = 'auto', reconnects = true, settings } = options;
  const { handsOver, sessionSeconds } = options;
  const { maxSlices: slices } = settings;
  write({
    kind: 'began',
    versions,
    talking,
    yielding,
    reconnects,
    handsOver,
    slices,
    sessionSeconds,
    ...devices,
  });
  const emit = (event: ConversationEvent): void => {
    tapeEmitted(write, event);
    if (event.event === 'text') answered?.(event.turn, 0);
    else if (event.event === 'audio') answered?.(event.turn, event.audio.length);
    deps.emit(event);
  };
  const random = (): number => {
    const value = deps.random();
    write({ kind: 'chance', value });
    return value;
  };
  const tape = tapeOf(write);
  const said: ConversationDeps['said'] = (samples, isPersons, voice) => {
    sounded?.('you', samples);
    deps.said?.(samples, isPersons, voice);
  };
  const played = (samples: Float32Array): void => {
    sounded?.('parley', samples);
    deps.played?.(samples);
  };
  const inner = new LiveConversation(options, { ...deps, random, emit, played, said, tape });
  return new TapedConversation(inner, write);
}

function tapeEmitted(write: WriteTapeEvent, event: ConversationEvent): void {
  if (event.event === 'controls') write({ kind: 'controls', controls: event.controls });
  else if (event.event === 'floor') write({ kind: 'floor', floor: event.floor });
  else if (event.event === 'devices') write({ kind: 'devices', devices: event.devices });
  else if (event.event === 'closed' && event.error.code === 'lostInSleep')
    write({ kind: 'lostInSleep' });
}

function tapeOf(write: WriteTapeEvent): ConversationTape {
  return {
    heard: (turn, samples) => {
      write({ kind: 'heard', turn, samples });
    },
    handOver: (step) => {
      write({ kind: 'handOver', step });
    },
    bargeIn: (does) => {
      write({ kind: 'bargeIn', does });
    },
  };
}

/** The same conversation, with what is done to it written down before it is done. */
class TapedConversation implements Conversation {
  readonly chunkMs: number;
  readonly controls: Conversation['controls'];
  readonly #inner: Conversation;
  readonly #write: WriteTapeEvent;

  constructor(inner: Conversation, write: WriteTapeEvent) {
    this.#inner = inner;
    this.#write = write;
    this.chunkMs = inner.chunkMs;
    this.controls = inner.controls;
  }

  interrupt(): void {
    this.#write({ kind: 'interrupt' });
    this.#inner.interrupt();
  }

  continueTalk(carry: 'transcript' | 'nothing'): void {
    this.#write({ kind: 'continue', carry });
    this.#inner.continueTalk(carry);
  }

  onSystemWake(): void {
    this.#write({ kind: 'wake' });
    this.#inner.onSystemWake();
  }

  onNetworkBack(): void {
    this.#write({ kind: 'networkBack' });
    this.#inner.onNetworkBack();
  }

  end(): void {
    this.#write({ kind: 'end' });
    this.#inner.end();
  }

  pushAudio(block: Float32Array): void {
    this.#inner.pushAudio(block);
  }

  pushFrame(frame: Uint8Array | undefined): void {
    this.#inner.pushFrame(frame);
  }

  setMaxSlices(slices: number): void {
    this.#inner.setMaxSlices(slices);
  }

  setPaused(paused: boolean): void {
    this.#inner.setPaused(paused);
  }

  sounding(): boolean {
    return this.#inner.sounding();
  }

  stats(): ReturnType<Conversation['stats']> {
    return this.#inner.stats();
  }

  latency(): ReturnType<Conversation['latency']> {
    return this.#inner.latency();
  }

  onDeviceEvent(role: DeviceRole, event: DeviceEvent): void {
    this.#inner.onDeviceEvent(role, event);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }
}
