import { graphql, type ResultOf } from '../api/graphql';

/** Hosts with what is known of them. */
export const HostsQuery = graphql(`
  query Hosts($first: Int!, $after: String) {
    hosts(first: $first, after: $after) {
      nodes {
        id
        name
        address
        port
        user
        hostKeyFingerprint
        isolated
        tier
        provenance
        environment { name kind }
        facts { capability state provedAt freshUntil provenance }
      }
      pageInfo { endCursor hasNextPage }
    }
    environments { name kind }
  }
`);

export type HostData = ResultOf<typeof HostsQuery>['hosts']['nodes'][number];
export type EnvironmentData = ResultOf<typeof HostsQuery>['environments'][number];

/** What somebody at an address shows as the host's key; nothing is stored. */
export const ScanHostKey = graphql(`
  mutation ScanHostKey($address: String!, $port: Int!, $key: String!, $locale: String) {
    scanHostKey(input: { address: $address, port: $port, idempotencyKey: $key }) {
      __typename
      ... on ScannedHostKey { fingerprint keyType }
      ... on Problem {
        code
        text { text(locale: $locale) }
        problems { expected text { code text(locale: $locale) } }
      }
    }
  }
`);

export const AddHost = graphql(`
  mutation AddHost($host: HostInput!, $key: String!, $locale: String) {
    addHosts(input: { hosts: [$host], idempotencyKey: $key }) {
      __typename
      ... on AddedHosts { added existing }
      ... on Problem {
        code
        text { text(locale: $locale) }
        problems { expected text { code text(locale: $locale) } }
      }
    }
  }
`);

export const AcceptHostKey = graphql(`
  mutation AcceptHostKey($name: String!, $fingerprint: String!, $key: String!, $locale: String) {
    acceptHostKey(input: { name: $name, fingerprint: $fingerprint, idempotencyKey: $key }) {
      __typename
      ... on AcceptedHostKey { name former }
      ... on Problem {
        code
        text { text(locale: $locale) }
        problems { expected text { code text(locale: $locale) } }
      }
    }
  }
`);

/** An expected failure, as every mutation about hosts gives it. */
export type HostProblem = Exclude<
  ResultOf<typeof AddHost>['addHosts'],
  { readonly __typename: 'AddedHosts' }
>;
