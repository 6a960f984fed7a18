/** Reads request bodies, bounded. */
import express from 'express';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { RequestFailure } from '../request-error.ts';
import { refuse } from './request-context.ts';

const maxBodyBytes = 256 * 1024;
/** A file of 10 MiB in base64, and what is told of it. */
export const maxFileBodyBytes = 14 * 1024 * 1024;

const readers = {
  small: express.json({ limit: maxBodyBytes, inflate: false }),
  file: express.json({ limit: maxFileBodyBytes, inflate: false }),
};

/** One JSON object, or a refusal. */
export function jsonBody(size: keyof typeof readers): RequestHandler {
  return (request: Request, response: Response, next: NextFunction) => {
    if (!request.is('application/json')) {
      return refuse(response, {
        code: 'unsupported_media_type',
        message: 'The Content-Type must be application/json, and there must be a body.',
      });
    }
    readers[size](request, response, (error?: unknown) => {
      if (error !== undefined && error !== null) return refuse(response, refusalOf(error));
      next();
    });
  };
}

const maxFormBytes = 16 * 1024;

/** `application/x-www-form-urlencoded`; what is no form, or too large, is read as an empty one. */
export const formBody: RequestHandler = (request, response, next) => {
  express.text({ type: 'application/x-www-form-urlencoded', limit: maxFormBytes, inflate: false })(
    request,
    response,
    () => next(),
  );
};

function refusalOf(error: unknown): RequestFailure {
  const type = typeof error === 'object' && error !== null && 'type' in error ? error.type : null;
  if (type === 'entity.too.large') return { code: 'body_too_large', message: 'The body is too large.' };
  if (type === 'charset.unsupported' || type === 'encoding.unsupported') {
    return { code: 'unsupported_media_type', message: 'The body must be JSON in UTF-8, not compressed.' };
  }
  // The parser's own message quotes the body.
  return { code: 'invalid_json', message: 'The body is not one JSON object.' };
}
