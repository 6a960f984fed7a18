/** What each file in `commands/` gives: a function that adds its command to the tree. */
import type { Command } from 'commander';
import type { World } from './world.ts';

/** Adds one command to the tree; `act` takes the exit code of what it does. */
export type AddCommand = (program: Command, world: World, act: Act) => void;
export type Act = (run: () => Promise<number> | number) => Promise<void>;
