import type { DuplexMode } from '../../shared/protocol/names.ts';
import type { TalkRequests } from '../../shared/ipc/talk-contract.ts';
import type { TalkFacts, TalkView } from '../../shared/talk/talk-view.ts';
import type { TalkWhy } from '../../shared/why.ts';
import type { LearnedPace } from '../audio/learned-pace.ts';
import type { Conversation } from '../conversation/conversation.ts';
import type { ConversationEvent } from '../conversation/conversation-event.ts';
import type { Failure, Outcome } from '../ports/outcome.ts';
import { openTalk } from './open-talk.ts';
import type { Talking } from './open-talk.ts';
import type { TalkDeskNeeds, TalkPlan } from './talk-desk-needs.ts';
import { TalkNews } from './talk-news.ts';
import { TalkSteps } from './talk-steps.ts';

type Desk =
  | { readonly kind: 'empty' }
  /** What has ended before is left once the next talk can begin. */
  | { readonly kind: 'starting'; readonly before: Talking | undefined }
  | { readonly kind: 'talking'; readonly talk: Talking };

/** The one spoken conversation of this Parley: what pages ask for, and what they are told. */
export class TalkDesk {
  readonly #needs: TalkDeskNeeds;
  readonly #news: TalkNews;
  readonly #steps: TalkSteps;
  readonly #stopListening: () => void;
  /** What was learned of a server stays for the next talk with it. */
  readonly #paces = new Map<string, LearnedPace>();
  #desk: Desk = { kind: 'empty' };
  #leaveSeeing: () => void = () => undefined;
  #over = false;

  constructor(needs: TalkDeskNeeds) {
    this.#needs = needs;
    this.#news = new TalkNews(needs.post);
    this.#steps = new TalkSteps(needs.post);
    this.#stopListening = needs.settings.listen((news) => {
      if (news.kind !== 'changed') return;
      this.#talk?.devices.set(news.settings.audio);
      const { mode } = news.settings.talking;
      if (mode !== news.before.talking.mode) this.#talk?.conversation.setTalking(mode);
    });
  }

  get view(): TalkView {
    return this.#news.view;
  }

  async start(mode: DuplexMode): Promise<Outcome<TalkFacts>> {
    if (this.#desk.kind === 'starting')
      return problem('A talk is being started already.', 'startingAlready');
    if (this.#desk.kind === 'talking' && this.#phase !== 'ended') {
      return problem('A talk is going on already; end it first.', 'goingOn');
    }
    const before = this.#talk;
    this.#desk = { kind: 'starting', before };
    try {
      return await this.#start(mode, before);
    } finally {
      // It has failed: what was there can still go on.
      if (this.#desk.kind === 'starting') this.#desk = deskWith(before);
    }
  }

  async goOn({ carry }: TalkRequests['continueTalk']['input']): Promise<Outcome<undefined>> {
    const talk = this.#talk;
    if (talk === undefined || this.#phase !== 'ended')
      return problem('No talk has ended here.', 'notEnded');
    await this.#needs.takeSound?.();
    // Meanwhile another one may have been begun, or this one gone on for who clicked twice.
    if (this.#talk !== talk) return problem('A talk is being started already.', 'startingAlready');
    if (this.#phase !== 'ended') return done;
    talk.conversation.goOn(carry);
    this.#joinSeeing(talk);
    await this.#wake(talk);
    return done;
  }

  /** Does something with the talk there is; without one there is nothing to do it to. */
  with(act: (conversation: Conversation) => void): Outcome<undefined> {
    const talk = this.#talk;
    if (talk === undefined) {
      return this.#desk.kind === 'starting' ? onlyStarting : noTalk;
    }
    act(talk.conversation);
    return done;
  }

  /** The machine has slept. */
  woke(): void {
    this.#talk?.conversation.woke();
  }

  async end(): Promise<void> {
    this.#over = true;
    this.#stopListening();
    const talk = this.#desk.kind === 'starting' ? this.#desk.before : this.#talk;
    this.#desk = { kind: 'empty' };
    await this.#leave(talk);
  }

  /** Microphone and speaker are its own, or will be in a moment. */
  get active(): boolean {
    if (this.#desk.kind === 'talking') return this.#phase !== 'ended';
    return this.#desk.kind === 'starting';
  }

  get #talk(): Talking | undefined {
    return this.#desk.kind === 'talking' ? this.#desk.talk : undefined;
  }

  get #phase(): TalkView['state']['phase'] {
    return this.#news.view.state.phase;
  }

  async #start(mode: DuplexMode, before: Talking | undefined): Promise<Outcome<TalkFacts>> {
    if (this.#over) return closing;
    await this.#needs.takeSound?.();
    const plan = await this.#plan(mode);
    if (!plan.ok) return plan;
    const server = await this.#needs.connect(plan.value);
    if (!server.ok) return server;
    if (!this.#over) await this.#leave(before);
    // Parley may be closed while it waits, and nobody would end what begins then.
    if (this.#over) {
      await server.value.left?.();
      return closing;
    }
    const facts = { mode, endpoint: server.value.name };
    this.#news.began(facts);
    const talk = openTalk(
      plan.value,
      server.value,
      this.#paces.get(server.value.id),
      this.#needs,
      this.#hear,
    );
    this.#joinSeeing(talk);
    this.#desk = { kind: 'talking', talk };
    await this.#wake(talk);
    return { ok: true, value: facts };
  }

  async #plan(mode: DuplexMode): Promise<Outcome<TalkPlan>> {
    const settings = await this.#needs.sessionSettings();
    if (!settings.ok) return settings;
    const { chunkMs } = this.#needs.settings.get().assistant.generation;
    return { ok: true, value: { mode, chunkMs, settings: settings.value } };
  }

  /** A talk that has ended by now needs no devices. */
  async #wake({ devices }: Talking): Promise<void> {
    if (this.#phase !== 'ended') await devices.wake();
  }

  #joinSeeing({ mode, conversation, chunkMs }: Talking): void {
    this.#leaveSeeing();
    if (mode !== 'video' || this.#phase === 'ended') return;
    this.#leaveSeeing = this.#needs.seeing.join({ ...conversation, chunkMs });
  }

  async #leave(talk: Talking | undefined): Promise<void> {
    if (talk === undefined) return;
    this.#leaveSeeing();
    await talk.conversation.close();
    await talk.devices.end();
    await talk.server.left?.();
  }

  readonly #hear = (event: ConversationEvent, { conversation, devices, server }: Talking): void => {
    this.#news.hear(event);
    if (event.event === 'sent' && event.frames > 0) this.#needs.seeing.frameWent();
    this.#steps.hear(event, conversation);
    if (event.event !== 'talk' || event.state.phase !== 'ended') return;
    const { pace } = conversation.figures();
    if (pace !== undefined) this.#paces.set(server.id, pace);
    // Without a talk the page is shown what would go.
    this.#leaveSeeing();
    void devices.rest();
  };
}

function deskWith(talk: Talking | undefined): Desk {
  return talk === undefined ? { kind: 'empty' } : { kind: 'talking', talk };
}

const done = { ok: true, value: undefined } as const;

const closing = problem('Parley is being closed.', 'closing');
const noTalk = problem('There is no talk; start one first.', 'noTalk');
const onlyStarting = problem('The talk is only being started; try again in a moment.', 'starting');

function problem(sentence: string, why: TalkWhy): Failure {
  return { ok: false, problem: sentence, why };
}
