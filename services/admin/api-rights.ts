import type { RequestHandler, Response } from 'express';
import type { Operator } from './access.ts';
import { AdminError } from './admin-error.ts';

/** Who makes the request; set before any resource is reached. */
export const operatorOf = (response: Response): Operator => response.locals.operator as Operator;

/** Lets those pass who may change something. */
export const operatorsOnly: RequestHandler = (_request, response, next) => {
  if (operatorOf(response).role === 'full') return next();
  throw new AdminError(
    'read-only',
    'You signed in to look only: this needs the password or token of operators.',
  );
};
