import type { Conversation, ConversationNeeds, ConversationOptions } from './conversation.ts';
import { Talk } from './talk.ts';

/** Begins a conversation: connects at once, and tells everything that comes of it. */
export function openConversation(
  options: ConversationOptions,
  needs: ConversationNeeds,
): Conversation {
  const talk = new Talk(options, needs);
  return {
    hear: talk.hear,
    see: (frame) => {
      talk.line.see(frame);
    },
    setMaxSlices: (slices) => {
      talk.line.setMaxSlices(slices);
    },
    interrupt: () => {
      talk.interrupt();
    },
    setTalking: (mode) => {
      talk.controls.setTalking(mode);
    },
    press: () => {
      talk.controls.press();
    },
    release: (how = 'released') => {
      talk.controls.release(how);
    },
    toggle: () => {
      talk.controls.toggle();
    },
    setMuted: (muted) => {
      talk.controls.setMuted(muted);
    },
    setCoughMuted: (muted) => {
      talk.controls.setCoughMuted(muted);
    },
    pause: () => {
      talk.setPaused(true);
    },
    resume: () => {
      talk.setPaused(false);
    },
    goOn: (carry) => {
      talk.goOn(carry);
    },
    sounding: () => talk.sounding,
    woke: () => {
      talk.woke();
    },
    figures: () => talk.figures(),
    deviceNews: (use, news) => {
      talk.deviceNews(use, news);
    },
    end: () => {
      talk.end();
    },
    close: () => talk.close(),
  };
}
