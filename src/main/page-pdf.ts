/** What the window shows, as a file for printing. */
import type { BrowserWindow } from 'electron';
import type { ConsoleService, FileRequest } from '../contract/console/index.ts';

type MadeFile = Awaited<ReturnType<ConsoleService['makeFile']>>;

/** It is made when its content is read: whoever cancels the dialog has printed nothing. */
export function pdfOfPage(
  { webContents }: BrowserWindow,
  { name }: Extract<FileRequest, { kind: 'page_pdf' }>,
): MadeFile {
  async function* content() {
    yield await webContents.printToPDF({
      pageSize: 'A4',
      // Its margins are the page's own.
      preferCSSPageSize: true,
      printBackground: true,
    });
  }
  return { name: `${name}.pdf`, mediaType: 'application/pdf', content: content() };
}
