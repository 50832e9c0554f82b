/**
 * Lists show titles in the reader's language: taken out of the plan's document once, since reading it there would parse a
 * megabyte for each row of a list. And a request that starts no operation keeps its own answer beside its key.
 */
export const lists = {
  version: 3,
  name: 'lists',
  sql: `
alter table plans add column title json;
update plans set title = document -> 'title';

alter table idempotency add column result json;

create index operations_parent on operations (parent_operation_id) where parent_operation_id is not null;
`,
};
