import { ClockedPlayback, type Playback } from '../../../../electron/audio/playback/playback.ts';
import { AnswerPlayer } from '../../../../electron/chat/answer-player.ts';
import {
  OpenThread,
  type OpenThreadDeps,
  type OpenThreadOptions,
} from '../../../../electron/chat/open-thread.ts';
import { MediaCache } from '../../../../electron/chat/attachments.ts';
import { openSession } from '../../../../electron/talk/session/session.ts';
import type {
  ChatPatch,
  AssistantTurn,
  ChatThread,
  Part,
  Turn,
} from '../../../../shared/chat/chat-thread.ts';
import type {
  ChatTurnEvent,
  ClientEvent,
  DoneEvent,
  ServerEvent,
} from '../../../../shared/protocol/realtime-api.ts';
import { type ChatSettings, chatSettings } from '../../../../shared/settings/assistant-settings.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';
import { type FakeSocket, FakeSockets } from '../../../fakes/fake-sockets.ts';
import { seeded } from '../../../fakes/seeded.ts';

/** The initial settings, with the server's own voice. */
const ownVoice = { ...chatSettings.initial, voice: 'none' };

type PatchOf<Kind extends ChatPatch['kind']> = Extract<ChatPatch, { kind: Kind }>;

export function words(text: string): readonly Part[] {
  return [{ type: 'text', text }];
}

export function done(text: string, audio?: Float32Array): DoneEvent {
  return { kind: 'done', text, reason: 'turn_end', audio };
}

/** A written conversation over real sessions, with the test as server, clock, random source and user. */
export class OpenThreadHarness {
  readonly clock = new FakeClock();
  readonly sockets = new FakeSockets();
  readonly media = new MediaCache();
  readonly patches: ChatPatch[] = [];
  readonly saved: ChatThread[] = [];
  readonly asked: { readonly ask: ClientEvent; readonly line: number }[] = [];
  heardSamples = 0;
  readonly chat: OpenThread;
  readonly playback: Playback;
  readonly #events: ServerEvent[] = [];
  readonly #encoded: ClientEvent[] = [];

  constructor(
    options: Partial<ChatSettings> = {},
    {
      conversation,
      past,
      ...deps
    }: Partial<OpenThreadDeps> & Pick<OpenThreadOptions, 'conversation' | 'past'> = {},
  ) {
    const random = seeded(7);
    this.playback = new ClockedPlayback({
      rate: 24_000,
      onHeard: (samples) => {
        this.heardSamples += samples.filter((sample) => sample !== 0).length;
      },
    });
    this.chat = new OpenThread(
      { conversation, past, options: { ...ownVoice, ...options } },
      {
        openSession: (emit) =>
          openSession(
            { mode: 'chat', settings: {}, dialect: 'auto', chunkMs: 1000 },
            {
              sockets: { connect: (mode, listener) => this.#connect(mode, listener) },
              clock: this.clock,
              random,
              emit,
              rememberDialect: () => undefined,
              codec: {
                encodeClientEvent: (ask) => String(this.#encoded.push(ask) - 1),
                decodeServerEvent: (text) =>
                  this.#events[Number(text)] ?? { kind: 'malformed', problem: 'no event' },
              },
            },
          ),
        clock: this.clock,
        wallClock: () => 1_000_000 + this.clock.now(),
        random,
        media: this.media,
        emit: (patch) => {
          this.patches.push(patch);
        },
        onChanged: (conversation) => {
          this.saved.push(conversation);
        },
        player: new AnswerPlayer({
          clock: this.clock,
          playback: this.playback,
        }),
        ...deps,
      },
    );
  }

  get turns(): readonly Turn[] {
    return this.chat.conversation.turns;
  }

  /** The newest answer. */
  get answer(): AssistantTurn {
    const turn = this.turns.findLast(({ role }) => role === 'assistant');
    if (turn?.role !== 'assistant') throw new Error('The last turn is not an answer.');
    return turn;
  }

  get questions(): readonly ChatTurnEvent[] {
    return this.asked.flatMap(({ ask }) => (ask.kind === 'chat' ? [ask] : []));
  }

  /** Makes the newest connection live at once. */
  live(): this {
    this.sockets.line.open();
    return this.say({ kind: 'admitted' }, { kind: 'created', sessionId: 's' });
  }

  say(...events: readonly ServerEvent[]): this {
    for (const event of events) this.sockets.line.receive(String(this.#events.push(event) - 1));
    return this;
  }

  /** A question with its whole answer. */
  exchange(question: string, answer: string): this {
    const first = this.sockets.lines.length === 0;
    this.chat.send(words(question));
    if (first) this.live();
    return this.say(done(answer));
  }

  patchesOf<Kind extends ChatPatch['kind']>(kind: Kind): readonly PatchOf<Kind>[] {
    return this.patches.filter((patch): patch is PatchOf<Kind> => patch.kind === kind);
  }

  #connect(...[mode, listener]: Parameters<FakeSockets['connect']>): FakeSocket {
    const line = this.sockets.connect(mode, listener);
    const index = this.sockets.lines.length - 1;
    line.onSend = (text) => {
      const ask = this.#encoded[Number(text)];
      if (ask !== undefined) this.asked.push({ ask, line: index });
    };
    return line;
  }
}

/** A page: what it shows is what the patches say, and nothing else. */
export function pageOf(begin: ChatThread, patches: readonly ChatPatch[]): ChatThread {
  let shown = begin;
  const change = (id: string, edit: (turn: AssistantTurn) => Partial<AssistantTurn>): void => {
    const turns = shown.turns.map((turn) =>
      turn.id === id && turn.role === 'assistant' ? { ...turn, ...edit(turn) } : turn,
    );
    shown = { ...shown, turns };
  };
  for (const patch of patches) {
    if (patch.kind === 'replaced') shown = patch.conversation;
    else if (patch.kind === 'added') shown = { ...shown, turns: [...shown.turns, patch.turn] };
    else if (patch.kind === 'titled') shown = { ...shown, title: patch.title };
    else if (patch.kind === 'rewritten') change(patch.turn, () => ({ text: patch.text }));
    else if (patch.kind === 'speech') change(patch.turn, () => ({ speechSeconds: patch.seconds }));
    else if (patch.kind === 'answer') {
      change(patch.turn, () => ({ state: patch.state, stats: patch.stats }));
    } else if (patch.kind === 'text') {
      change(patch.turn, ({ text }) => {
        if (text.length !== patch.from) throw new Error('A piece of text was lost.');
        return { text: text + patch.text };
      });
    }
  }
  return shown;
}

export function conversation(id: string, said: string, more: Partial<ChatThread> = {}): ChatThread {
  const parts: readonly Part[] = [{ type: 'text', text: said }];
  return {
    id,
    title: said.slice(0, 10),
    createdAt: 1,
    updatedAt: 1,
    pinned: false,
    turns: [{ role: 'user', id: `${id}1`, at: 1, parts }],
    branches: [],
    ...more,
  };
}
