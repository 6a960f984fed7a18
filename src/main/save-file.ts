/** Files that the window asks for: the user says where, and the file is there whole or not at all. */
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { app, dialog, type BrowserWindow } from 'electron';
import type { ConsoleService, FileRequest, SavedFile } from '../contract/console/index.ts';
import type { Translate } from '../locales/index.ts';
import { errorText } from '../base/error-text.ts';
import { pdfOfPage } from './page-pdf.ts';

/** Asks where, and writes there. Never rejects for what can be expected. */
export async function saveFile(
  request: FileRequest,
  context: { console: ConsoleService; window: BrowserWindow; t: Translate },
): Promise<SavedFile> {
  const { window, t } = context;
  try {
    const made =
      request.kind === 'page_pdf' ? pdfOfPage(window, request) : await context.console.makeFile(request);
    const { canceled, filePath } = await dialog.showSaveDialog(window, {
      title: t('app.save'),
      defaultPath: path.join(app.getPath('downloads'), made.name),
    });
    if (canceled || filePath === '') {
      await made.content[Symbol.asyncIterator]().return?.();
      return { kind: 'cancelled' };
    }
    await writeWhole(filePath, made.content);
    return { kind: 'saved', name: path.basename(filePath) };
  } catch (error) {
    return { kind: 'failed', message: errorText(error) };
  }
}

/** Under another name until it is complete: a full disk leaves no half file under the name that was chosen. */
async function writeWhole(file: string, content: AsyncIterable<Uint8Array>): Promise<void> {
  const unfinished = `${file}.${process.pid}.part`;
  try {
    await pipeline(content, createWriteStream(unfinished, { mode: 0o600, flush: true }));
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}
