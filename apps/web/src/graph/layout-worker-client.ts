import type { RemoteLayout } from './layout-cache';
import type { LayoutAnswer, LayoutRequest } from './layout-request';
import type { GraphLayout } from './stage-lanes';

/** Lays out in one worker of this page, started at the first request. */
export function workerLayout(): RemoteLayout {
  let worker: Worker | null = null;
  let last = 0;
  const waiting = new Map<
    number,
    { resolve: (layout: GraphLayout) => void; reject: (error: unknown) => void }
  >();

  const start = (): Worker => {
    const started = new Worker(new URL('./layout.worker.ts', import.meta.url), { type: 'module' });
    started.addEventListener('message', ({ data }: MessageEvent<LayoutAnswer>) => {
      waiting.get(data.id)?.resolve(data.layout);
      waiting.delete(data.id);
    });
    started.addEventListener('error', (event) => {
      for (const { reject } of waiting.values()) reject(event.error ?? new Error(event.message));
      waiting.clear();
      started.terminate();
      worker = null;
    });
    return started;
  };

  return (graph) =>
    new Promise((resolve, reject) => {
      worker ??= start();
      const request: LayoutRequest = { id: ++last, graph };
      waiting.set(request.id, { resolve, reject });
      worker.postMessage(request);
    });
}
