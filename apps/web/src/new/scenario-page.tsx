'use client';

import { PageHeading } from '../kit/page-heading';

/** The page of one scenario, by id or number. */
export function ScenarioPage({ reference }: { readonly reference: string }) {
  return <PageHeading title={reference} />;
}
