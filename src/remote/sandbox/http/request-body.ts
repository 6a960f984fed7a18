/** Reads request bodies, bounded. */
import type { RequestHandler } from 'express';
import { hasBody, isJson, readBody, readJsonObject, type JsonRefusal } from '../../../http/index.ts';
import { refuse } from './request-context.ts';

/** A file of 10 MiB in base64, and what is told of it. */
const maxFileBodyBytes = 14 * 1024 * 1024;

const maxBytes = { small: 256 * 1024, file: maxFileBodyBytes };
const maxFormBytes = 16 * 1024;

const messages: Record<JsonRefusal, string> = {
  body_too_large: 'The body is too large.',
  invalid_json: 'The body is not one JSON object.',
  invalid_request: 'The body is JSON, but not an object.',
  unsupported_media_type: 'The body must be JSON in UTF-8, not compressed.',
};

/** Puts one JSON object into `request.body`, or refuses. */
export function jsonBody(size: keyof typeof maxBytes): RequestHandler {
  return async (request, response, next) => {
    if (!hasBody(request) || !isJson(request)) {
      return refuse(response, {
        code: 'unsupported_media_type',
        message: 'The Content-Type must be application/json, and there must be a body.',
      });
    }
    const body = await readJsonObject(request, maxBytes[size]);
    if (body === null) return;
    if (!body.ok) return refuse(response, { code: body.code, message: messages[body.code] });
    request.body = body.value;
    next();
  };
}

/** `application/x-www-form-urlencoded`; what is no form, or too large, is read as an empty one. */
export const formBody: RequestHandler = async (request, _response, next) => {
  request.body = '';
  if (request.is('application/x-www-form-urlencoded') !== false) {
    const body = await readBody(request, maxFormBytes);
    if (body.kind === 'gone') return;
    if (body.kind === 'complete') request.body = Buffer.from(body.bytes).toString('utf8');
  }
  next();
};
