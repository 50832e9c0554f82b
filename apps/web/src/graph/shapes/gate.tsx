/** A question to a person: the same frame as a job, its corners cut (`data-kind="gate"`), so that it is known without colour. */
export { JobShape as GateShape } from './job';
