import { NotFound } from '../src/shell/not-found';

export default function Page() {
  return <NotFound />;
}
