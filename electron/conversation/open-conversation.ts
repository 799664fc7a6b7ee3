import type { Conversation, ConversationDeps, ConversationOptions } from './conversation.ts';
import { LiveConversation } from './live-conversation.ts';

/** Begins a conversation: connects at once, and tells everything that comes of it. */
export function openConversation(
  options: ConversationOptions,
  deps: ConversationDeps,
): Conversation {
  const talk = new LiveConversation(options, deps);
  return {
    pushAudio: talk.pushMicrophone,
    pushFrame: (frame) => {
      talk.session.see(frame);
    },
    setMaxSlices: (slices) => {
      talk.session.setMaxSlices(slices);
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
    stats: () => talk.stats(),
    latency: () => talk.latency(),
    deviceNews: (use, news) => {
      talk.deviceNews(use, news);
    },
    end: () => {
      talk.end();
    },
    close: () => talk.close(),
  };
}
