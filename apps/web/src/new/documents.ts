import { graphql, type ResultOf } from '../api/graphql';

/** Every scenario that can be chosen, with what a person needs to choose. */
export const ScenariosQuery = graphql(`
  query Scenarios($first: Int!, $after: String, $locale: String) {
    scenarios(first: $first, after: $after) {
      nodes {
        ref
        id
        version
        pack
        action
        targetResourceType
        risk
        provides
        title { text(locale: $locale) }
        summary { text(locale: $locale) }
      }
      pageInfo { endCursor hasNextPage }
    }
    serverInfo { lab }
  }
`);

export type ScenarioCardData = ResultOf<typeof ScenariosQuery>['scenarios']['nodes'][number];

/** What the form of one scenario needs. */
export const ScenarioQuery = graphql(`
  query Scenario($ref: String!, $locale: String) {
    scenario(ref: $ref) {
      ref
      action
      targetResourceType
      params(locale: $locale)
      risk
      provides
      title { text(locale: $locale) }
      summary { text(locale: $locale) }
      hostSets { name count chosen title { text(locale: $locale) } }
    }
    scenarios(first: 100) { nodes { ref action targetResourceType } }
    serverInfo { lab }
  }
`);

export type ScenarioData = NonNullable<ResultOf<typeof ScenarioQuery>['scenario']>;

/** The hosts that a scenario can be sent to. */
export const HostChoicesQuery = graphql(`
  query HostChoices($first: Int!, $after: String) {
    hosts(first: $first, after: $after) {
      nodes { name address user provenance environment { name } }
      pageInfo { endCursor hasNextPage }
    }
    environments { name kind }
  }
`);

export type HostChoice = ResultOf<typeof HostChoicesQuery>['hosts']['nodes'][number];
export type EnvironmentData = ResultOf<typeof HostChoicesQuery>['environments'][number];

/** The plan for an intent against the world as it is now; nothing is started. */
export const PreviewPlan = graphql(`
  query PreviewPlan($intent: JSON!, $locale: String) {
    previewPlan(intent: { json: $intent }) {
      __typename
      ... on Plan {
        hash
        resource
        environment
        risk
        estimate { lowSeconds highSeconds }
        parameters
        sets
        scenario { ref }
        title { text(locale: $locale) }
        stages { id title { text(locale: $locale) } }
        jobs {
          id
          title { text(locale: $locale) }
          needs { capabilities artifacts }
          gives { capabilities artifacts evidence }
          run
          risk
          idempotent
          estimate { lowSeconds highSeconds }
        }
        nodes { key kind stage job target dependsOn origin parameters reason { text(locale: $locale) } }
        bindings {
          requirement
          kind
          provider
          origin
          moreCount
          reason { text(locale: $locale) }
          candidates { provider taken reason { text(locale: $locale) } }
        }
      }
      ... on OperationRunning { running }
      ... on Problem {
        code
        text { text(locale: $locale) }
        problems { code expected line column text { args text(locale: $locale) } }
      }
    }
  }
`);

type PlanResult = ResultOf<typeof PreviewPlan>['previewPlan'];
export type PreviewedPlan = Extract<PlanResult, { readonly __typename: 'Plan' }>;
export type PreviewedJob = PreviewedPlan['jobs'][number];
export type PreviewedBinding = PreviewedPlan['bindings'][number];
/** Why there is no plan, or no operation. */
export type PlanProblem = Exclude<PlanResult, { readonly __typename: 'Plan' }>;

export const StartOperation = graphql(`
  mutation StartOperation($intent: JSON!, $key: String!, $locale: String) {
    startOperation(input: { document: { json: $intent }, idempotencyKey: $key }) {
      __typename
      ... on StartedOperation { operation { id number } }
      ... on OperationRunning { running }
      ... on Problem {
        code
        text { text(locale: $locale) }
        problems { code expected line column text { args text(locale: $locale) } }
      }
    }
  }
`);
