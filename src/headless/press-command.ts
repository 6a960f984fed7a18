/** Runs a command that stands for somebody who presses "pay", and does not leave it behind. */
import { spawn } from 'node:child_process';
import type { CliContext } from './cli-context.ts';

export interface PressCommand {
  /** Runs it once; resolves when it has ended, however. `told`: further variables of its environment. */
  run(told: { TILLBRIDGE_SCENE: string; TILLBRIDGE_ADDRESS: string }): Promise<void>;
  /** Ends the one that still runs. */
  end(): void;
}

/** `commandLine` is for the shell. Its standard output is left out, its errors are shown. */
export function createPressCommand(commandLine: string, context: CliContext): PressCommand {
  let end = () => {};
  return {
    run(told) {
      // A group of its own, so that what the shell has started ends with it.
      const inGroup = process.platform !== 'win32';
      const child = spawn(commandLine, {
        shell: true,
        detached: inGroup,
        cwd: context.currentFolder,
        env: { ...context.environment, ...told },
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      const { pid } = child;
      end = () => {
        if (inGroup && pid !== undefined) process.kill(-pid, 'SIGTERM');
        else child.kill();
      };
      return new Promise((resolve) => {
        const ended = () => {
          end = () => {};
          resolve();
        };
        child.on('exit', ended);
        child.on('error', (error) => {
          context.error(`The command of --press cannot be run: ${error.message}`);
          ended();
        });
      });
    },
    end: () => end(),
  };
}
