import { Notification } from 'electron';
import type { CoreMessages } from '../../../../shared/i18n/messages.ts';
import type { Notice } from '../../../../shared/ipc/contract.ts';
import type { DesktopSettings } from '../../../../shared/settings/app-settings.ts';
import type { Settings } from '../../../../shared/settings/settings.ts';
import type { TalkState } from '../../../../shared/talk/talk-state.ts';
import type { DesktopCore } from '../desktop-core.ts';
import type { DesktopWindows } from '../desktop-windows.ts';
import { desktopWords } from '../desktop-words.ts';

type Core = Pick<DesktopCore, 'answer' | 'notices' | 'lifetime'> & {
  readonly chats: () => Promise<{
    readonly chat: { readonly conversation: { readonly id: string } };
  }>;
  readonly settings: {
    readonly get: () => Pick<Settings, 'desktop'> & {
      readonly appearance: Pick<Settings['appearance'], 'language'>;
    };
  };
};

type Words = CoreMessages['desktop']['notifications'];

/** Tells a person in another program of what they wait for, and leads them to it. */
export class DesktopNotifications {
  readonly #parley: Core;
  readonly #windows: Pick<DesktopWindows, 'inUse' | 'showMain'>;
  /** Without a bus, asking for a notification would only fill the log. */
  readonly #possible: () => boolean;
  /** What nothing refers to is collected, and its click with it. */
  readonly #open = new Set<Notification>();

  constructor(
    parley: Core,
    windows: Pick<DesktopWindows, 'inUse' | 'showMain'>,
    possible: () => boolean,
  ) {
    this.#parley = parley;
    this.#windows = windows;
    this.#possible = possible;
    const { notices, lifetime } = parley;
    const { judge } = new NotificationJudge();
    lifetime.add(
      notices.listen((notice) => {
        const subject = judge(notice);
        if (subject !== undefined) void this.#tell(subject);
      }),
    );
    lifetime.add(() => {
      for (const notification of this.#open) notification.close();
      this.#open.clear();
    });
  }

  /** Shows one of which `shown` is told once it is really there. */
  async show(which: keyof Words, clicked: () => void, shown?: () => void): Promise<void> {
    const parley = this.#parley;
    if (!this.#possible() || !Notification.isSupported()) return;
    const desktop = await desktopWords(parley.settings.get().appearance.language);
    if (parley.lifetime.hasEnded) return;
    const notification = new Notification(desktop.notifications[which]);
    this.#open.add(notification);
    const gone = (): boolean => this.#open.delete(notification);
    notification.once('close', gone);
    notification.once('click', () => {
      gone();
      clicked();
    });
    if (shown !== undefined) notification.once('show', shown);
    notification.show();
  }

  async #tell(subject: NotificationSubject): Promise<void> {
    const parley = this.#parley;
    // The person has a window of Parley's before them, and sees it there.
    if (this.#windows.inUse() || !parley.settings.get().desktop[notificationSwitches[subject]])
      return;
    if (subject !== 'answer' && subject !== 'noAnswer') {
      await this.show(subject, () => this.#lead('talk'));
      return;
    }
    const { id } = (await parley.chats()).chat.conversation;
    await this.show(subject, () => void this.#leadToChat(id));
  }

  #lead(screen: 'talk' | 'chat'): void {
    this.#windows.showMain();
    this.#parley.notices.post('placeWanted', { screen });
  }

  /** It may have been deleted meanwhile, which is said where it would have stood. */
  async #leadToChat(id: string): Promise<void> {
    const { answer, notices } = this.#parley;
    const reply = await answer('openChat', { id });
    this.#lead('chat');
    if (!reply.ok) notices.post('chatProblem', reply.error);
  }
}

/** What a notification tells of; each has its words, and leads somewhere. */
type NotificationSubject = 'answer' | 'noAnswer' | 'turn' | 'time' | 'context' | 'over' | 'lost';

const notificationSwitches: Readonly<
  Record<NotificationSubject, Extract<keyof DesktopSettings, `notify${string}`>>
> = {
  answer: 'notifyAnswer',
  noAnswer: 'notifyAnswer',
  turn: 'notifyTurn',
  time: 'notifyLimit',
  context: 'notifyLimit',
  over: 'notifyLost',
  lost: 'notifyLost',
};

/** Says of each notice whether a person in another program wants to know. It only judges; others show. */
export class NotificationJudge {
  #phase: TalkState['phase'] = 'idle';
  /** The talk was live, or stood in the queue: it is one that can be lost. */
  #hadPlace = false;

  readonly judge = (notice: Notice): NotificationSubject | undefined => {
    if (notice.name === 'talkState') return this.#talk(notice.payload);
    // The second warning comes when there is no time left to come.
    if (notice.name === 'talkWarning') {
      return notice.payload.threshold === 60 ? notice.payload.limit : undefined;
    }
    if (notice.name !== 'chatPatch' || notice.payload.kind !== 'answer') return undefined;
    // One that the person stopped has no end to be told of.
    const { kind } = notice.payload.state;
    if (kind === 'failed') return 'noAnswer';
    return kind === 'done' ? 'answer' : undefined;
  };

  #talk(state: TalkState): NotificationSubject | undefined {
    const before = this.#phase;
    this.#phase = state.phase;
    if (state.phase === 'live' || state.phase === 'queued') this.#hadPlace = true;
    if (state.phase === 'live') return before === 'queued' ? 'turn' : undefined;
    if (state.phase !== 'ended') return undefined;
    // One that did not even begin is waited for by whoever began it.
    const { by, orderly } = state.ending;
    const ended = this.#hadPlace && by !== 'client';
    this.#hadPlace = false;
    if (!ended) return undefined;
    // A time that is up is nothing that broke, and is not told as if it were.
    return orderly ? 'over' : 'lost';
  }
}
