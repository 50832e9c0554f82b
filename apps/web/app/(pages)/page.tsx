import { Home } from '../../src/home/home';

export default function Page() {
  return <Home />;
}
