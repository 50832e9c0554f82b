'use client';

import dynamic from 'next/dynamic';

/** Mantine's Modal, whose script comes with the first dialog that opens: it weighs a tenth of a page. */
export const Dialog = dynamic(() => import('./modal').then(({ Modal }) => Modal), { ssr: false });
