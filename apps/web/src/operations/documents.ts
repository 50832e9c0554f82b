import { graphql, type ResultOf } from '../api/graphql';

/** A page of cards, and beside the first one everything that waits for a person, wherever it stands in the list. */
export const OperationsQuery = graphql(`
  query Operations(
    $first: Int!
    $after: String
    $filter: OperationFilter
    $locale: String
    $withAttention: Boolean!
  ) {
    operations(first: $first, after: $after, filter: $filter) {
      nodes { ...Card }
      pageInfo { endCursor hasNextPage }
    }
    attention: operations(first: 50, filter: { needsAttention: true }) @include(if: $withAttention) {
      nodes { ...Card }
    }
    serverInfo { time }
  }
  fragment Card on Operation {
    id
    number
    status
    title { text(locale: $locale) }
    resource { key }
    reason { text(locale: $locale) }
    endedAt
    progress {
      phase { text(locale: $locale) }
      phasesDone
      phasesTotal
      addedByPatch
      needsAttention
      remaining { lowSeconds highSeconds }
      longerThanUsual
    }
    blockers { kind what { text(locale: $locale) } }
    actions { verb allowed effect { text(locale: $locale) } }
  }
`);

export type OperationCardData = ResultOf<typeof OperationsQuery>['operations']['nodes'][number];

export const RetryOperation = graphql(`
  mutation RetryOperation($operation: String!, $key: String!, $locale: String) {
    retryNode(input: { operation: $operation, idempotencyKey: $key }) {
      __typename
      ... on CommandAccepted { sequence }
      ... on Problem { code text { text(locale: $locale) } }
    }
  }
`);
