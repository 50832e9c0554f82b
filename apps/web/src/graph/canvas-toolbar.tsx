'use client';

import { useTranslations } from 'next-intl';
import styles from './plan-graph.module.css';

/** Zoom by pointer; by keyboard the canvas itself knows `+`, `-`, `0` and `1`. */
export function CanvasToolbar({ onZoom }: { onZoom: (to: 'in' | 'out' | 'fit') => void }) {
  const words = useTranslations('graph');
  return (
    <div className={styles.toolbar} role="toolbar" aria-label={words('zoom.name')}>
      <button
        type="button"
        aria-label={words('zoom.in')}
        title={`${words('zoom.in')} (+)`}
        onClick={() => onZoom('in')}
      >
        <Icon path="M10 4.5 V15.5 M4.5 10 H15.5" />
      </button>
      <button
        type="button"
        aria-label={words('zoom.out')}
        title={`${words('zoom.out')} (-)`}
        onClick={() => onZoom('out')}
      >
        <Icon path="M4.5 10 H15.5" />
      </button>
      <button
        type="button"
        aria-label={words('zoom.fit')}
        title={`${words('zoom.fit')} (1)`}
        onClick={() => onZoom('fit')}
      >
        <Icon path="M4 8 V4 H8 M12 4 H16 V8 M16 12 V16 H12 M8 16 H4 V12" />
      </button>
    </div>
  );
}

function Icon({ path }: { path: string }) {
  return (
    <svg
      width="18"
      height="18"
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={path} />
    </svg>
  );
}
