import { ScenarioPage } from '../../../../src/new/scenario-page';

export default async function Page({ params }: { readonly params: Promise<{ readonly ref: string }> }) {
  const { ref } = await params;
  return <ScenarioPage reference={decodeURIComponent(ref)} />;
}
