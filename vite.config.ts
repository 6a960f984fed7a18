import { defineConfig } from 'vite';
import packageFacts from './package.json' with { type: 'json' };

const external = Object.keys(packageFacts.dependencies);

/**
 * Bundles the command line into one file that Node 24 runs as it is: `dist/tillbridge.js`. Node's own modules and the
 * packages in `dependencies` stay outside; npm installs those beside it.
 */
export default defineConfig({
  publicDir: false,
  build: {
    ssr: 'src/headless/tillbridge.ts',
    target: 'node24',
    outDir: 'dist',
    emptyOutDir: true,
    minify: false,
    sourcemap: true,
    rolldownOptions: {
      external: (id) =>
        id.startsWith('node:') || external.some((name) => id === name || id.startsWith(`${name}/`)),
      output: { format: 'es', entryFileNames: 'tillbridge.js', codeSplitting: false },
    },
  },
});
