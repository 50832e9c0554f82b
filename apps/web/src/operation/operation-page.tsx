'use client';

import { PageHeading } from '../kit/page-heading';

/** The page of one operation, by id or number. */
export function OperationPage({ reference }: { readonly reference: string }) {
  return <PageHeading title={reference} />;
}
