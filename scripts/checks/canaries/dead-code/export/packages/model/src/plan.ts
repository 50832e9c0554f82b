const size = 1;
export function double(): number {
  return size * 2;
}
export const plan = double();
