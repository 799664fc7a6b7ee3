/** The messages of a worker that runs timers, which are not throttled while the page is hidden. */
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
