/** Where the canvas stands: offset in pixels and zoom. */
export interface Viewport {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

/** `12,-40,0.75` for a link [UX-R2]. */
export function viewportText({ x, y, zoom }: Viewport): string {
  return `${Math.round(x)},${Math.round(y)},${Number(zoom.toFixed(2))}`;
}

/** The viewport of a link; null when there is none or somebody wrote it by hand and wrongly. */
export function parseViewport(value: string | null): Viewport | null {
  const [x, y, zoom, ...rest] = (value ?? '').split(',').map(Number);
  if (x === undefined || y === undefined || zoom === undefined || rest.length > 0) return null;
  const sound = [x, y, zoom].every(Number.isFinite) && zoom >= 0.05 && zoom <= 4;
  return sound ? { x, y, zoom } : null;
}
