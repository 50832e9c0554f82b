import { graphql } from '../api/graphql';

export const operationEvents = graphql(`
  subscription FollowOperation($id: ID!, $after: Sequence, $locale: String) {
    operationEvents(id: $id, after: $after) {
      from
      to
      at
      reset
      planRevision
      operation {
        id
        number
        sequence
        status
        reason { text(locale: $locale) }
        title { text(locale: $locale) }
        startedAt
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
        blockers { kind what { text(locale: $locale) } who since }
        actions { verb allowed why { text(locale: $locale) } effect { text(locale: $locale) } }
      }
      stages { id sequence title { text(locale: $locale) } status done total }
      nodeRuns { key sequence status reason { text(locale: $locale) } attempt attemptId startedAt endedAt }
      events { sequence at type actor { kind id } nodeKey attemptId text { text(locale: $locale) } }
    }
  }
`);

/** The same over plain HTTP, for where no socket comes: state, and the events behind what is known. */
export const operationNow = graphql(`
  query OperationNow($ref: String!, $after: Sequence, $locale: String) {
    serverInfo { time }
    operation(ref: $ref) {
      id
      number
      sequence
      status
      reason { text(locale: $locale) }
      title { text(locale: $locale) }
      startedAt
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
      blockers { kind what { text(locale: $locale) } who since }
      actions { verb allowed why { text(locale: $locale) } effect { text(locale: $locale) } }
      plan { revision }
      stages { id sequence title { text(locale: $locale) } status done total }
      nodeRuns { key sequence status reason { text(locale: $locale) } attempt attemptId startedAt endedAt }
      events(first: 100, after: $after) {
        nodes { sequence at type actor { kind id } nodeKey attemptId text { text(locale: $locale) } }
      }
    }
  }
`);

export const attemptLog = graphql(`
  subscription FollowLog($id: ID!, $after: ByteOffset, $etag: String) {
    attemptLog(id: $id, after: $after, etag: $etag) {
      from
      to
      reset
      text
      end
      gap
      etag
    }
  }
`);

/** One page of a log over plain HTTP. */
export const logPage = graphql(`
  query LogPage($operation: String!, $attempt: ID!, $from: ByteOffset) {
    attemptLog(operation: $operation, attempt: $attempt, from: $from) {
      from
      next
      text
      end
      missing
      etag
    }
  }
`);
