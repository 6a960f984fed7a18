/** `POST /api/files`: a file that the host makes, as an attachment that the browser saves. */
import { promises, Readable } from 'node:stream';
import type { Request, Response } from 'express';
import { fileRequestSchema, type ConsoleService } from '../../contract/console/index.ts';
import type { Log } from '../../log/index.ts';
import { refuse } from './console-responses.ts';
import type { ConsoleLimits } from './console-limits.ts';

export function fileRoute(options: { service: ConsoleService; log: Log; limits: ConsoleLimits }) {
  const { service, log, limits } = options;

  return async (request: Request, response: Response): Promise<void> => {
    const wanted = fileRequestSchema.safeParse(request.body);
    if (!wanted.success) return refuse(request, response, 'invalid_request', 'There is no such file.');
    let file: Awaited<ReturnType<ConsoleService['makeFile']>>;
    try {
      file = await service.makeFile(wanted.data);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      log.error('A file could not be made', { file: wanted.data.kind, error: reason });
      return refuse(request, response, 'internal_error', `The file could not be made: ${reason}`);
    }
    response.attachment(file.name);
    response.setHeader('Content-Type', file.mediaType);
    response.setHeader('Cache-Control', 'no-store');
    response.setTimeout(limits.fileStallMs, () => response.destroy());
    try {
      // A page that goes away ends the making, too. A file that breaks off is never ended properly, so that the
      // browser does not take it for whole.
      await promises.pipeline(Readable.from(file.content, { objectMode: false }), response);
    } catch (error) {
      log.warn('A file was not sent to its end', { file: wanted.data.kind, error: String(error) });
    }
  };
}
