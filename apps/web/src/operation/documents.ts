import { graphql } from '../api/graphql';

/** What does not change while a plan revision runs: drawn once, then only frames come. */
export const operationQuery = graphql(`
  query Operation($ref: String!, $locale: String) {
    operation(ref: $ref) {
      id
      number
      title { text(locale: $locale) }
      createdAt
      createdBy { kind id }
      environment { name kind }
      resource { key }
      parent { number title { text(locale: $locale) } }
      plan {
        revision
        scenario { ref pack }
        stages { id title { text(locale: $locale) } }
        jobs { id title { text(locale: $locale) } }
        nodes { key kind stage job target dependsOn origin }
      }
    }
  }
`);

/** Contracts and the reasons of choices; asked for when somebody looks at one. */
export const contractQuery = graphql(`
  query OperationContract($ref: String!, $locale: String) {
    operation(ref: $ref) {
      id
      plan {
        jobs {
          id
          title { text(locale: $locale) }
          needs { capabilities artifacts evidence }
          gives { capabilities artifacts evidence }
          run
          risk
          idempotent
          estimate { lowSeconds highSeconds }
        }
        nodes { key reason { text(locale: $locale) } }
        bindings {
          requirement
          kind
          provider
          origin
          reason { text(locale: $locale) }
          candidates { provider taken reason { text(locale: $locale) } }
          moreCount
        }
      }
    }
  }
`);

/** Everything about one node's run; asked for again when its row changes. */
export const nodeRunQuery = graphql(`
  query NodeRun($ref: String!, $keys: [String!], $locale: String) {
    operation(ref: $ref) {
      id
      nodeRuns(keys: $keys) {
        key
        sequence
        stale { text(locale: $locale) }
        childOperation { id number title { text(locale: $locale) } }
        actions { verb allowed why { text(locale: $locale) } effect { text(locale: $locale) } }
        attempts(first: 100) {
          nodes {
            id
            number
            status
            host
            exitCode
            cause { text(locale: $locale) }
            startedAt
            endedAt
            log { size complete href prunedAt }
          }
        }
        evidence {
          id
          attemptId
          nodeKey
          check
          capability
          asked { text(locale: $locale) }
          expected
          observed
          subject
          host
          at
          freshUntil
          verdict
          provenance
          rawHash
        }
      }
    }
  }
`);

/** Proofs of the operation as a whole, and of all its nodes. */
export const operationEvidenceQuery = graphql(`
  query OperationEvidence($ref: String!, $after: String) {
    operation(ref: $ref) {
      id
      evidence(first: 100, after: $after) {
        nodes {
          id
          attemptId
          nodeKey
          check
          capability
          expected
          observed
          subject
          host
          at
          freshUntil
          verdict
          provenance
          rawHash
        }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
`);

export const artifactsQuery = graphql(`
  query OperationArtifacts($ref: String!, $after: String) {
    operation(ref: $ref) {
      id
      artifacts(first: 100, after: $after) {
        nodes {
          id
          name
          owner
          sensitive
          size
          contentHash
          keep
          createdAt
          expiresAt
          nodeKey
          value
        }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
`);

export const eventsQuery = graphql(`
  query OperationEvents($ref: String!, $after: Sequence, $locale: String) {
    operation(ref: $ref) {
      id
      events(first: 100, after: $after) {
        nodes {
          sequence
          at
          type
          actor { kind id }
          nodeKey
          attemptId
          text { text(locale: $locale) }
        }
        gap { first last at }
      }
    }
  }
`);

export const cancelMutation = graphql(`
  mutation CancelOperation($input: ControlInput!, $locale: String) {
    controlOperation(input: $input) {
      __typename
      ... on CommandAccepted { sequence }
      ... on Problem { code text { text(locale: $locale) } }
    }
  }
`);

export const retryMutation = graphql(`
  mutation RetryNode($input: RetryNodeInput!, $locale: String) {
    retryNode(input: $input) {
      __typename
      ... on CommandAccepted { sequence }
      ... on Problem { code text { text(locale: $locale) } }
    }
  }
`);

export const revealMutation = graphql(`
  mutation RevealArtifact($input: RevealInput!, $locale: String) {
    revealArtifact(input: $input) {
      __typename
      ... on RevealedArtifact { value base64 }
      ... on Problem { code text { text(locale: $locale) } }
    }
  }
`);
