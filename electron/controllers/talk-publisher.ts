import type { AppError } from '../../shared/errors/app-error.ts';
import type { TalkKeeping } from '../../shared/history/talk-keeping.ts';
import type { Notices, PostNotice } from '../../shared/ipc/contract.ts';
import { patchCaption } from '../../shared/talk/caption-patch.ts';
import { withPhrase } from '../../shared/talk/own-words.ts';
import type { OwnPhrase, OwnWordsStatus } from '../../shared/talk/own-words.ts';
import { idleTalkView } from '../../shared/talk/talk-view.ts';
import type { TalkInfo, TalkView } from '../../shared/talk/talk-view.ts';
import type { OpenCapture } from '../../shared/vision/vision-options.ts';
import type { ConversationEvent } from '../conversation/conversation-event.ts';

/** A page that comes late sees so many turns; a page that was there has all of them. */
const maxTurns = 50;
const maxPhrases = 100;

/** Posts what a conversation emits as notices, and holds the view of now for pages that come late. */
export class TalkPublisher {
  readonly #post: PostNotice;
  /** The next turn is another session's. */
  #anew = false;
  #view = idleTalkView;

  constructor(post: PostNotice) {
    this.#post = post;
  }

  get view(): TalkView {
    return this.#view;
  }

  publishBegan(talk: TalkInfo): void {
    const { keeping, capture } = this.#view;
    this.#view = { ...idleTalkView, keeping, capture, talk };
    this.#post('talkBegan', talk);
  }

  /** A talk of another run, as it was left; in the next one its words stand before what is said. */
  publishEarlier(view: Partial<TalkView>): void {
    const { talk, captions = [], state } = view;
    if (talk !== undefined) this.publishBegan(talk);
    for (const { turn, text, heard, cutFrom } of captions)
      this.#caption({
        turn,
        added: text,
        heard,
        ...(cutFrom !== undefined && { cutFrom }),
        settled: true,
      });
    if (state !== undefined) this.publish({ event: 'talk', state });
  }

  publishTrouble(error: AppError): void {
    this.#post('talkTrouble', error);
  }

  readonly publishKeeping = (keeping: TalkKeeping): void => {
    this.#view = { ...this.#view, keeping };
    this.#post('talkKeeping', keeping);
  };

  readonly publishCapture = (capture: OpenCapture): void => {
    if (capture === this.#view.capture) return;
    this.#view = { ...this.#view, capture };
    this.#post('talkCapture', capture);
  };

  readonly publishPhrase = (phrase: OwnPhrase): void => {
    const { ownWords } = this.#view;
    const phrases = withPhrase(ownWords.phrases, phrase).slice(-maxPhrases);
    this.#view = { ...this.#view, ownWords: { ...ownWords, phrases } };
    this.#post('ownPhrase', phrase);
  };

  readonly publishOwnWords = (status: OwnWordsStatus): void => {
    this.#view = { ...this.#view, ownWords: { ...this.#view.ownWords, status } };
    this.#post('ownWordsStatus', status);
  };

  readonly publish = (event: ConversationEvent): void => {
    switch (event.event) {
      case 'talk':
        this.#view = { ...this.#view, state: event.state };
        this.#post('talkState', event.state);
        break;
      case 'controls':
        this.#view = { ...this.#view, controls: event.controls };
        this.#post('talkControls', event.controls);
        break;
      case 'floor':
        this.#view = { ...this.#view, floor: event.floor };
        this.#post('floor', event.floor);
        break;
      case 'devices':
        this.#view = { ...this.#view, devices: event.devices };
        this.#post('talkDevices', event.devices);
        break;
      case 'limits':
        this.#view = { ...this.#view, limits: event.left };
        this.#post('talkLimits', event.left);
        break;
      case 'warning':
        this.#post('talkWarning', event.warning);
        break;
      case 'handedOver':
        this.#anew = true;
        break;
      case 'caption':
        this.#caption(event.patch);
        break;
      case 'session':
        this.#session(event);
        break;
      case 'error':
        if (!event.fatal) this.publishTrouble(event.error);
        break;
      case 'state':
      case 'queue':
      case 'sent':
      case 'dropped':
      case 'text':
      case 'audio':
      case 'turnEnded':
      case 'listen':
      case 'turnHeard':
      case 'measure':
      case 'metrics':
      case 'done':
      case 'unknown':
      case 'onlyListens':
      case 'closed':
    }
  };

  #caption(given: Notices['caption']): void {
    const { captions } = this.#view;
    const known = captions.find(({ turn }) => turn === given.turn);
    const isAnew = known === undefined && this.#anew;
    if (isAnew) this.#anew = false;
    const patch = isAnew ? { ...given, anew: true as const } : given;
    const patched = patchCaption(known, patch);
    const turns =
      known === undefined
        ? [...captions.slice(1 - maxTurns), patched]
        : captions.map((each) => (each === known ? patched : each));
    this.#view = { ...this.#view, captions: turns };
    this.#post('caption', patch);
  }

  #session({ id, dialect }: Extract<ConversationEvent, { event: 'session' }>): void {
    const { talk } = this.#view;
    if (talk === undefined) return;
    const facts = { ...talk, session: { id, dialect } };
    this.#view = { ...this.#view, talk: facts };
    this.#post('talkBegan', facts);
  }
}
