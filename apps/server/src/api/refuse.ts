import type { Response } from 'express';

/** Answers with an error as GraphQL clients read it. */
export function refuse(response: Response, status: number, code: string, message: string): void {
  response.status(status).json({ errors: [{ message, extensions: { code } }] });
}
