/** Reports of faults that ended a process: a text file for support, beside the system's own crash dumps. Kept here only. */
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolders, privateFileMode } from './private-files.ts';

export interface FaultReport {
  folder: string;
  part: 'app' | 'bridge';
  /** Of the app. */
  version: string;
  /** What is known of it, masked by the caller. */
  text: string;
  /** Wall clock, milliseconds since 1970. */
  nowMs: number;
}

/** The newest are kept. */
const maxReports = 20;
const maxReportCharacters = 64 * 1024;
const names = /^fault-.*\.txt$/;

/** Never throws: a disk that refuses the report must not keep the process from starting again. */
export function writeFaultReport({ folder, part, version, text, nowMs }: FaultReport): string | null {
  const at = new Date(nowMs).toISOString();
  const file = path.join(folder, `fault-${at.replaceAll(/[:.]/g, '-')}-${part}.txt`);
  const { node, electron = 'none', chrome = 'none' } = process.versions as Record<string, string>;
  const head = [
    `time: ${at}`,
    `part: ${part}`,
    `tillbridge: ${version}`,
    `system: ${process.platform} ${process.arch}`,
    `node: ${node}`,
    `electron: ${electron}`,
    `chromium: ${chrome}`,
  ];
  try {
    makeFolders(folder);
    writeFileSync(file, `${head.join('\n')}\n\n${text.slice(0, maxReportCharacters)}\n`, {
      mode: privateFileMode,
      flag: 'wx',
    });
    const reports = readdirSync(folder).filter((name) => names.test(name));
    for (const name of reports.sort().slice(0, -maxReports)) rmSync(path.join(folder, name), { force: true });
    return file;
  } catch {
    return null;
  }
}
