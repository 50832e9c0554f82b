import { NewPage } from '../../../src/new/new-page';

export default function Page() {
  return <NewPage />;
}
