import type { SessionEvent } from '../../../../../electron/talk/session/session-event.ts';
import {
  openSession,
  type Session,
  type SessionOptions,
} from '../../../../../electron/talk/session/session.ts';
import type {
  AppendEvent,
  ChatTurnEvent,
  ClientEvent,
  VoiceForm,
  DialectName,
  Mode,
  ServerEvent,
  ListenEvent,
  OutputEvent,
  ServerErrorEvent,
} from '../../../../../shared/protocol/realtime-api.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { type FakeSocket, FakeSockets } from '../../../../fakes/fake-sockets.ts';
import { seeded } from '../../../../fakes/seeded.ts';

interface Asked {
  readonly ask: ClientEvent;
  readonly dialect: DialectName;
  readonly connection: number;
}

type EventOf<Name extends SessionEvent['event']> = Extract<SessionEvent, { event: Name }>;

/** A session whose server, clock and random numbers are the test's. */
export class SessionHarness {
  readonly clock = new FakeClock();
  readonly sockets = new FakeSockets();
  readonly emitted: SessionEvent[] = [];
  readonly asked: Asked[] = [];
  readonly remembered: DialectName[] = [];
  readonly voiceForms: (VoiceForm | undefined)[] = [];
  readonly session: Session;
  readonly #events: ServerEvent[] = [];
  readonly #encoded: { readonly ask: ClientEvent; readonly dialect: DialectName }[] = [];
  readonly #rules = new Map<FakeSocket, SendRules>();

  constructor(options: Partial<SessionOptions> = {}, seed = 1) {
    this.session = openSession(
      { mode: 'audio', settings: {}, dialect: 'auto', chunkMs: 1000, ...options },
      {
        sockets: { connect: (mode, listener) => this.#connect(mode, listener) },
        clock: this.clock,
        random: seeded(seed),
        codec: {
          encodeClientEvent: (ask, dialect) => String(this.#encoded.push({ ask, dialect }) - 1),
          decodeServerEvent: (text) =>
            this.#events[Number(text)] ?? { kind: 'malformed', problem: 'not an event' },
        },
        emit: (event) => {
          this.emitted.push(event);
        },
        rememberDialect: (dialect, voiceForm) => {
          this.remembered.push(dialect);
          this.voiceForms.push(voiceForm);
        },
      },
    );
  }

  get socket(): FakeSocket {
    return this.sockets.line;
  }

  get broken(): readonly string[] {
    return [...this.#rules.values()].flatMap(({ broken }) => broken);
  }

  open(): this {
    if (this.socket.state !== 'connecting') return this;
    this.#rulesOf(this.socket).opened();
    this.socket.open();
    return this;
  }

  say(...events: readonly ServerEvent[]): this {
    for (const event of events) {
      if (this.socket.state === 'open') this.#rulesOf(this.socket).heard(event);
      this.socket.receive(String(this.#events.push(event) - 1));
    }
    return this;
  }

  close(code: number, reason = ''): this {
    this.#rulesOf(this.socket).ended();
    this.socket.end({ kind: 'closed', code, reason });
    return this;
  }

  live(): this {
    return this.open().say({ kind: 'admitted' }, { kind: 'created', sessionId: 's' });
  }

  /** Sends seconds of microphone sound, one block per second. */
  speak(seconds: number): this {
    for (let second = 0; second < seconds; second += 1) {
      this.clock.advance(1000);
      this.session.pushAudio(new Float32Array(16_000));
    }
    return this;
  }

  wait(milliseconds: number): this {
    this.clock.advance(milliseconds);
    return this;
  }

  emittedOf<Name extends SessionEvent['event']>(name: Name): readonly EventOf<Name>[] {
    return this.emitted.filter((event): event is EventOf<Name> => event.event === name);
  }

  get closed(): EventOf<'closed'> | undefined {
    return this.emittedOf('closed')[0];
  }

  get appends(): readonly AppendEvent[] {
    return this.asked.flatMap(({ ask }) => (ask.kind === 'append' ? [ask] : []));
  }

  get questions(): readonly ChatTurnEvent[] {
    return this.asked.flatMap(({ ask }) => (ask.kind === 'chat' ? [ask] : []));
  }

  /** Client events in short: `configure unified 0` was sent on the first connection. */
  get asks(): readonly string[] {
    return this.asked.map(({ ask, dialect, connection }) => `${ask.kind} ${dialect} ${connection}`);
  }

  #connect(...[mode, listener]: Parameters<FakeSockets['connect']>): FakeSocket {
    const socket = this.sockets.connect(mode, listener);
    const index = this.sockets.lines.length - 1;
    socket.onSend = (text) => {
      const encoded = this.#encoded[Number(text)];
      if (encoded === undefined) throw new Error('A frame was sent that was not encoded.');
      if (socket.closes.length > 0 || socket.terminated || socket.state === 'ended')
        this.#rulesOf(socket).ended();
      this.#rulesOf(socket).asked(encoded.ask, encoded.dialect);
      this.asked.push({ ...encoded, connection: index });
    };
    return socket;
  }

  #rulesOf(socket: FakeSocket): SendRules {
    const rules = this.#rules.get(socket) ?? new SendRules();
    this.#rules.set(socket, rules);
    return rules;
  }
}

export function chat(options: Partial<SessionOptions> = {}): SessionHarness {
  return new SessionHarness({ mode: 'chat' satisfies Mode, ...options });
}

/** Short descriptions of events about turns. */
export function turnsOf(harness: SessionHarness): readonly string[] {
  return harness.emitted.flatMap(describeTurn);
}

function describeTurn(event: SessionEvent): readonly string[] {
  if (event.event === 'text') return [`text ${event.turn} ${event.text}`];
  if (event.event === 'audio') return [`audio ${event.turn}`];
  if (event.event === 'turnEnded') return [`ended ${event.turn}`];
  if (event.event === 'listen') return [event.yields ? 'yields' : 'listens'];
  return [];
}

export function idOf(harness: SessionHarness): string {
  return harness.appends.at(-1)?.inputId ?? '';
}

/** Checks what a client sends by the documents alone. Violations are collected in `broken`. */
class SendRules {
  readonly broken: string[] = [];
  #open = false;
  #admitted = false;
  #created = false;
  #over = false;
  #configured: readonly DialectName[] = [];
  #inputIds: readonly string[] = [];

  opened(): void {
    this.#open = true;
  }

  heard(event: ServerEvent): void {
    if (event.kind === 'admitted') this.#admitted = true;
    if (event.kind === 'created' && this.#configured.length > 0) this.#created = true;
    if (event.kind === 'closed') this.#over = true;
  }

  /** Either side has closed the connection. */
  ended(): void {
    this.#over = true;
  }

  asked(ask: ClientEvent, dialect: DialectName): void {
    if (!this.#open) this.#break(`${ask.kind} before the connection was open`);
    if (this.#over) this.#break(`${ask.kind} after the end`);
    if (!this.#admitted) this.#break(`${ask.kind} while queued`);
    if (ask.kind === 'configure') this.#configure(dialect);
    else if (!this.#created) this.#break(`${ask.kind} before created`);
    if (ask.kind === 'close') this.#over = true;
    if (ask.kind === 'append') this.#append(ask.audio.length, ask.inputId);
    if (ask.kind === 'chat' && dialect === 'legacy') this.#break('chat in legacy');
    if (this.#created && dialect !== this.#configured.at(-1)) this.#break('changed the dialect');
  }

  #configure(dialect: DialectName): void {
    if (this.#created) this.#break('configured twice');
    if (this.#configured.includes(dialect)) this.#break(`configured in ${dialect} again`);
    this.#configured = [...this.#configured, dialect];
  }

  #append(samples: number, inputId: string | undefined): void {
    if (samples < 4000) this.#break(`an append of ${samples} samples`);
    if (inputId === undefined || this.#inputIds.includes(inputId)) this.#break('no id of its own');
    this.#inputIds = [...this.#inputIds.slice(-20), inputId ?? ''];
  }

  #break(rule: string): void {
    this.broken.push(rule);
  }
}

export const admitted: ServerEvent = { kind: 'admitted' };
export const created: ServerEvent = { kind: 'created', sessionId: 's' };

export function queued(position: number): ServerEvent {
  return { kind: 'queued', stage: 'joined', position, length: position + 1, etaSeconds: 20 };
}

export function text(words: string, inputId?: string): OutputEvent {
  return { kind: 'output', wire: 'unified', text: words, inputId };
}

export function sound(inputId?: string, samples = 24_000): OutputEvent {
  return { kind: 'output', wire: 'unified', audio: new Float32Array(samples), inputId };
}

export function listen(inputId?: string): ListenEvent {
  return { kind: 'listen', wire: 'unified', inputId };
}

export function delta(words: string, endOfTurn: boolean): OutputEvent {
  return {
    kind: 'output',
    wire: 'legacy',
    text: words,
    audio: new Float32Array(24_000),
    endOfTurn,
  };
}

export const legacyListen: ListenEvent = { kind: 'listen', wire: 'legacy' };

export function error(code: string, message = 'said so'): ServerErrorEvent {
  return { kind: 'error', code, message };
}

export function closed(reason: string, diagnostic?: string): ServerEvent {
  return { kind: 'closed', reason, diagnostic };
}
