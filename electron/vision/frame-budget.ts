import {
  documentedMemory,
  memorySeconds,
  pictureCosts,
  sharpestBudget,
  sharpEveryMs,
} from '../../shared/vision/picture-memory.ts';
import type { MemoryFacts, PicturePlan } from '../../shared/vision/picture-memory.ts';

/** Who speaks, as far as it says what a picture is worth. */
export interface Attention {
  readonly personSpeaks: boolean;
  readonly answerSounds: boolean;
}

/** What the server tells of its memory in the middle of a session. */
export interface MemoryRoom {
  /** Nothing where it does not count, or lets go of the oldest by itself. */
  readonly tokensLeft: number | undefined;
  /** Sound and words, measured in this session. */
  readonly restPerSecond: number | undefined;
}

/** A question is often over before what it is about is held up. */
const askedMs = 2000;
/** The same picture again is worth its tokens after so long, when something is asked, or answered. */
const askedAgainMs = 3000;
const answeredAgainMs = 5000;
/** Where nothing happens at all a picture goes after so many usual pauses. */
const quietPauses = 2.5;
/** What is saved in quiet moments is kept for so long a lively one, and for some pictures at least. */
const savedSeconds = 20;
const savedPictures = 4;
/** Of what is saved so much is for what will be asked. */
const reservedShare = 0.5;
/** How far the pace may leave the one that was planned, for a server that counts otherwise. */
const paceSlack = 4;
/** So many seconds the plan outweighs what has been measured. */
const priorSeconds = 30;
const minSecondsToGo = 5;

/**
 * Which captured frames are worth their tokens. What may be spent grows by the second, at a pace that lets the memory last as
 * long as the person was told; it is spent on what is asked about first, then on what has changed, and else now and then.
 */
export class FrameBudget {
  #facts = documentedMemory;
  #plan: PicturePlan = { budget: sharpestBudget, slices: 1, rate: 1, chunkMs: 1000 };
  #began: { readonly at: number; readonly promptTokens: number | undefined } | undefined;
  #room: MemoryRoom | undefined;
  #attention: Attention = { personSpeaks: false, answerSounds: false };
  #spokeAt = -Infinity;
  #sentAt: number | undefined;
  #level = 0;
  #countedAt = 0;

  plan(facts: MemoryFacts, plan: PicturePlan): void {
    this.#facts = facts;
    this.#plan = plan;
    this.#level = Math.min(this.#level, this.#mostSaved);
  }

  /** Another session, which has seen nothing yet. */
  begin(at: number, promptTokens: number | undefined): void {
    this.#began = { at, promptTokens };
    this.#room = undefined;
    this.#sentAt = undefined;
    this.#level = this.#mostSaved;
    this.#countedAt = at;
  }

  /** Something else is shown, or otherwise: the next frame goes at once. */
  renew(): void {
    this.#sentAt = undefined;
  }

  attend(at: number, attention: Attention): void {
    if (this.#attention.personSpeaks) this.#spokeAt = at;
    this.#attention = attention;
  }

  measured(at: number, room: MemoryRoom): void {
    this.#count(at);
    this.#room = room;
  }

  /** Whether the frame is to go sharp; else it does not go, or coarse where one has to. */
  isWorth(at: number, changed: boolean): boolean {
    if (this.#isFree) return true;
    this.#count(at);
    const worth = this.#judge(at, changed);
    if (worth) this.#sentAt = at;
    return worth;
  }

  /** A sharp frame has gone. */
  spend(at: number): void {
    this.#count(at);
    this.#level = Math.max(-this.#mostSaved, this.#level - this.#cost);
  }

  #judge(at: number, changed: boolean): boolean {
    const since = at - (this.#sentAt ?? -Infinity);
    if (since >= quietPauses * this.#everyMs) return this.#level > -this.#mostSaved;
    const asked = this.#attention.personSpeaks || at - this.#spokeAt < askedMs;
    if (asked && (changed || since >= askedAgainMs)) return this.#level >= this.#cost;
    const noticed = changed || (this.#attention.answerSounds && since >= answeredAgainMs);
    return noticed && this.#level >= this.#cost + reservedShare * this.#mostSaved;
  }

  /** Nothing is saved at all, or nothing can be. */
  get #isFree(): boolean {
    return this.#plan.budget >= sharpestBudget || this.#cost <= 0;
  }

  /** What a sharp picture costs more than what goes in its place. */
  get #cost(): number {
    const { sharp, coarse } = pictureCosts(this.#facts, this.#plan.slices);
    return this.#facts.everyAppend ? sharp - coarse : sharp;
  }

  get #everyMs(): number {
    return sharpEveryMs(this.#facts, this.#plan);
  }

  get #mostSaved(): number {
    return Math.max(savedPictures * this.#cost, (savedSeconds * 1000 * this.#cost) / this.#everyMs);
  }

  #count(at: number): void {
    const seconds = Math.max(0, at - this.#countedAt) / 1000;
    this.#level = Math.min(this.#mostSaved, this.#level + seconds * this.#perSecond(at));
    this.#countedAt = at;
  }

  /** Tokens a second: as planned, or such that what is left lasts until the moment that was told. */
  #perSecond(at: number): number {
    const planned = (this.#cost * 1000) / this.#everyMs;
    const left = this.#room?.tokensLeft;
    if (this.#began === undefined || left === undefined) return planned;
    const lived = (at - this.#began.at) / 1000;
    const told = memorySeconds(this.#facts, this.#plan, this.#began.promptTokens);
    const toGo = Math.max(minSecondsToGo, told - lived);
    const rest = this.#restPerSecond(lived);
    const pace = (left - Math.max(0, this.#level)) / toGo - rest;
    return Math.min(planned * paceSlack, Math.max(planned / paceSlack, pace));
  }

  #restPerSecond(lived: number): number {
    const { pictureScale, everyAppend, restPerSecond } = this.#facts;
    const { coarse } = pictureCosts({ pictureScale }, this.#plan.slices);
    const always = everyAppend ? (coarse * 1000) / this.#plan.chunkMs : 0;
    const measured = this.#room?.restPerSecond ?? restPerSecond;
    const blended = (restPerSecond * priorSeconds + measured * lived) / (priorSeconds + lived);
    return blended + always;
  }
}
