/** The office's page: built files, which are no secret. What they show they ask for under `/office/v1`. */
import path from 'node:path';
import { existsSync } from 'node:fs';
import express, { Router, type Response } from 'express';
import { named } from './request.ts';

const pageName = 'office.html';

/** `folder` null: nothing was built. */
export function pageRoutes(folder: string | null): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/', named('/'), (_request, response) => {
    const file = folder === null ? null : path.join(folder, pageName);
    if (file === null || !existsSync(file))
      return plainRefusal(response, 404, 'The office’s page is not built. "npm run build" makes it.');
    response.setHeader('cache-control', 'private, no-cache');
    response.sendFile(file, { cacheControl: false, dotfiles: 'allow' });
  });
  if (folder !== null) {
    router.use(
      '/assets',
      named('/assets'),
      express.static(path.join(folder, 'assets'), {
        dotfiles: 'ignore',
        redirect: false,
        index: false,
        cacheControl: false,
        // The name of each changes with its content.
        setHeaders: (response) => response.setHeader('cache-control', 'private, max-age=31536000, immutable'),
      }),
    );
  }
  return router;
}

/** For a person who has opened an address. */
export function plainRefusal(response: Response, status: number, message: string): void {
  response.status(status).type('text').send(`${message}\n`);
}
