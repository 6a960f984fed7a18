/** `npm run check:packages`: fails on a package from elsewhere, on one that runs something when installed, and on one without a purpose. */
import path from 'node:path';
import { checkPackages } from './packages/check.ts';

const findings = checkPackages(path.resolve(import.meta.dirname, '..'));
for (const finding of findings) console.error(finding);
if (findings.length > 0) process.exitCode = 1;
