import { checkDocuments, type DocumentReport } from '@capstan/catalog';
import type { DocumentSource } from '@capstan/engine';
import type { JsonValue } from '@capstan/model';
import { GraphQLError } from 'graphql';
import { Arg, Extensions, Field, InputType, ObjectType, Query, Resolver } from 'type-graphql';
import { SENT_DOCUMENT } from './document-source.js';
import { ProblemPlace } from './problem.js';
import { Json } from './scalars.js';

@InputType({ description: 'Exactly one of them.' })
@Extensions({ oneOf: true })
export class DocumentInput {
  @Field(() => String, { nullable: true })
  yaml?: string | null;

  @Field(() => Json, { nullable: true })
  json?: JsonValue;
}

export function documentOf(input: DocumentInput): DocumentSource {
  if (typeof input.yaml === 'string') return { yaml: input.yaml };
  if (input.json !== undefined && input.json !== null) return { json: input.json };
  throw new GraphQLError('document: expected yaml or json', { extensions: { code: 'BAD_REQUEST' } });
}

@ObjectType({ description: 'What a check says of one document.' })
export class CheckedDocument {
  @Field(() => String)
  readonly kind: string;

  @Field(() => Boolean, { description: 'No problem, and nothing is missing.' })
  readonly complete: boolean;

  @Field(() => Json, {
    nullable: true,
    description: 'The one normal form; null where a problem stands in the way.',
  })
  readonly normal: JsonValue;

  @Field(() => [String], { description: 'What it lacks, or names and nobody declares.' })
  readonly missing: readonly string[];

  @Field(() => [ProblemPlace])
  readonly problems: readonly ProblemPlace[];

  constructor(report: DocumentReport) {
    this.kind = report.kind;
    this.complete = report.complete;
    this.normal = report.normal;
    this.missing = report.missing;
    this.problems = report.problems.map((problem) => new ProblemPlace(problem));
  }
}

@ObjectType()
export class CheckResult {
  @Field(() => [CheckedDocument], { description: 'One per document of the text.' })
  documents!: readonly CheckedDocument[];
}

@Resolver()
export class DocumentResolver {
  @Query(() => CheckResult, { description: 'Checks any Capstan document without doing anything with it.' })
  checkDocument(@Arg('document', () => DocumentInput) document: DocumentInput): CheckResult {
    const source = documentOf(document);
    const text = 'yaml' in source ? source.yaml : JSON.stringify(source.json);
    const reports = checkDocuments([{ file: SENT_DOCUMENT, text }]);
    return { documents: reports.map((report) => new CheckedDocument(report)) };
  }
}
