import type { DeviceUse } from '../../shared/talk/talk-devices.ts';
import { defaultOverlap } from '../../shared/sound/overlap-options.ts';
import type { SoundNews } from '../audio/keep-stream.ts';
import type { OverlapNews } from '../audio/overlap.ts';
import type { SessionEvent } from '../session/session-event.ts';
import { Answer } from './answer.ts';
import { Caretaker } from './caretaker.ts';
import { Controls } from './controls.ts';
import type {
  ConversationFigures,
  ConversationNeeds,
  ConversationOptions,
} from './conversation.ts';
import type { ConversationEvent } from './conversation-event.ts';
import type { Delay } from './delays.ts';
import { devicesAfter, noDevices } from './devices.ts';
import { Ear } from './ear.ts';
import { FloorWatch } from './floor.ts';
import { SessionLine } from './session-line.ts';
import { TalkCourse } from './talk-course.ts';

type Closed = Extract<SessionEvent, { event: 'closed' }>;

/** Joins the parts of a conversation; what each of them decides, it decides by itself. */
export class Talk {
  readonly controls: Controls;
  readonly line: SessionLine;
  readonly #needs: ConversationNeeds;
  readonly #answer: Answer;
  readonly #care: Caretaker;
  readonly #ear: Ear;
  readonly #course: TalkCourse;
  readonly #floor = new FloorWatch((floor) => {
    this.#tell({ event: 'floor', floor });
  });
  #devices = noDevices;
  /** Something of a turn has come, and its end has not. */
  #turnOpen = false;
  #closing: Promise<void> | undefined;
  #gone: (() => void) | undefined;
  #over = false;

  constructor(options: ConversationOptions, needs: ConversationNeeds) {
    this.#needs = needs;
    const { clock } = needs;
    const changed = (): void => {
      this.#look();
    };
    this.controls = new Controls(options, {
      clock,
      changed: (controls) => {
        this.#tell({ event: 'controls', controls });
        this.#look();
      },
    });
    this.#answer = new Answer({
      clock,
      ways: { speaker: needs.speaker, stepMs: options.chunkMs, pace: options.pace },
      gap: (ms) => {
        this.#care.measures.addGap(ms);
      },
      played: (samples) => {
        this.#ear.played(samples);
        needs.played?.(samples);
      },
      caption: (patch) => {
        this.#tell({ event: 'caption', patch });
      },
      cue: needs.cue,
      turnHeard: (turn) => {
        this.#care.turnHeard(turn);
        this.#tell({ event: 'turnHeard', ...turn });
      },
      delay: this.#delay,
      changed,
    });
    this.#care = new Caretaker(options, {
      clock,
      random: needs.random,
      wallNow: needs.wallNow,
      log: needs.log,
      limits: (left) => {
        this.#tell({ event: 'limits', left });
      },
      warning: (warning) => {
        this.#tell({ event: 'warning', warning });
      },
      lineDead: () => {
        this.#course.lineDead();
      },
    });
    this.line = new SessionLine(options, needs.openSession, this.#hear);
    this.#ear = new Ear({
      clock,
      gate: this.controls.gate,
      latencyMs: needs.microphoneLatencyMs,
      send: (part) => {
        this.line.hear(part);
      },
      delay: this.#delay,
      overlap: options.overlap ?? defaultOverlap,
      overlapped: (news) => {
        this.#overlapped(news);
      },
    });
    this.#tell({ event: 'controls', controls: this.controls.view });
    this.#course = new TalkCourse({
      clock,
      care: this.#care,
      line: this.line,
      heardSoFar: () => this.#answer.heardSoFar,
      changed: (state) => {
        if (state.phase === 'ended') this.#answer.finish();
        this.#tell({ event: 'talk', state });
        this.#look();
        if (state.phase === 'ended') this.#gone?.();
      },
      sessionEnded: (event) => {
        this.#sessionEnded(event);
      },
    });
    this.#course.start(options.settings.instructions);
  }

  readonly hear = (block: Float32Array): void => {
    if (this.#over) return;
    this.#care.look();
    if (this.#course.phase === 'live' && !this.controls.view.paused) {
      this.#ear.hear(block, this.#answer.sounding);
    } else this.#ear.stop();
    this.#look();
  };

  interrupt(): void {
    const silencedSamples =
      this.#course.phase === 'live' ? this.#answer.interrupt() : this.#answer.silence(true);
    this.line.interrupt();
    this.#tell({ event: 'interrupted', silencedSamples });
  }

  setPaused(paused: boolean): void {
    this.controls.setPaused(paused);
    this.line.setPaused(paused);
  }

  goOn(carry: 'transcript' | 'nothing'): void {
    if (this.#course.phase === 'ended' && this.#closing === undefined) this.#course.goOn(carry);
  }

  get sounding(): boolean {
    return this.#answer.sounding;
  }

  woke(): void {
    this.#care.woke();
  }

  deviceNews(use: DeviceUse, news: SoundNews): void {
    this.#devices = devicesAfter(this.#devices, use, news);
    this.#tell({ event: 'devices', devices: this.#devices });
  }

  end(): void {
    if (this.#course.phase === 'ended') return;
    this.#answer.leave();
    this.#course.end();
  }

  close(): Promise<void> {
    this.#closing ??= new Promise((resolve) => {
      this.#gone = () => {
        this.#over = true;
        this.#answer.leave();
        this.#answer.stop();
        this.controls.stop();
        this.#care.stop();
        resolve();
      };
      if (this.#course.phase === 'ended') this.#gone();
      else this.end();
    });
    return this.#closing;
  }

  figures(): ConversationFigures {
    return { measures: this.#care.measures.summary(), ...this.#answer.figures };
  }

  /**
   * Whoever wants to speak is heard by the model, which then yields. Where it has said everything
   * already, and only the rest of it still sounds, nobody else would stop it.
   */
  #overlapped(news: OverlapNews): void {
    this.#answer.setDipped(news !== 'restore');
    if (news === 'takesFloor' && !this.#turnOpen) this.#answer.silence(true);
  }

  readonly #delay = ({ kind, ms }: Delay): void => {
    this.#care.measured(kind, ms);
    this.#tell({ event: 'measure', kind, ms });
  };

  readonly #hear = (event: SessionEvent): void => {
    this.#care.hear(event);
    switch (event.event) {
      case 'state':
        this.#tell(event);
        if (event.state === 'live') this.#answer.begin();
        this.#course.entered(event.state);
        break;
      case 'queue':
        this.#tell(event);
        this.#course.queued(event);
        break;
      case 'sent':
        this.#ear.sent(event.waitedMs ?? 0);
        this.#tell(event);
        break;
      case 'text':
        this.#turnOpen = true;
        this.#tell(event);
        this.#answer.text(event.turn, event.text);
        break;
      case 'audio':
        this.#turnOpen = true;
        this.#answer.audio(event.turn, event.audio);
        this.#tell(event);
        break;
      case 'turnEnded':
        this.#turnOpen = false;
        this.#tell(event);
        this.#answer.turnEnded(event.turn);
        break;
      case 'listen':
        this.#listen(event.yields);
        break;
      case 'closed':
        this.#course.ended(event);
        break;
      case 'session':
      case 'dropped':
      case 'done':
      case 'metrics':
      case 'error':
      case 'unknown':
        this.#tell(event);
    }
  };

  #listen(yields: boolean): void {
    if (yields) this.#turnOpen = false;
    const flushedSamples = yields ? this.#answer.yielded() : 0;
    this.#tell({ event: 'listen', yields, flushedSamples });
  }

  #sessionEnded(event: Closed): void {
    this.#turnOpen = false;
    this.#tell(event);
    if (event.by === 'client') this.#answer.leave();
    else this.#answer.abandon();
  }

  /** What follows from who speaks. */
  #look(): void {
    this.controls.gate.setAnswering(this.#turnOpen || this.#answer.sounding);
    const you = this.controls.view.transmitting && this.#ear.speaks;
    this.#floor.look(you, this.#answer.sounding && this.#answer.speaks);
  }

  #tell(event: ConversationEvent): void {
    if (!this.#over) this.#needs.tell(event);
  }
}
