/** Loaded before the app: `import … from 'electron'` and `require('electron')` then find the double. */
import { registerHooks } from 'node:module';

const double = new URL('./electron-module.ts', import.meta.url).href;

registerHooks({
  resolve(specifier, context, nextResolve) {
    if (specifier !== 'electron' && specifier !== 'electron/main') return nextResolve(specifier, context);
    return { url: double, format: 'module-typescript', shortCircuit: true };
  },
});
