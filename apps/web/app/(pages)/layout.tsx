import type { ReactNode } from 'react';
import { Shell } from '../../src/shell/shell';

export default function Layout({ children }: { readonly children: ReactNode }) {
  return <Shell>{children}</Shell>;
}
