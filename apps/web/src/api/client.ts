import { Client, cacheExchange, fetchExchange } from '@urql/core';

/**
 * The one client of all lists, forms and details. A form of another site can send the cookie but not the header;
 * the server wants both.
 */
export function createApiClient(): Client {
  return new Client({
    url: '/graphql',
    exchanges: [cacheExchange, fetchExchange],
    preferGetMethod: false,
    requestPolicy: 'cache-and-network',
    fetchOptions: { credentials: 'same-origin', headers: { 'x-capstan-csrf': '1' } },
  });
}
