import { describe, expect, it } from 'vitest';
import { initialUiState } from '../../../../../renderer/app/ui-state.ts';
import { diagnosticsText } from '../../../../../renderer/settings/about/diagnostics-text.ts';
import { redactSettings, defaultSettings } from '../../../../../shared/settings/settings.ts';

describe('diagnostics', () => {
  it('contain facts for support, and no address, name or text of the user', () => {
    const settings = redactSettings({
      ...defaultSettings,
      assistant: {
        ...defaultSettings.assistant,
        preset: 'own',
        instructions: 'PRIVATE-TEXT',
        configs: { own: { prompt_suffix: 'PRIVATE-FIELD' } },
      },
      audio: {
        ...defaultSettings.audio,
        microphone: { name: 'PRIVATE-MICROPHONE', hostApi: 'ALSA' },
        speaker: { name: 'PRIVATE-SPEAKER' },
      },
      vision: { ...defaultSettings.vision, camera: 'PRIVATE-CAMERA' },
      chat: { ...defaultSettings.chat, system: 'PRIVATE-SYSTEM' },
      voices: { model: 'voice-private', speech: 'none' },
      endpoints: {
        chosen: 'mine',
        list: [
          {
            id: 'mine',
            name: 'PRIVATE-NAME',
            kind: 'hosted',
            url: 'wss://private.example/v1?api_key=PRIVATE-KEY',
            dialect: 'auto',
            headers: { 'X-Private': 'PRIVATE-HEADER' },
            query: {},
            hasToken: true,
          },
        ],
      },
    });
    const text = diagnosticsText({
      ...initialUiState,
      settings,
      about: { name: 'Parley', version: '1.2.3', host: 'browser', runtime: [] },
      facts: {
        mode: 'audio',
        endpoint: 'PRIVATE-NAME',
        session: { id: 'rt_1714200000000', dialect: 'legacy' },
      },
    });
    expect(text).not.toMatch(/private/i);
    expect(text).toContain('dialect: legacy\nsession: rt_1714200000000');
    expect(text).toContain('program: Parley 1.2.3');
    expect(text).toContain('"kind":"hosted","dialect":"auto","scheme":"wss","hasToken":true');
    expect(text).toContain('"instructions":"12 characters"');
    expect(text).toContain('"configs":["own"]');
    expect(text).toContain('"microphone":"chosen, ALSA","speaker":"chosen, any host API"');
    expect(text).toContain('"camera":"chosen"');
  });
});
