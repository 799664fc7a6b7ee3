import { failure, type Outcome } from '../../shared/errors/app-error.ts';
import { englishErrorMessage } from '../../shared/i18n/en/errors.ts';
import type { ToolHandlers } from '../../shared/ipc/tools-ipc.ts';
import type { OpenMethod } from '../../shared/ports/files.ts';
import type { ToolsView } from '../../shared/tools/tools-view.ts';
import type { ChatTools } from '../chat/call-rounds.ts';
import { createPickedFiles } from '../platform/tools/picked-files.ts';
import { clockTools } from '../tools/built-in/clock-tools.ts';
import { fileTools } from '../tools/built-in/file-tools.ts';
import { type HistoryPassage, historyTools } from '../tools/built-in/history-tool.ts';
import { reminderTools } from '../tools/built-in/reminder-tools.ts';
import { Reminders } from '../tools/built-in/reminders.ts';
import type { Tool } from '../tools/tool.ts';
import { ToolStore } from '../tools/tool-store.ts';
import type { Machine } from './machine.ts';
import type { Recordings } from './recordings.ts';
import type { Servers } from './servers.ts';

interface Parts {
  readonly machine: Machine;
  readonly servers: Pick<Servers, 'settings'>;
  readonly recordings: Pick<Recordings, 'library'>;
  readonly openMethod: OpenMethod | undefined;
}

/** The tools that answers may use. */
export class Tools {
  readonly #parts: Parts;
  readonly #store: ToolStore;
  readonly #reminders: Reminders;
  readonly #builtIn: Readonly<Record<'clock' | 'reminders' | 'files' | 'history', readonly Tool[]>>;

  constructor(parts: Parts) {
    this.#parts = parts;
    const { machine } = parts;
    const { clock, wallClock, notices, stateFile, lifetime } = machine;
    const store = new ToolStore(stateFile('tools'), () => this.#post());
    this.#store = store;
    this.#reminders = new Reminders({
      file: stateFile('reminders'),
      clock,
      wallClock,
      due: (reminder) => notices.post('reminderDue', reminder),
      changed: () => this.#post(),
    });
    lifetime.add(() => store.settled(), 'tools');
    lifetime.add(() => this.#reminders.end(), 'reminders');
    this.#builtIn = {
      clock: clockTools(wallClock),
      reminders: reminderTools(this.#reminders, wallClock),
      files: fileTools(
        createPickedFiles(() => store.places),
        () => store.places,
      ),
      history: historyTools(this.#searchHistory),
    };
  }

  /** For hosts that run for long: reminds. */
  begin(): void {
    this.#reminders.begin();
  }

  /** The part that conversations use. */
  readonly forChats: ChatTools = {
    list: () => {
      const on = this.#parts.servers.settings.get().tools;
      const { clock, reminders, files, history } = this.#builtIn;
      return [
        ...(on.clock ? clock : []),
        ...(on.reminders ? reminders : []),
        ...(on.files ? files : []),
        ...(on.history ? history : []),
      ];
    },
    isAlwaysAllowed: ({ server, name }) => this.#store.isAlwaysAllowed({ server, tool: name }),
    allowAlways: ({ server, name }) => void this.#store.allowAlways({ server, tool: name }),
    describeError: englishErrorMessage,
  };

  handlers(): ToolHandlers {
    const { openMethod } = this.#parts;
    const share = async (choose: keyof OpenMethod): Promise<Outcome<undefined> | undefined> => {
      if (openMethod === undefined) return failure('toolNoDialog');
      const path = await openMethod[choose]();
      return path === undefined ? undefined : this.#store.share(path);
    };
    return {
      tools: () => this.#view(),
      cancelReminder: ({ id }) => this.#reminders.cancel(id),
      shareFile: () => share('chooseFile'),
      shareFolder: () => share('chooseFolder'),
      unsharePlace: ({ path }) => this.#store.unshare(path),
      askAgainForTool: (ref) => this.#store.askAgain(ref),
    };
  }

  readonly #searchHistory = async (
    query: string,
    count: number,
  ): Promise<Outcome<readonly HistoryPassage[]>> => {
    const { library } = this.#parts.recordings;
    const found = await library.search(query, { skip: 0, count, filter: {} });
    if (!found.ok) return found;
    const value = found.value.entries.map(({ item, place }) => ({
      title: item.title === '' ? item.firstWords : item.title,
      kind: item.kind,
      at: item.at,
      excerpt: place.excerpt,
    }));
    return { ok: true, value };
  };

  #view(): ToolsView {
    const { places, always } = this.#store;
    return { reminders: this.#reminders.list(), places, always };
  }

  #post(): void {
    this.#parts.machine.notices.post('toolsChanged', this.#view());
  }
}
