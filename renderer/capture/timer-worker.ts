// Runs timers for a hidden page, whose own timers a browser may fire only once a minute.

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
