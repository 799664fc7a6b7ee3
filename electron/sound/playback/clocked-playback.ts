import { TimelinePlayback } from './timeline-playback.ts';

/** What a person would have heard, on the session's own time line. */
export class ClockedPlayback extends TimelinePlayback {
  override flush(): number {
    return this.buffer.cut().answer;
  }

  override advanceTo(milliseconds: number): void {
    const target = this.targetAt(milliseconds);
    this.sound(Math.min(target - this.position, this.buffer.waiting));
    this.silence(target - this.position);
  }
}
