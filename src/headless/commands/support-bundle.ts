/** `tillbridge support-bundle`: what support needs to see, in one masked file. */
import { oneLine, exitFailed, exitOk, type CliContext } from '../cli-context.ts';
import { findJournals, sendControlRequest } from '../../host/index.ts';
import { otherAnswer } from '../open-items.ts';
import { onDataDir, withDataDir, type AddCommand, type DataDirOptions } from './shared.ts';

export const addSupportBundleCommand: AddCommand = (program, context, runAction) => {
  withDataDir(program.command('support-bundle'), context)
    .summary('Save log, journal extract and settings for support, without secrets.')
    .description(
      'Saves one zip file in the data folder, as "Support bundle" in the console does: log, journal extract, settings without ' +
        'secrets, versions and ports. Card numbers are masked. Works whether or not the bridge is running.',
    )
    .addHelpText('after', '\nExample:\n  $ tillbridge support-bundle')
    .action((options: DataDirOptions) =>
      runAction(() => onDataDir(options, context, (dataDir) => saveBundle(dataDir, context))),
    );
};

async function saveBundle(dataDir: string, context: CliContext): Promise<number> {
  // A bridge that runs knows more than its files, and keeps the frames of its line to itself.
  for (const { folder } of findJournals(dataDir)) {
    const reply = await sendControlRequest(folder, { ask: 'support_bundle' }, context.clock);
    if (reply.kind === 'answered' && reply.answer.answer === 'support_bundle') {
      context.stdout(oneLine(reply.answer.file));
      return exitOk;
    }
    if (reply.kind === 'answered') context.error(oneLine(otherAnswer(reply.answer)));
    if (reply.kind === 'failed') context.error(oneLine(reply.message));
  }
  // Only here: the host takes longer to load than a frame to decode.
  const { createHost, fileSecrets } = await import('../../host/index.ts');
  const host = createHost({
    kind: 'headless',
    sources: {
      flags: { dataDir },
      configFile: null,
      environment: context.environment,
      currentFolder: context.currentFolder,
      defaultDataDir: dataDir,
    },
    defaultTerminal: null,
    secrets: fileSecrets(),
    clock: context.clock,
    chance: context.chance,
    version: context.version,
    canStartWithSystem: false,
  });
  try {
    context.stdout(oneLine(await host.saveSupportBundle()));
    return exitOk;
  } catch (error) {
    context.error(oneLine(`The support bundle cannot be written: ${String(error)}`));
    return exitFailed;
  } finally {
    await host.stop();
  }
}
