// Runs timers for a page, because browsers fire those of a hidden page only once a minute.

interface Wait {
  readonly id: number;
  readonly milliseconds: number;
}

self.addEventListener('message', ({ data }: MessageEvent<Wait>) => {
  setTimeout(() => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has none
    self.postMessage(data.id);
  }, data.milliseconds);
});
