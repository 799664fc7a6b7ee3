/**
 * Casts in tests that stand until the product takes less than the whole of what they play a part of.
 * It is a short list, and it gets shorter.
 * @type {readonly { readonly file: string, readonly cast: string, readonly why: string }[]}
 */
export const allowedCasts = [
  {
    file: 'test/fakes/fake-bridge.ts',
    cast: 'as never',
    why: 'one answer for whichever request is asked: which, only the compiler of the asker knows',
  },
  {
    file: 'test/unit/renderer/store/chat/open-drafts.ts',
    cast: 'as never',
    why: 'as in the fake bridge',
  },
  { file: 'test/gallery/gallery-core.ts', cast: 'as never', why: 'as in the fake bridge' },
  {
    file: 'test/fakes/no-controllers.ts',
    cast: 'as unknown as ControllerHandlers',
    why: 'one refusal under every name of the contract, which are made at run time',
  },
  {
    file: 'test/fakes/core-with-fakes.ts',
    cast: 'as unknown as Parameters<typeof composeControllers>[0]',
    why: 'composing the controllers takes all of the sound and asks two things of it',
  },
  {
    file: 'test/unit/electron/sound/devices/loopback-test.test.ts',
    cast: 'as unknown as Parley',
    why: 'the loopback test takes a whole core and asks for its clock and devices',
  },
  {
    file: 'test/unit/electron/hosts/desktop/desktop-windows.test.ts',
    cast: 'as unknown as Deps',
    why: 'joining a window takes one of Electron',
  },
  {
    file: 'test/unit/electron/hosts/desktop/desktop-windows.test.ts',
    cast: 'as unknown as Core',
    why: 'of a talk the windows ask only whether it goes on',
  },
  {
    file: 'test/unit/electron/hosts/desktop/tray.test.ts',
    cast: 'as unknown as Parley',
    why: 'the tray takes a whole core',
  },
  {
    file: 'test/unit/electron/hosts/terminal/commands/sound-devices.test.ts',
    cast: 'as unknown as Parley',
    why: 'a command takes a whole core',
  },
  {
    file: 'test/unit/electron/hosts/terminal/commands/replay-command.test.ts',
    cast: 'as unknown as Parley',
    why: 'a command takes a whole core',
  },
  {
    file: 'test/unit/electron/hosts/terminal/commands/talk-command-harness.ts',
    cast: 'as unknown as Parley',
    why: 'a command takes a whole core',
  },
  {
    file: 'test/unit/electron/adapters/portaudio-device-tables.test.ts',
    cast: 'as Partial<NativeSound> as NativeSound',
    why: 'of the whole addon, tables of devices only start and stop copies',
  },
  {
    file: 'test/unit/electron/sound/devices/preloaded-resamplers.test.ts',
    cast: 'as Partial<SoundDriver> as SoundDriver',
    why: 'converters are made ready around the microphone only',
  },
  {
    file: 'test/unit/electron/conversation/policies/reconnect-policy.test.ts',
    cast: 'as SessionContext',
    why: 'what tells the reason of an ending asks a whole course for its mode',
  },
  {
    file: 'test/unit/electron/core/compose-voices.test.ts',
    cast: 'as Microphone',
    why: 'a recording takes a whole microphone and only ends it',
  },
];
