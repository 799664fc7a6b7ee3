import type { NoticeName, Notices } from '../../../shared/ipc/contract.ts';
import type { ReplayedNotice } from '../../../shared/replay/replayed-notice.ts';
import type { TalkInfo } from '../../../shared/talk/talk-view.ts';
import type { ConversationEvent } from '../../conversation/conversation-event.ts';

/** What makes a talk's notices of its conversation's events. */
export interface FilmPublisher {
  readonly publishBegan: (talk: TalkInfo) => void;
  readonly publish: (event: ConversationEvent) => void;
}

export type OpenFilmPublisher = (
  post: <Name extends NoticeName>(name: Name, payload: Notices[Name]) => void,
) => FilmPublisher;

/** The notice as a film holds it; nothing where it does not. */
export function keptNotice(
  at: number,
  { name, payload }: { readonly name: NoticeName; readonly payload: unknown },
): ReplayedNotice | undefined {
  return keptNames.has(name) ? ({ at, name, payload } as ReplayedNotice) : undefined;
}

const keptNames: ReadonlySet<NoticeName> = new Set<NoticeName>([
  'talkBegan',
  'talkState',
  'talkControls',
  'floor',
  'caption',
  'talkLimits',
  'talkWarning',
  'talkDevices',
  'talkTrouble',
]);
