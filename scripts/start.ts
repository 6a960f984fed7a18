/**
 * `npm start`: opens the desktop app. Where no window can be opened it says so in one line and starts the headless
 * bridge, whose console is a page.
 *
 *     npm start -- --headless       no window, although one could be opened
 *     npm start -- --port 8081      arguments are those of `tillbridge bridge`, so there is no window either; the
 *                                   environment (TILLBRIDGE_PORT=8081) holds for both
 */
import { endBySignal, endWithNpm } from './launch/child.ts';
import { getRuntime, hasDisplay, runDesktop } from './launch/electron.ts';
import { buildIfOld, repository, runHeadless, say } from './launch/parts.ts';

process.exitCode = await start(process.argv.slice(2));

async function start(commandLine: string[]): Promise<number> {
  endWithNpm();
  const args = commandLine.filter((argument) => argument !== '--headless');
  if (commandLine.length > 0) {
    if (args.length === commandLine.length)
      say('These arguments are those of the headless bridge; starting without the window.');
    await buildIfOld();
    return await runHeadless(args);
  }
  const runtime = await getRuntime({ environment: process.env, platform: process.platform, say });
  if (runtime.kind === 'stopped') endBySignal(runtime.by);
  if (runtime.kind === 'none') say(runtime.sentence);
  await buildIfOld();
  if (runtime.kind === 'found') {
    const end = await runDesktop(runtime.executable, repository, process.env);
    if (end.kind === 'stopped') endBySignal(end.by);
    if (end.kind === 'ended') return end.code;
    say(end.sentence);
  }
  // Somebody sits in front of it and expects a window.
  return await runHeadless(hasDisplay(process.env, process.platform) ? ['--open'] : []);
}
