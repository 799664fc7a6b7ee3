import type { Parley } from '../../compose.ts';
import type { AnswerSpeaker } from '../../conversation/answer-playback.ts';
import type { ConversationOptions } from '../../conversation/conversation.ts';
import type { ConversationEvent } from '../../conversation/conversation-event.ts';
import type { Sockets } from '../../ports/sockets.ts';
import type { AnswerFiles } from './answer-files.ts';
import { CaptionLine } from './caption-line.ts';
import type { Terminal } from './command.ts';
import type { Ending } from './conduct.ts';
import { cutByHand, Lines } from './cut-lines.ts';
import { heardOut } from './heard-out.ts';
import { onCtrlC } from './on-ctrl-c.ts';
import { shownOf } from './shown-of-talk.ts';
import type { ShownEvent } from './shown-event.ts';
import type { TalkShow } from './talk-show.ts';

interface Held {
  readonly options: ConversationOptions;
  readonly sockets: Sockets;
  /** The server's address, by which its dialect is remembered. */
  readonly server: string | undefined;
  readonly speaker: AnswerSpeaker | undefined;
  readonly files: Pick<AnswerFiles, 'played' | 'cue'>;
  readonly show: TalkShow;
  readonly tell: (event: ShownEvent) => void;
}

const nobodyWaits = (): void => undefined;

/** Holds one conversation until it has ended and has been heard. */
export async function holdTalk(
  parley: Pick<Parley, 'openConversation' | 'clock'>,
  terminal: Terminal,
  { options, sockets, server, speaker, files, show, tell }: Held,
): Promise<Ending> {
  const lines = new Lines(sockets);
  const captions = new CaptionLine(tell);
  let cut = false;
  let over: (ending: Ending) => void = nobodyWaits;
  const ended = new Promise<Ending>((resolve) => {
    over = resolve;
  });
  const hear = (event: ConversationEvent): void => {
    show.hear(event);
    if (event.event === 'caption') captions.patch(event.patch);
    const shown = shownOf(event);
    if (shown?.event === 'closed') {
      const ending = cut ? cutByHand : shown;
      tell(ending);
      over(ending);
    } else if (shown !== undefined) tell(shown);
  };
  const ways = { sockets: lines, server, speaker, played: files.played, cue: files.cue };
  const conversation = parley.openConversation(options, { ...ways, tell: hear });
  show.begun(conversation);
  const stopListening = onCtrlC(terminal, {
    end: conversation.end,
    cut: () => {
      cut = true;
      lines.cut();
    },
  });
  const ending = await ended;
  stopListening?.();
  await heardOut(parley.clock, terminal, conversation);
  await conversation.close();
  return ending;
}
