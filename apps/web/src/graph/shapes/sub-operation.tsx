/** An operation of its own that this one waits for: a doubled outline (`data-kind="sub_operation"`), its number in the second line. */
export { JobShape as SubOperationShape } from './job';
