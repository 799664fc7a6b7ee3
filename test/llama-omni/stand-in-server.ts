import type { DemoSpeech } from '../../electron/gateway/gateway-options.ts';
import { bufferBase64 } from '../../electron/platform/system/base64-sha256.ts';
import { encodeWav } from '../../shared/audio/wav.ts';
import type { Clock, Random } from '../../shared/ports/clock.ts';
import { decodePcm, encodePcm } from '../../shared/protocol/base64-media.ts';
import { isJsonObject, parseJsonObject } from '../../shared/protocol/json.ts';
import { StandInChat, StandInDuplex, type StandInEvent } from './stand-in-models.ts';
import type { StandInFaults } from './stand-in-faults.ts';
import { standInLog } from './stand-in-log.ts';

/** Checks the voice of a session as the C++ server does; returns the code of its error. */
function voiceFailure(voice: unknown): string | undefined {
  const { ref_audio, tts_ref_audio } = isJsonObject(voice) ? voice : {};
  // The real server's default voice is at a path of the machine that built it.
  if (ref_audio === undefined) return 'voice_prefill_failed';
  if (readPcm(ref_audio) === undefined) return 'voice_audio_decode_failed';
  const isBad = tts_ref_audio !== undefined && readPcm(tts_ref_audio) === undefined;
  return isBad ? 'tts_voice_audio_decode_failed' : undefined;
}

/** Undefined unless the text is base64 of whole samples. */
function readPcm(text: unknown): Float32Array | undefined {
  if (typeof text !== 'string' || text === '') return undefined;
  const bytes = bufferBase64.decode(text);
  return bytes === undefined ? undefined : decodePcm(bytes)?.audio;
}

/** Counters for tests, at `/stand-in`, a route that the real server does not have. */
export interface StandInReport {
  readonly prompt: string | undefined;
  /** Whether a duplex prompt has the tokens that complete the server's own prefix. */
  readonly isPromptComplete: boolean;
  readonly loads: number;
  readonly sessions: number;
  readonly appends: number;
  readonly framesOffered: number;
  readonly framesUsed: number;
  readonly forcedListens: number;
  readonly maxWaiting: number;
  /** Turns of a talk in which the model spoke. */
  readonly turnsSpoken: number;
  readonly turnsAsked: number;
  readonly textSent: string;
  readonly samplesSent: number;
  readonly contextSlid: boolean;
  readonly tokens: number;
}

/** The server's end of a client's WebSocket at `/backend`. */
interface StandInClientSocket {
  readonly send: (text: string) => void;
  readonly close: () => void;
}

/** Handles the frames of one client. */
interface StandInConnection {
  /** Undefined for a binary message. */
  readonly receive: (text: string | undefined) => void;
  readonly disconnected: () => void;
}

/** Stores the sound and pictures of appends. If the disk is full, `save` throws an error with the path as its message. */
export interface StandInMedia {
  readonly save: (session: string, name: string, bytes: Uint8Array) => void;
  readonly remove: (session: string) => void;
}

export interface StandInServerDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly speech: DemoSpeech;
  readonly faults: StandInFaults;
  readonly contextSize: number;
  readonly modelFolder: string;
  readonly media: StandInMedia;
  readonly log: (line: string) => void;
  /** Ends the process. A crash ends it by a signal. */
  readonly exit: (how: 'crash' | 'outOfMemory') => void;
}

type Mutable<Value> = { -readonly [Key in keyof Value]: Value[Key] };

interface Session {
  readonly id: string;
  readonly peer: StandInClientSocket;
  state: 'waiting' | 'creating' | 'live' | 'over';
  duplex?: StandInDuplex;
  chat?: StandInChat;
}

const defaultLoadMs = 300;
const hugeMessageBytes = 100 * 1024 * 1024;
const completePrompt = /^<\|audio_end\|>(?:(?!<\|)[\s\S])*<\|im_end\|>\n$/u;

/** Stand-in for `llama-omni-server` without its sockets: one session at a time. The first session loads the model. */
export class StandInServer {
  readonly #deps: StandInServerDeps;
  #loaded: { readonly mode: string; readonly useTts: boolean } | undefined;
  #session: Session | undefined;
  readonly #report: Mutable<StandInReport> = {
    prompt: undefined,
    isPromptComplete: false,
    loads: 0,
    sessions: 0,
    appends: 0,
    framesOffered: 0,
    framesUsed: 0,
    forcedListens: 0,
    maxWaiting: 0,
    turnsSpoken: 0,
    turnsAsked: 0,
    textSent: '',
    samplesSent: 0,
    contextSlid: false,
    tokens: 0,
  };

  constructor(deps: StandInServerDeps) {
    this.#deps = deps;
  }

  get report(): StandInReport {
    return this.#report;
  }

  connect(peer: StandInClientSocket): StandInConnection {
    if (this.#session !== undefined) {
      peer.close();
      return { receive: () => undefined, disconnected: () => undefined };
    }
    const number = Math.floor(this.#deps.random() * 0xff_ff_ff).toString(16);
    const session: Session = { id: `omni_${number.padStart(6, '0')}`, peer, state: 'waiting' };
    this.#session = session;
    return {
      receive: (text) => {
        this.#receive(session, text);
      },
      disconnected: () => {
        this.#endSession(session, 'client_disconnected');
      },
    };
  }

  /** `POST /sessions/{id}/close`; resolves to false for an unknown session. */
  async closeSession(id: string): Promise<boolean> {
    const session = this.#session;
    if (session?.id !== id) return false;
    await new Promise<void>((resolve) => {
      // The real server first stops its threads.
      this.#deps.clock.after(50, resolve);
    });
    this.#close(session, 'client_closed');
    return true;
  }

  end(): void {
    if (this.#session !== undefined) this.#endSession(this.#session, 'shutdown');
  }

  #receive(session: Session, text: string | undefined): void {
    if (session.state === 'over') return;
    const frame = text === undefined ? undefined : parseJsonObject(text);
    if (session.state === 'waiting') {
      if (frame?.['type'] === 'session.init') void this.#initSession(session, frame['payload']);
      else this.#rejectProtocol(session);
      return;
    }
    if (frame === undefined || text === undefined) this.#close(session, 'invalid_json');
    else if (frame['type'] !== 'input.append') this.#close(session, 'unexpected_message_type');
    else if (session.state === 'creating') session.peer.close();
    else this.#receiveInput(session, frame['input'], text);
  }

  /** Closes the connection without a `session.closed`. */
  #rejectProtocol(session: Session): void {
    session.peer.close();
    this.#endSession(session, 'protocol');
  }

  async #initSession(session: Session, payload: unknown): Promise<void> {
    session.state = 'creating';
    const { faults, clock, log } = this.#deps;
    const { mode, use_tts, system_prompt, voice, config } = isJsonObject(payload) ? payload : {};
    if (mode !== 'full_duplex' && mode !== 'turn_based') {
      this.#rejectProtocol(session);
      return;
    }
    const useTts = use_tts !== false;
    if (faults.neverReady === true) return;
    if (!(await this.#load(session, mode, useTts))) return;
    const failure = voiceFailure(voice);
    if (failure !== undefined) {
      log(standInLog.initFailed(failure));
      this.#close(session, failure);
      return;
    }
    // A reused context keeps the last prompt.
    if (typeof system_prompt === 'string' && system_prompt !== '')
      this.#report.prompt = system_prompt;
    this.#report.isPromptComplete =
      mode === 'turn_based' || completePrompt.test(this.#report.prompt ?? '');
    if (!this.#report.isPromptComplete)
      log(`stand-in: the prompt breaks the prefix: ${JSON.stringify(this.#report.prompt)}`);
    this.#report.sessions += 1;
    session.state = 'live';
    log(standInLog.sessionBegun(session.id, mode));
    if (mode === 'turn_based') this.#openChat(session);
    else this.#openDuplex(session, useTts, forcedListens(config));
    session.peer.send(
      JSON.stringify({
        type: 'session.created',
        session_id: session.id,
        mode,
        server_send_ts: clock.now() / 1000,
        metrics: this.#metrics(session),
      }),
    );
  }

  async #load(session: Session, mode: string, useTts: boolean): Promise<boolean> {
    if (this.#loaded?.mode === mode && this.#loaded.useTts === useTts) return true;
    const { clock, faults, log, modelFolder, contextSize } = this.#deps;
    this.#loaded = undefined;
    this.#report.prompt = undefined;
    const lines = standInLog.loading(modelFolder, contextSize);
    for (const [index, line] of lines.entries()) {
      if (index === 6 && faults.outOfMemory === true) {
        for (const failureLine of standInLog.outOfMemory()) log(failureLine);
        this.#close(session, 'omni_init_failed');
        this.#deps.exit('outOfMemory');
        return false;
      }
      if (index === 6 && faults.crashWhileLoading === true) {
        this.#deps.exit('crash');
        return false;
      }
      log(line);
      await new Promise<void>((resolve) => {
        clock.after((faults.loadMs ?? defaultLoadMs) / lines.length, resolve);
      });
    }
    this.#loaded = { mode, useTts };
    this.#report.loads += 1;
    return session.state === 'creating';
  }

  #openChat(session: Session): void {
    const { clock, random, speech, faults, contextSize } = this.#deps;
    session.chat = new StandInChat({
      clock,
      random,
      speech,
      contextSize,
      sessionId: session.id,
      stepMs: faults.stepMs ?? 100,
      send: (text) => {
        this.#sendText(session, text);
      },
    });
  }

  #openDuplex(session: Session, useTts: boolean, forced: number): void {
    const { clock, random, speech, faults, contextSize, log } = this.#deps;
    session.duplex = new StandInDuplex({
      clock,
      random,
      speech,
      faults,
      contextSize,
      useTts,
      forcedListens: forced,
      send: (step, event) => {
        this.#sendEvent(session, step, event);
      },
      onStep: (step, { audio, frame }) => {
        if (!this.#save(session, step, audio, frame)) return false;
        if (step !== faults.crashAtStep) return true;
        log(standInLog.crash());
        this.#deps.exit('crash');
        return false;
      },
      onStepDone: (step, tokens) => {
        this.#report.tokens = tokens;
        log(standInLog.step(step, tokens));
        if (step === faults.hugeMessageAtStep) session.peer.send('x'.repeat(hugeMessageBytes));
      },
      onTurn: () => {
        this.#report.turnsSpoken += 1;
      },
      onSlide: (from, to) => {
        this.#report.contextSlid = true;
        log(standInLog.contextSlides(from, to));
      },
    });
  }

  #save(
    { id, ...session }: Session,
    step: number,
    audio: Float32Array,
    frame: Uint8Array | undefined,
  ): boolean {
    const { media, log } = this.#deps;
    const name = String(step).padStart(6, '0');
    try {
      media.save(
        id,
        `${name}.wav`,
        encodeWav(audio, { rate: 16_000, channels: 1, coding: 'float32' }),
      );
      if (frame !== undefined) media.save(id, `${name}.jpg`, frame);
      return true;
    } catch (error) {
      log(standInLog.noSpace(error instanceof Error ? error.message : name));
      if (this.#session !== undefined) this.#close(this.#session, 'prefill_failed');
      session.peer.close();
      return false;
    }
  }

  #receiveInput(session: Session, input: unknown, text: string): void {
    const { chat, duplex } = session;
    if (!isJsonObject(input)) {
      this.#close(session, 'invalid_input');
    } else if (chat !== undefined) {
      this.#report.turnsAsked += 1;
      if (!('messages' in input)) this.#close(session, 'mode_mismatch');
      else if (!chat.add(text)) this.#close(session, 'invalid_input');
    } else if ('messages' in input) {
      this.#close(session, 'mode_mismatch');
    } else if (duplex !== undefined) this.#receiveAppend(session, duplex, input);
  }

  #receiveAppend(
    session: Session,
    duplex: StandInDuplex,
    input: Readonly<Record<string, unknown>>,
  ): void {
    const { audio, video_frames: frames, force_listen } = input;
    const samples = readPcm(audio);
    if (typeof audio !== 'string' || audio === '') this.#close(session, 'missing_audio');
    else if (samples === undefined) this.#close(session, 'invalid_input');
    else {
      const offered: readonly unknown[] = Array.isArray(frames) ? frames : [];
      const [first] = offered;
      const frame = typeof first === 'string' ? bufferBase64.decode(first) : undefined;
      const forceListen = force_listen === true;
      const report = this.#report;
      report.appends += 1;
      report.framesOffered += offered.length;
      report.framesUsed += frame === undefined ? 0 : 1;
      report.forcedListens += forceListen ? 1 : 0;
      duplex.add({ audio: samples, frame, forceListen });
      report.maxWaiting = Math.max(report.maxWaiting, duplex.waiting);
    }
  }

  #sendEvent(session: Session, step: number, event: StandInEvent): void {
    const { random, faults } = this.#deps;
    const isWrong = random() < (faults.wrongIds ?? 0);
    const number = isWrong ? Math.max(1, step - 2 + Math.floor(random() * 5)) : step;
    const shared = {
      session_id: session.id,
      response_id: `${session.id}_resp_${number}`,
      metrics: this.#metrics(session),
    };
    const { kind } = event;
    if (kind === 'done') {
      const { text } = event;
      const done = { type: 'response.done', ...shared, text, reason: 'turn_end' };
      this.#sendText(session, JSON.stringify(done));
      return;
    }
    if (kind === 'text') this.#report.textSent += event.text;
    if (kind === 'audio') this.#report.samplesSent += event.audio.length;
    const content = kind === 'audio' ? { audio: encodePcm(event.audio, bufferBase64) } : event;
    this.#sendText(
      session,
      JSON.stringify({ type: 'response.output.delta', ...shared, ...content, kind }),
    );
  }

  #sendText({ peer, state }: Session, text: string): void {
    const { answersNothing, answersTwice } = this.#deps.faults;
    if (state !== 'live' || answersNothing === true) return;
    peer.send(text);
    if (answersTwice === true) peer.send(text);
  }

  #metrics({ duplex }: Session): object {
    const { stepMs = 100 } = this.#deps.faults;
    return {
      backend: 'llama.cpp-omni',
      kv_cache_length: duplex?.tokens ?? 0,
      prefill_ms: stepMs * 0.3,
      generate_ms: stepMs * 0.7,
      wall_clock_ms: stepMs,
      n_tokens: 0,
    };
  }

  #close(session: Session, reason: string): void {
    if (session.state === 'over') return;
    session.peer.send(JSON.stringify({ type: 'session.closed', session_id: session.id, reason }));
    session.peer.close();
    this.#endSession(session, reason);
  }

  #endSession(session: Session, reason: string): void {
    if (session.state === 'over') return;
    session.state = 'over';
    session.duplex?.end();
    session.chat?.end();
    this.#deps.media.remove(session.id);
    this.#deps.log(standInLog.sessionEnded(session.id, reason));
    this.#session = undefined;
  }
}

function forcedListens(config: unknown): number {
  const count = isJsonObject(config) ? config['force_listen_count'] : undefined;
  return typeof count === 'number' ? count : 3;
}
