import { Notification, type NotificationConstructorOptions } from 'electron';
import type { CoreMessages } from '../../../../shared/i18n/messages.ts';
import type { Notice } from '../../../../shared/ipc/contract.ts';
import type { ModelFilesState } from '../../../../shared/model/local-model-state.ts';
import type { DesktopSettings } from '../../../../shared/settings/app-settings.ts';
import type { Settings } from '../../../../shared/settings/settings.ts';
import type { TalkState } from '../../../../shared/talk/talk-view.ts';
import type { Reminder } from '../../../../shared/tools/tools-view.ts';
import type { DesktopCore } from '../desktop-core.ts';
import type { DesktopWindows } from '../desktop-windows.ts';
import { desktopMessages } from '../desktop-messages.ts';

type Core = Pick<DesktopCore, 'answer' | 'notices' | 'lifetime'> & {
  readonly chats: () => Promise<{
    readonly chat: { readonly conversation: { readonly id: string } };
  }>;
  readonly dueReminders: () => readonly Reminder[];
  readonly settings: {
    readonly get: () => Pick<Settings, 'desktop'> & {
      readonly appearance: Pick<Settings['appearance'], 'language'>;
    };
  };
};

type Words = CoreMessages['desktop']['notifications'];

/** Notifies a user who is in another program. A click opens the subject. */
export class DesktopNotifications {
  readonly #parley: Core;
  readonly #windows: Pick<DesktopWindows, 'isFocused' | 'showMain'>;
  /** False without D-Bus, where a notification would only fill the log. */
  readonly #canNotify: () => boolean;
  /** Keeps references, because a collected notification loses its click handler. */
  readonly #open = new Set<Notification>();
  /** The reminders that were shown, as JSON. */
  readonly #reminded = new Set<string>();

  constructor(
    parley: Core,
    windows: Pick<DesktopWindows, 'isFocused' | 'showMain'>,
    canNotify: () => boolean,
  ) {
    this.#parley = parley;
    this.#windows = windows;
    this.#canNotify = canNotify;
    const { notices, lifetime } = parley;
    const { subjectFor } = new NotificationPolicy();
    lifetime.add(
      notices.listen((notice) => {
        const subject = subjectFor(notice);
        if (subject !== undefined) void this.#notify(subject);
        if (notice.name === 'toolsChanged') this.#remindOf(notice.payload.due);
      }),
    );
    // A reminder may have come due before this object listened.
    this.#remindOf(parley.dueReminders());
    lifetime.add(() => {
      for (const notification of this.#open) notification.close();
      this.#open.clear();
    });
  }

  /** Shows a notification, and calls `onShow` once the system displays it. */
  async show(subject: keyof Words, onClick: () => void, onShow?: () => void): Promise<void> {
    const messages = await this.#messages();
    if (messages === undefined) return;
    const silent = subject === 'modelReady' || subject === 'modelFailed';
    this.#display({ ...messages.notifications[subject], silent }, onClick, onShow);
  }

  #remindOf(due: readonly Reminder[]): void {
    for (const reminder of due) {
      if (reminder.wasDue === true) continue;
      const key = JSON.stringify(reminder);
      if (this.#reminded.has(key)) continue;
      this.#reminded.add(key);
      void this.#remind(reminder);
    }
  }

  /** Shows the reminder's text, even on a locked screen, because without it a reminder is useless. */
  async #remind({ text }: Reminder): Promise<void> {
    const messages = await this.#messages();
    if (messages === undefined) return;
    this.#display({ title: messages.reminder, body: text }, () => this.#windows.showMain());
  }

  /** The texts, or undefined if nothing can be shown. */
  async #messages(): Promise<CoreMessages['desktop'] | undefined> {
    const { settings, lifetime } = this.#parley;
    if (!this.#canNotify() || !Notification.isSupported()) return undefined;
    const messages = await desktopMessages(settings.get().appearance.language);
    return lifetime.hasEnded ? undefined : messages;
  }

  #display(
    options: NotificationConstructorOptions,
    onClick: () => void,
    onShow?: () => void,
  ): void {
    const notification = new Notification(options);
    this.#open.add(notification);
    const forget = (): boolean => this.#open.delete(notification);
    notification.once('close', forget);
    notification.once('click', () => {
      forget();
      onClick();
    });
    if (onShow !== undefined) notification.once('show', onShow);
    notification.show();
  }

  async #notify(subject: NotificationSubject): Promise<void> {
    const parley = this.#parley;
    // A window with the focus already shows the subject.
    if (this.#windows.isFocused() || !parley.settings.get().desktop[notificationSwitches[subject]])
      return;
    if (subject === 'modelReady' || subject === 'modelFailed') {
      await this.show(subject, () => this.#openModel());
      return;
    }
    if (subject !== 'answer' && subject !== 'noAnswer') {
      await this.show(subject, () => this.#openScreen('talk'));
      return;
    }
    const { id } = (await parley.chats()).chat.conversation;
    await this.show(subject, () => void this.#openChat(id));
  }

  #openScreen(screen: 'talk' | 'chat'): void {
    this.#windows.showMain();
    this.#parley.notices.post('placeWanted', { screen });
  }

  #openModel(): void {
    this.#windows.showMain();
    this.#parley.notices.post('placeWanted', { screen: 'settings', section: 'endpoints' });
  }

  /** The conversation may have been deleted; the chat screen reports that. */
  async #openChat(id: string): Promise<void> {
    const { answer, notices } = this.#parley;
    const reply = await answer('openChat', { id });
    this.#openScreen('chat');
    if (!reply.ok) notices.post('chatProblem', reply.error);
  }
}

/** The subjects of notifications. Each has its texts and the screen that a click opens. */
type NotificationSubject =
  | 'answer'
  | 'noAnswer'
  | 'turn'
  | 'time'
  | 'context'
  | 'over'
  | 'lost'
  | 'modelReady'
  | 'modelFailed';

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
  modelReady: 'notifyModel',
  modelFailed: 'notifyModel',
};

export class NotificationPolicy {
  #phase: TalkState['phase'] = 'idle';
  /** Whether the talk was live or queued, so that it can be lost. */
  #wasLiveOrQueued = false;
  #wasDownloading = false;

  readonly subjectFor = (notice: Notice): NotificationSubject | undefined => {
    if (notice.name === 'talkState') return this.#subjectOfTalk(notice.payload);
    if (notice.name === 'modelChanged') return this.#subjectOfFiles(notice.payload.files);
    // Notifies at the first warning only, because the second comes too late to act.
    if (notice.name === 'talkWarning') {
      return notice.payload.threshold === 60 ? notice.payload.limit : undefined;
    }
    if (notice.name !== 'chatPatch' || notice.payload.kind !== 'answer') return undefined;
    // The user needs no notification of an answer that they stopped.
    const { kind } = notice.payload.state;
    if (kind === 'failed') return 'noAnswer';
    return kind === 'done' ? 'answer' : undefined;
  };

  /** Notifies after a download only. When the user chooses a folder with a model, they are looking at the window. */
  #subjectOfFiles({ kind }: ModelFilesState): NotificationSubject | undefined {
    const wasDownloading = this.#wasDownloading;
    this.#wasDownloading = kind === 'downloading';
    if (!wasDownloading) return undefined;
    if (kind === 'ready') return 'modelReady';
    return kind === 'failed' ? 'modelFailed' : undefined;
  }

  #subjectOfTalk(state: TalkState): NotificationSubject | undefined {
    const before = this.#phase;
    this.#phase = state.phase;
    if (state.phase === 'live' || state.phase === 'queued') this.#wasLiveOrQueued = true;
    if (state.phase === 'live') return before === 'queued' ? 'turn' : undefined;
    if (state.phase !== 'ended') return undefined;
    // If the talk never began, the user is still looking at the window.
    const { by, orderly } = state.ending;
    const isLoss = this.#wasLiveOrQueued && by !== 'client';
    this.#wasLiveOrQueued = false;
    if (!isLoss) return undefined;
    // An orderly end, such as at a time limit, is not reported as a loss.
    return orderly ? 'over' : 'lost';
  }
}
