/** Runs before each test file: the wrong Node would fail in a hundred puzzling ways, so it is said once and plainly. */
const wantedMajor = 24;
const major = Number(process.versions.node.split('.')[0]);
if (major < wantedMajor) {
  throw new Error(
    `The tests need Node ${wantedMajor}, and this is ${process.version}. Run them with "npm test" or "npx vitest run" ` +
      'after "npm ci": those use the Node that comes with the packages.',
  );
}
