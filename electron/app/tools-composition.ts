import { homedir } from 'node:os';
import { type AppError, failure, type Outcome } from '../../shared/errors/app-error.ts';
import { createSharedFiles, readPlainFile } from '../platform/tools/shared-files.ts';
import { englishErrorMessage } from '../../shared/i18n/en/errors.ts';
import type { ToolHandlers } from '../../shared/ipc/tools-ipc.ts';
import type { Confirmation } from '../../shared/ports/desktop.ts';
import type { OpenMethod } from '../../shared/ports/files.ts';
import type { Reminder, ToolsView } from '../../shared/tools/tools-view.ts';
import type { ChatTools } from '../chat/call-rounds.ts';
import {
  clockTools,
  fileTools,
  type HistoryPassage,
  historyTools,
  reminderTools,
} from '../tools/built-in/built-in-tools.ts';
import { Reminders } from '../tools/built-in/reminders.ts';
import { FoundServers, knownServerFiles } from '../tools/servers/found-servers.ts';
import { ToolServers } from '../tools/servers/tool-servers.ts';
import type { Tool } from '../tools/tool.ts';
import { ToolStore } from '../tools/tool-store.ts';
import type { Machine } from './machine.ts';
import type { RecordingsComposition } from './recordings-composition.ts';
import type { ServersComposition } from './servers-composition.ts';

interface Parts {
  readonly machine: Machine;
  readonly servers: Pick<ServersComposition, 'settings' | 'secrets'>;
  readonly recordings: Pick<RecordingsComposition, 'library'>;
  readonly openMethod: OpenMethod | undefined;
  readonly confirm: Confirmation | undefined;
}

/** Limit of a file with servers that the user picks, the same as for pasted text. */
const maxServerFileBytes = 100_000;
/** Limit of another assistant's file, which holds other settings beside the servers. */
const maxFoundFileBytes = 1_000_000;

/** The tools that the model may use while it answers. */
export class ToolsComposition {
  readonly #parts: Parts;
  readonly #store: ToolStore;
  readonly #reminders: Reminders;
  readonly #toolServers: ToolServers;
  readonly #foundServers: FoundServers;
  readonly #builtIn: Readonly<Record<'clock' | 'reminders' | 'files' | 'history', readonly Tool[]>>;

  constructor(parts: Parts) {
    this.#parts = parts;
    const { machine } = parts;
    const { clock, wallClock, random, stateFile, lifetime } = machine;
    const onDamaged = (error: AppError): void => parts.servers.settings.report(error);
    const store = new ToolStore(stateFile('tools'), () => this.#post(), onDamaged);
    this.#store = store;
    this.#reminders = new Reminders({
      file: stateFile('reminders'),
      clock,
      wallClock,
      onChanged: () => this.#post(),
      onDamaged,
    });
    this.#toolServers = new ToolServers({
      clock,
      random,
      store,
      values: parts.servers.secrets,
      // Loaded with the first server, because the protocol's library is large.
      connect: async (...server) => {
        const { connectMcpServer } = await import('../platform/tools/mcp-connection.ts');
        return connectMcpServer(...server);
      },
      confirm: this.#confirm,
      onChanged: () => this.#post(),
    });
    this.#foundServers = new FoundServers({
      files: () =>
        knownServerFiles({ platform: process.platform, home: homedir(), environment: process.env }),
      read: (path) => readPlainFile(path, maxFoundFileBytes),
      servers: this.#toolServers,
    });
    lifetime.add(() => store.settled(), 'tools');
    lifetime.add(() => this.#toolServers.end(), 'tool servers');
    lifetime.add(() => this.#reminders.end(), 'reminders');
    this.#builtIn = {
      clock: clockTools(wallClock),
      reminders: reminderTools(this.#reminders, wallClock),
      files: fileTools(
        createSharedFiles(() => store.sharedPaths),
        () => store.sharedPaths,
      ),
      history: historyTools(this.#searchHistory),
    };
  }

  get due(): readonly Reminder[] {
    return this.#reminders.due();
  }

  /** Starts the reminders. Only hosts that run for long call this. */
  begin(): void {
    this.#reminders.begin();
  }

  /** The tools that chats, quick questions and talks may call. */
  readonly forChats: ChatTools = {
    list: () => {
      const enabled = this.#parts.servers.settings.get().tools;
      const { clock, reminders, files, history } = this.#builtIn;
      return [
        ...(enabled.clock ? clock : []),
        ...(enabled.reminders ? reminders : []),
        ...(enabled.files ? files : []),
        ...(enabled.history ? history : []),
        ...this.#toolServers.tools(),
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
      dismissReminder: ({ id }) => this.#reminders.dismiss(id),
      shareFile: () => share('chooseFile'),
      shareFolder: () => share('chooseFolder'),
      unsharePlace: ({ path }) => this.#store.unshare(path),
      addToolServers: ({ text }) => this.#toolServers.add(text),
      importToolServers: () => this.#importServers(),
      findToolServers: () => this.#foundServers.find(),
      addFoundServers: ({ ids }) => this.#foundServers.add(ids),
      removeToolServer: ({ id }) => this.#toolServers.remove(id),
      lookAtToolServer: ({ id }) => this.#toolServers.look(id),
      switchServerTool: ({ id, tool, isOn }) => this.#toolServers.switchTool(id, tool, isOn),
      askAgainForTool: (ref) => this.#store.askAgain(ref),
    };
  }

  /** Asks whether to add servers. In a browser there is no system dialog, and the page's own button is the confirmation. */
  readonly #confirm = async (places: readonly string[]): Promise<boolean> => {
    const { confirm, servers } = this.#parts;
    const { language } = servers.settings.get().appearance;
    if (confirm === undefined) return true;
    const [place = '', ...others] = places;
    if (others.length === 0) return confirm.newToolServer(place, language);
    // Numbers show where each place begins, because a long one takes several lines.
    const list = places.map((each, index) => `${index + 1}. ${each}`).join('\n');
    return confirm.newToolServers(list, language);
  };

  async #importServers(): Promise<Outcome<undefined> | undefined> {
    const { openMethod, machine } = this.#parts;
    if (openMethod === undefined) return failure('toolNoDialog');
    const path = await openMethod.chooseFile();
    if (path === undefined) return undefined;
    const text = await machine.files.readText(path, maxServerFileBytes);
    return text.ok ? this.#toolServers.add(text.value) : text;
  }

  readonly #searchHistory = async (
    query: string,
    count: number,
  ): Promise<Outcome<readonly HistoryPassage[]>> => {
    const found = await this.#parts.recordings.library.searchAllowed(query, count);
    if (!found.ok) return found;
    const value = found.value.map(({ item, place }) => ({
      title: item.title === '' ? item.firstWords : item.title,
      kind: item.kind,
      at: item.at,
      excerpt: place.excerpt,
    }));
    return { ok: true, value };
  };

  #view(): ToolsView {
    const { sharedPaths, always } = this.#store;
    const servers = this.#toolServers.view();
    return {
      reminders: this.#reminders.list(),
      due: this.#reminders.due(),
      sharedPaths,
      always,
      servers,
    };
  }

  #post(): void {
    this.#parts.machine.notices.post('toolsChanged', this.#view());
  }
}
