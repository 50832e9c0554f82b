import { SignIn } from '../../src/sign-in/sign-in';

export default function Page() {
  return <SignIn />;
}
