import type { StoredDataKind } from '../../shared/app/program.ts';
import type { MemorySentence } from '../../shared/memory/memory-view.ts';
import type { HistoryRef } from '../../shared/recordings/history-item.ts';
import { isBuiltIn } from '../../shared/settings/connection-settings.ts';
import {
  conflictingOwners,
  isCursorKey,
  type KeyOwner,
  keyPatch,
  type SettingKeyOwner,
} from '../../shared/settings/key-owners.ts';
import type { PageSettingsPatch } from '../../shared/settings/settings.ts';
import type { ToolRef } from '../../shared/tools/tools-view.ts';
import type { Ask, Bridge, OrderedBridge } from '../app/bridge/ordered-bridge.ts';
import type { Store } from '../app/store.ts';
import type { UiState } from '../app/ui-state.ts';
import { createRoomActions, createSoundActions } from './audio/sound-actions.ts';
import { createEndpointActions } from './endpoints/endpoint-actions.ts';
import {
  createFieldActions,
  createSettingsActionContext,
  type SettingsActionContext,
} from './field-actions.ts';
import type { SettingsSection } from './settings-ui-state.ts';
import { createVoiceActions } from './voices/voice-actions.ts';

/** Settings in the Servers section that are not in the form of a server. */
const outsideForm: ReadonlySet<string> = new Set([
  'endpoints.list',
  'endpoints.proxy',
  'endpoints.proxyAddress',
]);

export function createSettingsActions(store: Store<UiState>, bridge: OrderedBridge) {
  const context = createSettingsActionContext(store);
  const fields = createFieldActions(bridge, context);
  const endpoints = createEndpointActions(store, bridge, context);
  /**
   * Opens a form for a server setting: of the chosen server, or of a new one if the user has none.
   * False if neither is possible.
   */
  const openForm = (): boolean => {
    const { chosen, list = [] } = store.getState().settings?.endpoints ?? {};
    const ownServers = list.filter((profile) => !isBuiltIn(profile));
    const server = ownServers.find(({ id }) => id === chosen);
    if (server !== undefined) endpoints.editServer(server.id);
    else if (ownServers.length === 0) endpoints.addServer();
    return server !== undefined || ownServers.length === 0;
  };
  /** The proxy address is visible only if it is used; else the proxy choice is focused. */
  const visibleTarget = (settingId: string): string =>
    settingId === 'endpoints.proxyAddress' && store.getState().settings?.proxy.way !== 'address'
      ? 'endpoints.proxy'
      : settingId;
  return {
    search: (searched: string) => context.change({ searchText: searched }),
    /** Shows a setting and ends the search. */
    goTo: (section: SettingsSection, settingId: string) => {
      const inForm = section === 'endpoints' && !outsideForm.has(settingId);
      const isVisible = !inForm || context.settingsUi().form !== undefined || openForm();
      context.change({
        section,
        focusTarget: isVisible ? visibleTarget(settingId) : 'endpoints.list',
        searchText: '',
      });
    },
    clearFocusTarget: () => context.change({ focusTarget: undefined }),
    setProblem: (id: string, problem: string | undefined) =>
      context.setField(id, problem === undefined ? undefined : { problem }),
    ...fields,
    ...createKeyActions(store, bridge, context, fields.choose),
    ...endpoints,
    ...createSoundActions(bridge, context),
    room: createRoomActions(bridge, context),
    ...createVoiceActions(bridge, context),
    ...createMemoryActions(store, bridge, context),
    ...createPrivacyActions(bridge, context),
  };
}

type Choose = (id: string, patch: PageSettingsPatch) => Promise<void>;

function keyFieldId(owner: SettingKeyOwner): string {
  if (owner === 'talk') return 'talking.key';
  if (owner === 'global') return 'talking.globalKey';
  return isCursorKey(owner) ? `cursor.${owner}` : `keys.${owner}`;
}

/** Key assignment, and the test of the global key. */
function createKeyActions(
  { getState, setState }: Store<UiState>,
  bridge: OrderedBridge,
  { settingsUi, change, ask }: SettingsActionContext,
  choose: Choose,
) {
  const assignKey = async (
    owner: SettingKeyOwner,
    key: string,
    displaced: readonly KeyOwner[] = [],
  ): Promise<void> => {
    change({ keyConflict: undefined });
    const actions = getState().settings?.cursor.actions;
    await choose(keyFieldId(owner), keyPatch(owner, key, displaced, actions));
  };
  return {
    setKey: assignKey,
    /** Asks the user about a key that is already assigned. */
    showKeyConflict: (owner: SettingKeyOwner, key: string, others: readonly KeyOwner[]) =>
      change({ keyConflict: { owner, key, others } }),
    resolveKeyConflict: async () => {
      const { keyConflict } = settingsUi();
      const { settings } = getState();
      if (keyConflict === undefined || settings === undefined) return;
      const { owner, key, others } = keyConflict;
      // While the question was open, the user may have given a function in `others` a different key.
      const still = conflictingOwners(settings, owner, key, () => true);
      await assignKey(
        owner,
        key,
        others.filter((other) => still.includes(other)),
      );
    },
    /** The button of this key begins to record as soon as it is visible. */
    startKeyRecording: (recordingKey: SettingKeyOwner | undefined) => change({ recordingKey }),
    dismissKeyConflict: () => change({ keyConflict: undefined }),
    /** Resolves true if they were reset. */
    resetKeys: async (): Promise<boolean> => {
      change({ keyConflict: undefined });
      const reset = await ask('keys.reset', () =>
        bridge.request('resetSettings', { group: 'keys' }),
      );
      return reset !== undefined;
    },
    readGlobalKey: async () => {
      await bridge.read('globalKey', (globalKey) => setState({ globalKey }));
    },
    retryGlobalKey: async () => {
      await ask('talking.globalTest', () => bridge.request('retryGlobalKey', undefined));
    },
    testGlobalKey: async (key: string) => {
      change({ globalKeyTest: undefined });
      const answer = await ask('globalKeyTest', () => bridge.request('testGlobalKey', undefined));
      if (answer !== undefined) change({ globalKeyTest: { key, result: answer.value } });
    },
  };
}

function createPrivacyActions(bridge: Bridge, { change, setField, ask }: SettingsActionContext) {
  let deletions = 0;
  return {
    readStoredData: async () => {
      const before = deletions;
      const reply = await bridge.request('storedData', undefined);
      // A reply to a request from before a deletion is outdated.
      if (before !== deletions) return;
      if (reply.ok) change({ storedData: reply.value });
      else setField('storedData', { problem: reply.error });
    },
    askForDeletion: (deletionToConfirm: StoredDataKind | 'all' | undefined) =>
      change({ deletionToConfirm }),
    deleteStoredData: async (kind: StoredDataKind | 'all') => {
      deletions += 1;
      const answer = await ask('storedData', () => bridge.request('deleteStoredData', { kind }));
      if (answer !== undefined) change({ storedData: answer.value });
    },
  };
}

export function createToolActions(store: Store<UiState>, bridge: OrderedBridge, ask: Ask) {
  return {
    read: () => bridge.read('tools', (toolsView) => store.setState({ toolsView })),
    cancelReminder: (id: number) => ask('cancelReminder', { id }),
    shareFile: () => ask('shareFile', undefined),
    shareFolder: () => ask('shareFolder', undefined),
    unshare: (path: string) => ask('unsharePlace', { path }),
    addServers: (text: string) => ask('addToolServers', { text }),
    importServers: () => ask('importToolServers', undefined),
    findServers: async (): Promise<void> => {
      const reply = await bridge.request('findToolServers', undefined);
      store.setState(reply.ok ? { foundServers: reply.value } : { problem: reply.error });
    },
    /** Resolves true if all were added. */
    addFound: async (ids: readonly string[]): Promise<boolean> => {
      const added = await ask('addFoundServers', { ids: [...ids] });
      if (added) store.setState({ foundServers: undefined });
      return added;
    },
    removeServer: (id: string) => ask('removeToolServer', { id }),
    lookAtServer: (id: string) => ask('lookAtToolServer', { id }),
    switchTool: (id: string, tool: string, isOn: boolean) =>
      ask('switchServerTool', { id, tool, isOn }),
    askAgain: ({ server, tool }: ToolRef) => ask('askAgainForTool', { server, tool }),
    dismissReminder: (id: number) => ask('dismissReminder', { id }),
  };
}

/** Field ids of the memory's errors. */
export const memoryListField = 'memory.list';
export const memoryWriteField = 'memory.write';
const suggestionField = 'memory.suggest';
/** The actions of the memory. The list changes when the core confirms. */
function createMemoryActions(
  { getState, setState }: Store<UiState>,
  bridge: OrderedBridge,
  { settingsUi, ask, setField }: SettingsActionContext,
) {
  const read = () => bridge.read('memory', (memory) => setState({ memory }));
  const listProblem = () => settingsUi().fields[memoryListField]?.problem;
  /** Unlike `ask`, also while another request of the list runs, because a click would be lost. Resolves true if it succeeded. */
  const askAlways = async (
    asking: ReturnType<typeof bridge.request<'removeSentence'>>,
  ): Promise<boolean> => {
    const before = listProblem();
    const reply = await asking;
    if (!reply.ok) {
      setField(memoryListField, { problem: reply.error });
      // `parley memory` may have changed the list, which no notice reports.
      await read();
    } else if (listProblem() === before) {
      // Otherwise the problem belongs to a request that was answered meanwhile.
      setField(memoryListField, undefined);
    }
    return reply.ok;
  };
  return {
    readMemory: async () => {
      await ask(memoryListField, read);
    },
    /** Resolves true if it was added. */
    addSentence: async (text: string): Promise<boolean> => {
      const added = await ask(memoryWriteField, () => bridge.request('addSentence', { text }));
      return added !== undefined;
    },
    changeSentence: (id: string, part: Partial<Pick<MemorySentence, 'text' | 'on'>>) =>
      askAlways(bridge.request('changeSentence', { id, ...part })),
    moveSentence: async (id: string, by: 1 | -1) => {
      const index = getState().memory?.sentences.findIndex((each) => each.id === id) ?? -1;
      if (index < 0) return;
      await ask(memoryListField, () => bridge.request('moveSentence', { id, to: index + by }));
    },
    removeSentence: (id: string) => askAlways(bridge.request('removeSentence', { id })),
    restoreSentence: (id: string) => askAlways(bridge.request('restoreSentence', { id })),
    answerSuggestion: async (id: string, accepted: boolean) => {
      await ask(suggestionField, () => bridge.request('answerSuggestion', { id, accepted }));
    },
    readTalkPassages: () =>
      bridge.read('talkPassages', (talkPassages) => setState({ talkPassages })),
    leaveOutTalkPassage: async ({ kind, id }: HistoryRef) => {
      await bridge.request('leaveOutTalkPassage', { place: { kind, id } });
    },
    removeAllSentences: async () => {
      await ask(memoryListField, () => bridge.request('removeAllSentences', undefined));
    },
  };
}
