import { z } from 'zod';
import { chatOptionsCheck, partCheck } from '../chat/chat-thread-checks.ts';
import { maxSoundBytes } from '../chat/chat-thread.ts';
import { maxSlicesPerFrame } from '../protocol/realtime-api.ts';
import {
  maxFrameBytes,
  maxFramesPerSecond,
  minFrameArea,
  minFramesPerSecond,
  signatureSide,
} from '../vision/vision-frame.ts';
import type { ChatRequests } from './chat-contract.ts';
import type { GlobalKeyRequests, OwnWordsRequests, TalkRequests } from './talk-contract.ts';

type Requests = TalkRequests & GlobalKeyRequests;

type Checks = {
  readonly [Name in keyof Requests]: z.ZodType<Requests[Name]['input']>;
};

export const talkChecks: Checks = {
  talk: z.undefined(),
  startTalk: z.strictObject({ mode: z.enum(['audio', 'video']) }),
  endTalk: z.undefined(),
  continueTalk: z.strictObject({ carry: z.enum(['transcript', 'nothing']) }),
  interruptTalk: z.undefined(),
  networkBack: z.undefined(),
  talkKey: z.strictObject({ key: z.enum(['press', 'release', 'toggle', 'lost']) }),
  setTalking: z.strictObject({ mode: z.enum(['open', 'hold', 'tap', 'holdOrTap']) }),
  setMuted: z.strictObject({ muted: z.boolean() }),
  setCoughMuted: z.strictObject({ muted: z.boolean() }),
  setPaused: z.strictObject({ paused: z.boolean() }),
  globalKey: z.undefined(),
  testGlobalKey: z.undefined(),
  retryGlobalKey: z.undefined(),
};

type OwnWordsChecksChecks = {
  readonly [Name in keyof OwnWordsRequests]: z.ZodType<OwnWordsRequests[Name]['input']>;
};

export const ownWordsChecks: OwnWordsChecksChecks = {
  correctOwnWords: z.strictObject({
    talk: z.string().min(1).max(255).optional(),
    at: z.number().min(0).max(1e9),
    text: z.string().max(10_000),
  }),
  writeTapeWords: z.strictObject({ talk: z.string().min(1).max(255) }),
  writeOwnWordsAgain: z.undefined(),
};

/** Ids and names of devices come from the system; none is as long as this. */
const name = z.string().max(512);

/** Arithmetic of fractions is not exact. */
const whole = 1 + 1e-9;

const area = z
  .strictObject({
    left: z.number().min(0).max(1),
    top: z.number().min(0).max(1),
    width: z.number().min(minFrameArea).max(1),
    height: z.number().min(minFrameArea).max(1),
  })
  .refine(({ left, top, width, height }) => left + width <= whole && top + height <= whole, {
    message: 'the area must lie within the picture',
  });

const source = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('camera'),
    deviceId: name.optional(),
    label: name.optional(),
  }),
  z.strictObject({ kind: z.literal('screen'), id: name.optional() }),
  z.strictObject({ kind: z.literal('window'), id: name.optional() }),
  z.strictObject({ kind: z.literal('region'), id: name.optional(), area }),
]);

const rate = z.union([
  z.literal('everyChunk'),
  z.strictObject({
    framesPerSecond: z.number().min(minFramesPerSecond).max(maxFramesPerSecond),
  }),
]);

export const visionChecks = {
  setCapturePermission: z.discriminatedUnion('open', [
    z.strictObject({ open: z.literal('nothing') }),
    z.strictObject({ open: z.literal('camera') }),
    z.strictObject({ open: z.literal('screen'), id: name.optional() }),
  ]),
  setVisionOptions: z.strictObject({
    source,
    slices: z.number().int().min(1).max(maxSlicesPerFrame),
    rate,
    skipStill: z.boolean(),
    crop: area.optional(),
    mirror: z.boolean(),
    flip: z.boolean(),
  }),
  pushFrame: z.strictObject({
    jpeg: z.instanceof(Uint8Array).refine(({ length }) => length <= maxFrameBytes, {
      message: `a frame has ${maxFrameBytes} bytes at most`,
    }),
    signature: z
      .instanceof(Uint8Array)
      .refine(({ length }) => length === signatureSide ** 2, {
        message: `a signature has ${signatureSide ** 2} bytes`,
      })
      .optional(),
  }),
  shareables: z.strictObject({ thumbnails: z.boolean() }),
} as const;

type ChatChecksChecks = {
  readonly [Name in keyof ChatRequests]: z.ZodType<ChatRequests[Name]['input']>;
};

const id = z.string().min(1).max(64);
const turn = id;
/** More pictures than a model can look at anyway. */
const parts = z.array(partCheck).min(1).max(64);

export const chatChecks: ChatChecksChecks = {
  chat: z.undefined(),
  searchChats: z.strictObject({ query: z.string().max(1000) }),
  sendChat: z.strictObject({ parts, chat: id.optional() }),
  stopChat: z.undefined(),
  retryChat: z.strictObject({ turn }),
  goOnChat: z.strictObject({ turn }),
  editChat: z.strictObject({ turn, parts }),
  removeChatTurn: z.strictObject({ turn }),
  chooseChatBranch: z.strictObject({ branch: id }),
  setChatOptions: chatOptionsCheck,
  playChat: z.strictObject({ turn }),
  silenceChat: z.undefined(),
  beginChat: z.strictObject({ unkept: z.boolean() }).optional(),
  openChat: z.strictObject({ id }),
  renameChat: z.strictObject({ id, title: z.string().max(1000) }),
  pinChat: z.strictObject({ id, pinned: z.boolean() }),
  removeChat: z.strictObject({ id }),
  // How large which kind of file may be the attachments say, in a sentence with its name.
  attachFile: z.strictObject({
    name: z.string().max(1000),
    file: bytesCheck('a file', maxSoundBytes),
  }),
  forgetAttachment: z.strictObject({ media: id }),
  chatMedia: z.strictObject({ media: id }),
  recordClip: z.undefined(),
  attachClip: z.undefined(),
  cancelClip: z.undefined(),
};

/** A file by its bytes, with a size that whoever takes it can bear. */
export function bytesCheck(what: string, maxBytes: number): z.ZodType<Uint8Array> {
  return z.instanceof(Uint8Array).refine(({ length }) => length <= maxBytes, {
    message: `${what} has ${maxBytes / 1_000_000} MB at most`,
  });
}
