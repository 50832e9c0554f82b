import type { ReactNode } from 'react';
import type { Glyph, Look } from './status-look';
import tones from './tones.module.css';

/** A status as a shape. Decorative: the words stand beside it or in the accessible name. */
export function StatusGlyph({ look, size = 20 }: { look: Look; size?: number }) {
  return (
    <svg
      className={`${tones.glyph} ${tones[look.tone]}`}
      width={size}
      height={size}
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      data-glyph={look.glyph}
    >
      {SHAPES[look.glyph]}
    </svg>
  );
}

/** Each has its own outline – disc, octagon, triangle, diamond, ring – so that it is known at 12 pixels, too. */
const SHAPES: Readonly<Record<Glyph, ReactNode>> = {
  ring: <circle cx="10" cy="10" r="6.5" strokeDasharray="2.4 2.4" strokeWidth="1.5" />,
  dots: (
    <>
      <circle cx="10" cy="10" r="7.5" strokeWidth="1.5" />
      <g fill="currentColor" stroke="none">
        <circle cx="6.6" cy="10" r="1.1" />
        <circle cx="10" cy="10" r="1.1" />
        <circle cx="13.4" cy="10" r="1.1" />
      </g>
    </>
  ),
  half: (
    <>
      <circle cx="10" cy="10" r="7.5" strokeOpacity="0.3" strokeWidth="2.2" />
      <path
        className={tones.turning}
        d="M10 2.5 a7.5 7.5 0 0 1 7.5 7.5 a7.5 7.5 0 0 1 -2.2 5.3"
        strokeWidth="2.2"
      />
      <circle cx="10" cy="10" r="2.2" fill="currentColor" stroke="none" />
    </>
  ),
  eye: (
    <>
      <path d="M1.8 10 C4.5 5.5 7 4.6 10 4.6 C13 4.6 15.5 5.5 18.2 10 C15.5 14.5 13 15.4 10 15.4 C7 15.4 4.5 14.5 1.8 10 Z" />
      <circle cx="10" cy="10" r="2.4" fill="currentColor" stroke="none" />
    </>
  ),
  check: (
    <>
      <circle cx="10" cy="10" r="8.4" fill="currentColor" stroke="none" />
      <path d="M6.2 10.3 L9 13 L14 7.4" stroke="var(--mantine-color-body)" strokeWidth="2" />
    </>
  ),
  cross: (
    <>
      <path
        d="M6.6 1.8 H13.4 L18.2 6.6 V13.4 L13.4 18.2 H6.6 L1.8 13.4 V6.6 Z"
        fill="currentColor"
        stroke="none"
      />
      <path d="M7 7 L13 13 M13 7 L7 13" stroke="var(--mantine-color-body)" strokeWidth="2" />
    </>
  ),
  warning: (
    <>
      <path d="M10 2 L18.6 17 H1.4 Z" fill="currentColor" stroke="currentColor" strokeWidth="1" />
      <path d="M10 7.6 V11.6 M10 14.3 V14.4" stroke="var(--mantine-color-body)" strokeWidth="2" />
    </>
  ),
  question: (
    <>
      <path d="M10 1 L19 10 L10 19 L1 10 Z" fill="currentColor" stroke="none" />
      <path
        d="M8 8.2 C8 6.8 9 6.3 10 6.3 C11.2 6.3 12.1 7 12.1 8.1 C12.1 9.6 10 9.7 10 11.3 M10 13.6 V13.7"
        stroke="var(--mantine-color-body)"
        strokeWidth="1.7"
      />
    </>
  ),
  slash: (
    <>
      <circle cx="10" cy="10" r="7.5" />
      <path d="M4.9 15.1 L15.1 4.9" />
    </>
  ),
  skip: <path d="M4 5 L9.5 10 L4 15 M10.5 5 L16 10 L10.5 15" />,
  pause: (
    <>
      <circle cx="10" cy="10" r="7.5" />
      <path d="M8 7.2 V12.8 M12 7.2 V12.8" />
    </>
  ),
};
