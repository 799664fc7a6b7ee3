import { Notification } from 'electron';
import type { CoreMessages } from '../../../../shared/i18n/messages.ts';
import type { Settings } from '../../../../shared/settings/settings.ts';
import type { Parley } from '../../../app/compose-parley.ts';
import { desktopWords } from '../desktop-words.ts';
import {
  NotificationJudge,
  type NotificationSubject,
  notificationSwitches,
} from './notification-judge.ts';

type Core = Pick<Parley, 'answer' | 'notices' | 'lifetime'> & {
  readonly chats: () => Promise<{
    readonly chat: { readonly conversation: { readonly id: string } };
  }>;
  readonly settings: {
    readonly get: () => Pick<Settings, 'desktop'> & {
      readonly appearance: Pick<Settings['appearance'], 'language'>;
    };
  };
};

interface Deps {
  readonly parley: Core;
  /** The person has a window of Parley's before them, and sees it there. */
  readonly inUse: () => boolean;
  readonly showMain: () => void;
  /** Without a bus, asking for a notification would only fill the log. */
  readonly possible: () => boolean;
}

type Words = CoreMessages['desktop']['notifications'];

/** Tells a person in another program of what they wait for, and leads them to it. */
export class DesktopNotifications {
  readonly #deps: Deps;
  /** What nothing refers to is collected, and its click with it. */
  readonly #open = new Set<Notification>();

  constructor(deps: Deps) {
    this.#deps = deps;
    const { notices, lifetime } = deps.parley;
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
    const { parley, possible } = this.#deps;
    if (!possible() || !Notification.isSupported()) return;
    const desktop = await desktopWords(parley.settings.get().appearance.language);
    if (parley.lifetime.hasEnded) return;
    const notification = new Notification(desktop.notifications[which]);
    this.#open.add(notification);
    const gone = (): void => {
      this.#open.delete(notification);
    };
    notification.once('close', gone);
    notification.once('click', () => {
      gone();
      clicked();
    });
    if (shown !== undefined) notification.once('show', shown);
    notification.show();
  }

  async #tell(subject: NotificationSubject): Promise<void> {
    const { parley, inUse } = this.#deps;
    if (inUse() || !parley.settings.get().desktop[notificationSwitches[subject]]) return;
    if (subject !== 'answer' && subject !== 'noAnswer') {
      await this.show(subject, () => {
        this.#lead('talk');
      });
      return;
    }
    const { id } = (await parley.chats()).chat.conversation;
    await this.show(subject, () => void this.#leadToChat(id));
  }

  #lead(screen: 'talk' | 'chat'): void {
    this.#deps.showMain();
    this.#deps.parley.notices.post('placeWanted', { screen });
  }

  /** It may have been deleted meanwhile, which is said where it would have stood. */
  async #leadToChat(id: string): Promise<void> {
    const { answer, notices } = this.#deps.parley;
    const reply = await answer('openChat', { id });
    this.#lead('chat');
    if (!reply.ok) notices.post('chatProblem', reply.error);
  }
}
