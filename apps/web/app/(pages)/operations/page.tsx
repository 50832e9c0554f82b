import { OperationsPage } from '../../../src/operations/operations-page';

export default function Page() {
  return <OperationsPage />;
}
