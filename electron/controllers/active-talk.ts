import type { DuplexMode } from '../../shared/protocol/dialect-and-mode.ts';
import type { TalkState } from '../../shared/talk/talk-state.ts';
import type { Conversation } from '../conversation/conversation.ts';
import type { ConversationEvent } from '../conversation/conversation-event.ts';
import type { TalkControllerDeps, TalkServer } from './talk-controller-deps.ts';
import type { SessionPhase } from '../session/session-event.ts';
import { TalkVision } from './talk-vision.ts';
import type { TalkVisionDeps } from './talk-vision.ts';
import type { TalkSoundDevices } from './talk-sound-devices.ts';

interface Parts {
  readonly conversation: Conversation;
  readonly devices: TalkSoundDevices;
  readonly mode: DuplexMode;
  readonly server: TalkServer;
}

interface Deps {
  readonly clock: TalkVisionDeps['clock'];
  readonly framePipeline: TalkControllerDeps['framePipeline'];
  readonly memory: TalkVisionDeps['memory'];
  readonly emit: (event: ConversationEvent, talk: ActiveTalk) => void;
}

/** A talk with what is its own: it has devices and the camera's frames while it goes on, and gives them back when it ends. */
export class ActiveTalk {
  readonly conversation: Conversation;
  readonly devices: TalkSoundDevices;
  readonly mode: DuplexMode;
  readonly server: TalkServer;
  readonly vision: TalkVision;
  readonly #deps: Deps;
  #phase: TalkState['phase'] = 'idle';
  /** A server takes the talk, or will in a moment. */
  #admitted = false;
  #leaveFramePipeline: () => void = () => undefined;

  constructor({ conversation, devices, mode, server }: Parts, deps: Deps) {
    this.conversation = conversation;
    this.devices = devices;
    this.mode = mode;
    this.server = server;
    this.#deps = deps;
    this.vision = new TalkVision(mode, deps);
  }

  /** It can go on, though. */
  get ended(): boolean {
    return this.#phase === 'ended';
  }

  /** One that has ended by now needs neither devices nor frames. */
  async open(): Promise<void> {
    this.#leaveFramePipeline();
    if (this.ended) return;
    if (this.mode === 'video')
      this.#leaveFramePipeline = this.#deps.framePipeline.attach(this.conversation);
    await Promise.all([
      this.devices.openSpeaker(this.conversation),
      this.#admitted ? this.devices.openMicrophone(this.conversation) : undefined,
    ]);
  }

  onEvent(event: ConversationEvent): void {
    // Before anybody is told: they may ask at once whether it goes on.
    if (event.event === 'talk') this.#enter(event.state.phase);
    if (event.event === 'state') this.#followSession(event.state);
    this.vision.hear(event);
    this.#deps.emit(event, this);
    if (event.event === 'sent' && event.frames > 0) this.#deps.framePipeline.frameSent();
    if (event.event === 'metrics') {
      const { figures, stepUsage } = event.metrics;
      const counted = stepUsage?.inputVision;
      this.#deps.framePipeline.stepCounted({
        ...figures,
        ...(counted !== undefined && { vision_tokens: counted }),
      });
    }
    if (event.event !== 'talk' || event.state.phase !== 'ended') return;
    // Without a talk the page is shown what would go.
    this.#leaveFramePipeline();
    void this.devices.closeWhenHeard();
  }

  #enter(phase: TalkState['phase']): void {
    this.#phase = phase;
    if (phase !== 'queued' && phase !== 'ended') return;
    this.#admitted = false;
    // Nobody's microphone is open for as long as a queue lasts; also not where a lost talk has to queue again.
    if (phase === 'queued') void this.devices.closeMicrophone();
  }

  #followSession(phase: SessionPhase): void {
    if (this.#admitted || (phase !== 'configuring' && phase !== 'live')) return;
    this.#admitted = true;
    void this.devices.openMicrophone(this.conversation);
  }

  /** For good: nothing goes on after this. */
  async leave(): Promise<void> {
    this.#leaveFramePipeline();
    await this.conversation.close();
    await this.devices.end();
    await this.server.left?.();
  }
}
