import { z } from 'zod';
import { callDecisions, type ChatPatch } from '../chat/chat-thread.ts';
import {
  maxQuestionLength,
  offerKinds,
  type QuickState,
  type QuickView,
} from '../cursor/quick-view.ts';
import type { PastPassage } from '../memory/memory-view.ts';
import { type HandlersOf, noInput, request } from './request-definition.ts';
import { frameArea, partId, passagePlace, passagePlaces } from './request-schemas.ts';

const text = z.string().max(maxQuestionLength);

/** Requests about the small window over other programs. A host without it refuses them. */
export const cursorRequests = {
  quick: request(noInput).answers<QuickView>().withChangedBy('quickChanged', 'quickPatch'),
  /** Opens the quick ask, with a text to begin with. */
  openQuick: request(z.strictObject({ text: text.optional() })),
  /** The small window's page is ready for keyboard input. */
  quickReady: request(noInput),
  /** Closes the window, gives the focus back, stops the answer and forgets the conversation. */
  closeQuick: request(noInput),
  includeOffer: request(z.strictObject({ kind: z.enum(offerKinds), included: z.boolean() })),
  /** Takes a picture of the screen, and offers to send it with the question. */
  captureScreen: request(noInput),
  /** Lets the user choose a part of the screen, and offers to send it with the question. */
  captureRegion: request(noInput),
  /** A JPEG of the screen on which the user draws the region. */
  regionScreen: request(noInput).answers<Uint8Array>(),
  /** The page has drawn the picture, so its window can be shown. */
  showRegion: request(noInput),
  takeRegion: request(z.strictObject({ area: frameArea })),
  cancelRegion: request(noInput),
  askQuick: request(z.strictObject({ text, leaveOut: passagePlaces.optional() })),
  /** Passages of earlier conversations that would be sent with a question. */
  findQuickPast: request(z.strictObject({ text })).answers<readonly PastPassage[]>(),
  /** Removes a passage from a question, so that later requests do not send it. */
  forgetQuickPassage: request(z.strictObject({ turn: partId, place: passagePlace })),
  /** Asks with the prompt of an action about the selection, the clipboard or, without either, the conversation. */
  runAction: request(z.strictObject({ id: partId })),
  decideQuickCall: request(z.strictObject({ call: partId, decision: z.enum(callDecisions) })),
  stopQuick: request(noInput),
  /** Waits for a busy server and asks again, or stops waiting. */
  waitForServer: request(
    z.strictObject({ of: z.enum(['answer', 'dictation']), wait: z.boolean() }),
  ),
  retryQuick: request(z.strictObject({ turn: partId })),
  copyQuick: request(z.strictObject({ turn: partId })),
  /** Puts an answer into the other program, where its cursor is. */
  insertQuick: request(z.strictObject({ turn: partId })),
  speakQuick: request(z.strictObject({ turn: partId })),
  silenceQuick: request(noInput),
  /** Moves the conversation to Chat and shows it there. */
  continueInChat: request(noInput),
  /** `question` writes the words into the field of the small window. */
  beginDictation: request(z.strictObject({ to: z.enum(['program', 'question']) })),
  endDictation: request(noInput),
  cancelDictation: request(noInput),
};

export type CursorHandlers = HandlersOf<typeof cursorRequests>;

export interface CursorNotices {
  readonly quickChanged: QuickState;
  readonly quickPatch: ChatPatch;
  /** Posted about 20 times a second while the microphone is open. */
  readonly dictationLevel: { readonly rmsDb: number };
}
