// The measured child process: Parley's spoken conversation, driven like a page.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { openParley } from '../../../electron/app/parley.ts';
import type { ConversationStats } from '../../../electron/talk/conversation-options.ts';
import { describeAppError } from '../../../shared/i18n/en/errors.ts';
import type { DialectName, DuplexMode } from '../../../shared/protocol/realtime-api.ts';
import type { CaptionPatch } from '../../../shared/talk/talk-view.ts';
import type { LatencySummary } from '../../../shared/talk/talk-stats.ts';
import { instant } from '../../contract/sound/player.ts';

export type Command = 'interrupt' | 'readStats' | 'end';

export interface MeasuredStats extends ConversationStats {
  readonly measures: LatencySummary;
}

export interface TalkProcessStats {
  readonly kind: 'stats';
  readonly talk: MeasuredStats | undefined;
  /** Processor milliseconds of all threads so far. */
  readonly cpu: number;
  readonly rss: number;
  /** Maximum event loop delay since the last request. */
  readonly lateMs: number;
}

export type TalkProcessMessage =
  | { readonly kind: 'phase'; readonly phase: string }
  | { readonly kind: 'caption'; readonly at: number; readonly patch: CaptionPatch }
  | { readonly kind: 'interrupted'; readonly at: number }
  | { readonly kind: 'trouble'; readonly sentence: string }
  | TalkProcessStats;

/** Interval of camera frames; a page grabs one per chunk. */
const frameEveryMs = 1000;

const emit = (message: TalkProcessMessage): void => void process.send?.(message);

export async function run(
  url: string,
  dialect: 'auto' | DialectName,
  mode: DuplexMode,
  framesFolder: string,
): Promise<void> {
  const parley = openParley('terminal', 'bench');
  const draft = { name: 'Bench', kind: 'local', url, dialect, headers: {}, query: {} } as const;
  const profile = await parley.servers.endpoints.put(draft);
  if (!profile.ok) throw new Error(profile.error.code);
  parley.servers.settings.change({
    endpoints: { chosen: profile.value.id },
    privacy: { keepTapes: false },
  });
  parley.machine.notices.listen(({ name, payload }) => {
    if (name === 'caption') emit({ kind: 'caption', at: instant(), patch: payload });
    if (name === 'talkState') emit({ kind: 'phase', phase: payload.phase });
    if (name === 'talkTrouble') emit({ kind: 'trouble', sentence: describeAppError(payload) });
  });
  const late = monitorEventLoopDelay({ resolution: 5 });
  late.enable();
  const started = await parley.talk.controller.start(mode);
  if (!started.ok) throw new Error(started.error.code);
  if (mode === 'video') showFrames(framesFolder);

  function showFrames(folder: string): void {
    const frames = readdirSync(folder).map((name) => readFileSync(join(folder, name)));
    parley.vision.framePipeline.setPermission({ open: 'camera' });
    let shown = 0;
    const timer = setInterval(() => {
      const frame = frames[shown % frames.length];
      shown += 1;
      // A new buffer each time, as from a page.
      if (frame !== undefined)
        void parley.vision.framePipeline.offer({ jpeg: new Uint8Array(frame) });
    }, frameEveryMs);
    parley.lifetime.add(() => {
      clearInterval(timer);
    });
  }

  function emitStats(): void {
    let stats: MeasuredStats | undefined;
    parley.talk.controller.withTalk((conversation) => {
      stats = { ...conversation.stats(), measures: conversation.latency() };
    });
    const { user, system } = process.cpuUsage();
    const { rss } = process.memoryUsage();
    emit({
      kind: 'stats',
      talk: stats,
      cpu: (user + system) / 1000,
      rss,
      lateMs: late.max / 1e6,
    });
    late.reset();
  }

  process.on('message', (command: Command) => {
    switch (command) {
      case 'interrupt':
        emit({ kind: 'interrupted', at: instant() });
        parley.talk.controller.withTalk((conversation) => {
          conversation.interrupt();
        });
        return;
      case 'readStats':
        emitStats();
        return;
      case 'end':
        void end();
    }
  });

  async function end(): Promise<void> {
    await parley.lifetime.end();
    process.disconnect();
  }
}
