import { OperationPage } from '../../../../src/operation/operation-page';

export default async function Page({ params }: { readonly params: Promise<{ readonly ref: string }> }) {
  const { ref } = await params;
  return <OperationPage reference={decodeURIComponent(ref)} />;
}
