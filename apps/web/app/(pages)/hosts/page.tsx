import { HostsPage } from '../../../src/hosts/hosts-page';

export default function Page() {
  return <HostsPage />;
}
