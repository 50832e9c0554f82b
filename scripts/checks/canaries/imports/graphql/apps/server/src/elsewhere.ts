export { Field } from 'type-graphql';
