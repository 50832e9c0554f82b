import 'reflect-metadata';
import { createSchema, printedSchema } from './schema.js';

/** Prints the schema: what `schema/schema.graphql` must contain. */
process.stdout.write(printedSchema(await createSchema()));
